import PluginKit
import Tally
import TallyTesting

/// A run on a virtual clock with one scripted tracker, named `scripted`.
enum ScriptedRun {
    static let selection = PluginSelection("org.tally.test.scripted", name: "scripted")

    /// Loads a video, lets `body` go on, and gives what came out.
    static func record(
        _ script: ScriptedTracker.Script,
        enabled: Bool = true,
        longestSilence: Int64? = nil,
        _ body: (SyntheticPlayer, PlayerRun, VirtualClock) throws -> Void
    ) throws -> RecordedRun {
        var selection = selection
        selection.enabled = enabled
        return try ScriptedTracker.$script.withValue(script) {
            var virtual = VirtualRun(plugins: [selection], sources: [ScriptedTracker.source])
            if let longestSilence { virtual.longestSilence = longestSilence }
            return try virtual.record { player, run, clock in
                player.perform(.load, on: run)
                run.pump()
                try body(player, run, clock)
            }
        }
    }
}

extension PlayerRun {
    /// Lets time pass and everything happen that is due by then.
    func advance(_ clock: VirtualClock, to time: Int64) {
        clock.advance(to: time)
        pump()
    }
}

extension TrackerHost {
    /// Emits a record without attributes.
    @discardableResult
    func say(_ kind: StaticString) -> UInt64 {
        let record = RecordBuilder()
        record.begin(kind)
        return emit(record)
    }
}
