import EventModel
import PluginKit
import System
import TallyTesting

/// A tracker that does what a test says; the test's script is picked up as the instance is made.
final class ScriptedTracker: Tracker {
    static let descriptor = TrackerDescriptor(
        id: "org.tally.test.scripted",
        name: "Scripted",
        vendor: "Tally",
        version: "1.0.0",
        configurationSchema: #"{"type":"object"}"#,
        storeKeys: ["first", "second"]
    )

    /// What a test wants.
    struct Script: Sendable {
        var enable: @Sendable (TrackerHost) throws(TrackerFault) -> Void = { _ in }
        var begin: @Sendable (TrackerHost, EventView) throws(TrackerFault) -> Void = { _, _ in }
        var handle: @Sendable (TrackerHost, EventView) throws(TrackerFault) -> Void = { _, _ in }
        var fire: @Sendable (TrackerHost, TimerID, Int64) -> Void = { _, _, _ in }
        var end: @Sendable (TrackerHost, SessionEndReason, Int64) -> Void = { _, _, _ in }
    }

    @TaskLocal static var script = Script()
    /// Scripts by the ids of runs that make their trackers on a thread of their own.
    static let scriptsOfRuns = Lock<[String: Script]>([:])

    private static let library = PluginLibrary(trackers: [ScriptedTracker.self])

    /// Where tests take it from.
    static let source = unsafe PluginSource.linked { unsafe library.entry }

    private let script: Script
    private let host: TrackerHost

    init(run: RunInformation, host: TrackerHost) {
        script = ScriptedTracker.scriptsOfRuns.with { $0[run.playerRunID] } ?? ScriptedTracker.script
        self.host = host
    }

    func enable() throws(TrackerFault) {
        try script.enable(host)
    }

    func sessionBegin(_ snapshot: EventView) throws(TrackerFault) {
        try script.begin(host, snapshot)
    }

    func handle(_ event: EventView) throws(TrackerFault) {
        try script.handle(host, event)
    }

    func timerFired(_ timer: TimerID, at deadline: Int64, state: PlayerState) {
        script.fire(host, timer, deadline)
    }

    func sessionEnd(_ reason: SessionEndReason, at time: Int64, state: PlayerState) {
        script.end(host, reason, time)
    }
}
