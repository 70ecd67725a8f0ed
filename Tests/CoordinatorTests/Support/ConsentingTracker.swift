import EventModel
import PluginKit
import Tally
import TallyTesting

/// A tracker that handles consent itself, and says which events it gets.
final class ConsentingTracker: Tracker {
    static let descriptor = TrackerDescriptor(
        id: "org.tally.test.consenting",
        name: "Consenting",
        vendor: "Tally",
        version: "1.0.0",
        configurationSchema: #"{"type":"object"}"#,
        handlesConsent: true
    )

    private static let library = PluginLibrary(trackers: [ConsentingTracker.self])
    private let host: TrackerHost

    init(run: RunInformation, host: TrackerHost) {
        self.host = host
    }

    func handle(_ event: EventView) {
        let record = RecordBuilder()
        record.begin(event.typeName)
        host.emit(record)
    }

    /// A run that is loaded before `body` and unloaded behind it.
    static func record(_ body: (SyntheticPlayer, PlayerRun) -> Void) throws -> RecordedRun {
        let selection = PluginSelection("org.tally.test.consenting", name: "consenting")
        let source = unsafe PluginSource.linked { unsafe library.entry }
        return try VirtualRun(plugins: [selection], sources: [source]).record { player, run, _ in
            player.perform(.load, on: run)
            body(player, run)
            player.perform(.unload, on: run)
        }
    }
}
