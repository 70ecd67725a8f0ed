import EventModel
import PluginKit
import Tally
import TallyTesting
import Testing

/// A tracker that fails without end is taken out, and a replay shows it.
@Suite struct RepeatedErrorsTests {
    private static let selections = [
        PluginSelection("org.tally.fixture.errors-without-end", name: "faulty"),
        PluginSelection("org.tally.fixture.witness", name: "witness", configuration: ["timers": 0]),
    ]
    private static let sources: [PluginSource] = ["errors-without-end", "witness"].map {
        .file(PluginFiles.fixture($0))
    }

    @Test("20 errors in a row disable a tracker: one record, one call of the delegate, the same in replay")
    func disabled() throws {
        var told: [TrackerError] = []
        var statistics: [(name: String, enabled: Bool, statistics: TrackerStatistics)] = []
        let run = try VirtualRun(plugins: Self.selections, sources: Self.sources).record { player, run, _ in
            player.perform(.load, on: run)
            for _ in 0..<40 {
                player.perform(.custom(name: "x", value: .null), on: run)
            }
            player.perform(.unload, on: run)
            run.pump()
            #expect(player.waitForUnloaded(1))
            told = player.reports.errors
            run.destroy()
            statistics = run.trackerStatistics
        }
        let errors = run.live.lines.filter { $0.instance == "faulty" }
        #expect(errors.map(\.kind) == ["tracker_error"])
        #expect(errors.first?.attributes["code"] == .string("disabled"))
        #expect(errors.first?.attributes["message"] == .string("disabled after 20 errors in a row"))
        #expect(
            errors.first?.attributes["details"] == .string("last error -6: error number 20 of this instance")
        )
        #expect(told.map(\.plugin) == ["faulty"])
        #expect(told.map(\.message) == ["disabled after 20 errors in a row"])
        #expect(statistics.map(\.enabled) == [false, false])
        #expect(statistics.first?.statistics.errors == 20)
        #expect(statistics.first?.statistics.events == 20)
        #expect(run.live.lines.count { $0.kind == "event" } == 42)
        let replay = try run.replay(through: Self.selections, from: Self.sources)
        #expect(OutputTranscript.difference(run.live, replay) == nil)
    }

    @Test("An event without an error begins the count anew")
    func notInARow() throws {
        var script = ScriptedTracker.Script()
        script.handle = { _, event throws(TrackerFault) in
            if event.type == .custom { throw TrackerFault("no custom events, please") }
        }
        var enabled: [Bool] = []
        _ = try ScriptedRun.record(script) { player, run, _ in
            for _ in 0..<5 {
                for _ in 0..<19 {
                    player.perform(.custom(name: "x", value: .null), on: run)
                }
                player.perform(.sample, on: run)
            }
            player.perform(.unload, on: run)
            run.pump()
            enabled = run.trackerStatistics.map(\.enabled)
        }
        #expect(enabled == [true])
    }

    @Test("A disabled tracker's timers are gone with it")
    func timersGone() throws {
        let fired = Notes<Int64>()
        var script = ScriptedTracker.Script()
        script.begin = { host, snapshot throws(TrackerFault) in
            host.startTimer(at: snapshot.time + 5_000_000, scope: .instance)
        }
        script.handle = { _, _ throws(TrackerFault) in throw TrackerFault("always") }
        script.fire = { _, _, deadline in fired.add(deadline) }
        _ = try ScriptedRun.record(script) { player, run, clock in
            for _ in 0..<20 {
                player.perform(.sample, on: run)
            }
            run.advance(clock, to: 60_000_000)
        }
        #expect(fired.all.isEmpty)
    }

    @Test("What a function explains that returns nothing is an error, too", arguments: ["on_timer", "session_end"])
    func explained(function: String) throws {
        let (errors, logged) = try errors(of: "fail", in: function)
        #expect(logged.first == "faulty: error in \(function): told to fail, for ever")
        #expect(errors == [UInt64(logged.count)])
    }

    @Test("What an event explains without an error is none, also of the call that follows")
    func noError() throws {
        let (errors, logged) = try errors(of: "explain", in: "on_event")
        #expect(errors == [0] && logged.isEmpty, "\(logged)")
    }

    /// How often a hostile tracker failed, and what was logged of it.
    private func errors(of kind: String, in function: String) throws -> (counted: [UInt64], logged: [String]) {
        let selection = PluginSelection(
            "org.tally.fixture.hostile",
            name: "faulty",
            configuration: ["kind": .string(kind), "at": .string(function), "after": 0]
        )
        let logged = Notes<String>()
        var virtual = VirtualRun(plugins: [selection], sources: [.file(PluginFiles.fixture("hostile"))])
        virtual.log = { line in if line.level == .error { logged.add("\(line.instance): \(line.message)") } }
        var errors: [UInt64] = []
        _ = try virtual.record { player, run, clock in
            player.perform(.load, on: run)
            run.advance(clock, to: 1_000_000)
            player.perform(.unload, on: run)
            run.pump()
            errors = run.trackerStatistics.map(\.statistics.errors)
        }
        return (errors, logged.all)
    }
}
