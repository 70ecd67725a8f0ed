import NewRelicCustomTracker
import NewRelicVideo
import PluginKit
import TallyTesting

/// The trackers as the tests run them, without a player.
enum NewRelic {
    /// Wall clock at time 0, us since 1970.
    static let epochMicroseconds: Int64 = 1_600_000_000_000_000

    private static let library = PluginLibrary(trackers: [
        NewRelicVideoTracker.self, AudioBookTracker.self, OverridingTracker.self,
    ])

    /// A host with a running tracker; when the configuration is refused, its faults say why.
    static func host(
        configuration: String = "{}",
        seed: UInt64 = 7,
        plugin: String = "com.newrelic.video"
    ) -> FakeHost {
        let host = unsafe FakeHost(
            entry: library.entry,
            plugin: plugin,
            epochMicroseconds: epochMicroseconds,
            seed: seed
        )
        try? host.start(text: configuration)
        return host
    }
}

// The vendor's words.
extension FakeHost {
    /// The events that the tracker made.
    var events: [Record] { records }
}

extension FakeHost.Record {
    /// The event's action.
    var action: String { kind }
}

extension FakeHost.Beacon {
    /// The events in its body.
    var events: [JSONValue] {
        (try? JSONParser().parse(bodyText))?.array ?? []
    }
}
