import PluginKit
import Synchronization

/// A tracker that does what a test says; the test's script is picked up as the instance is made.
final class ScriptedTracker: Tracker {
    static let descriptor = TrackerDescriptor(
        id: "org.tally.test.scripted",
        name: "Scripted",
        vendor: "Tally",
        version: "2.3.4",
        configurationSchema: #"{"type":"object"}"#,
        sharedConfiguration: ["viewer"]
    )

    /// What a test wants.
    struct Script: Sendable {
        var configure: @Sendable (JSONValue) throws(ConfigurationError) -> Void = { _ in }
        var begin: @Sendable (TrackerHost, RunInformation) -> Void = { _, _ in }
        var handle: @Sendable (TrackerHost, EventView) throws(TrackerFault) -> Void = { _, _ in }
        var fire: @Sendable (TrackerHost, TimerID, Int64) -> Void = { _, _, _ in }
        var gone: @Sendable () -> Void = {}
    }

    @TaskLocal static var script = Script()

    private let script = ScriptedTracker.script
    private let run: RunInformation
    private let host: TrackerHost

    init(run: RunInformation, host: TrackerHost) {
        self.run = run
        self.host = host
    }

    deinit {
        script.gone()
    }

    func configure(_ configuration: JSONValue) throws(ConfigurationError) {
        try script.configure(configuration)
        script.begin(host, run)
    }

    func handle(_ event: EventView) throws(TrackerFault) {
        try script.handle(host, event)
    }

    func timerFired(_ timer: TimerID, at deadline: Int64, state: PlayerState) {
        script.fire(host, timer, deadline)
    }
}

/// A tracker with nothing of its own but the one call that has no default.
final class BareTracker: Tracker {
    static let descriptor = TrackerDescriptor(
        id: "org.tally.test.bare",
        name: "Bare",
        vendor: "Tally",
        version: "1.0.0",
        storeKeys: ["viewer_id"]
    )

    init(run: RunInformation, host: TrackerHost) {}

    func handle(_ event: EventView) {}
}

/// The library of this test program.
enum TestLibrary {
    static let library = PluginLibrary(
        trackers: [ScriptedTracker.self, BareTracker.self, CounterTracker.self],
        reporters: [CounterReporter.self]
    )

    /// Makes a scripted tracker and starts it.
    static func tracker(_ host: FakeHost, _ script: ScriptedTracker.Script) -> HostedTracker? {
        ScriptedTracker.$script.withValue(script) {
            unsafe HostedTracker(library.entry, "org.tally.test.scripted", host: host)
        }
    }

    /// Makes a tracker that does something in its first event, lets it, and gives the host that saw it.
    static func run(
        status: Int32 = 0,
        _ body: @escaping @Sendable (TrackerHost, EventView) throws(TrackerFault) -> Void
    ) -> FakeHost {
        let host = FakeHost()
        var script = ScriptedTracker.Script()
        script.handle = body
        guard let tracker = tracker(host, script) else { return host }
        _ = tracker.start()
        _ = tracker.enable()
        host.status = status
        _ = tracker.handle(
            TestBlock(.custom, at: 5_000_000, attributes: [("name", .string("value")), ("count", .int(3))])
        )
        return host
    }
}
