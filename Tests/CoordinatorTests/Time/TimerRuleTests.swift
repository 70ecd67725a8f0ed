import EventModel
import PluginKit
import Tally
import TallyTesting
import Testing

/// Timers as a tracker meets them in a run.
@Suite struct TimerRuleTests {
    @Test("A timer's now is its deadline, however late the run gets to it")
    func deadlineIsNow() throws {
        let fired = Notes<Int64>()
        var script = ScriptedTracker.Script()
        script.begin = { host, _ throws(TrackerFault) in
            host.startTimer(at: 3_000_000)
            host.startTimer(at: 2_000_000)
        }
        script.fire = { host, _, deadline in
            fired.add(deadline)
            host.say("fired")
        }
        let run = try ScriptedRun.record(script) { _, run, clock in
            run.advance(clock, to: 10_000_000)
        }
        #expect(fired.all == [2_000_000, 3_000_000])
        #expect(run.live.lines.map(\.time) == [2_000_000, 3_000_000])
    }

    @Test("A deadline in the past, or less than 1 ms ahead, is moved to 1 ms ahead")
    func earliest() throws {
        let fired = Notes<Int64>()
        var script = ScriptedTracker.Script()
        script.handle = { host, event throws(TrackerFault) in
            guard event.type == .play else { return }
            for deadline in [event.time - 5_000_000, event.time, event.time + 999, event.time + 1_001] {
                host.startTimer(at: deadline)
            }
        }
        script.fire = { _, _, deadline in fired.add(deadline) }
        _ = try ScriptedRun.record(script) { player, run, clock in
            run.advance(clock, to: 7_000_000)
            player.perform(.play, on: run)
            run.advance(clock, to: 8_000_000)
        }
        #expect(fired.all == [7_001_000, 7_001_000, 7_001_000, 7_001_001])
    }

    @Test("A timer that is started in a call-back for now comes 1 ms later, so a chain cannot hold up the run")
    func chain() throws {
        let fired = Notes<Int64>()
        var script = ScriptedTracker.Script()
        script.begin = { host, _ throws(TrackerFault) in host.startTimer(at: 0) }
        script.fire = { host, _, deadline in
            fired.add(deadline)
            host.startTimer(at: deadline)
        }
        _ = try ScriptedRun.record(script) { _, run, clock in
            run.advance(clock, to: 10_000)
        }
        #expect(fired.all == (1...10).map { $0 * 1_000 })
    }

    @Test("In a call-back a timer may cancel itself, those of the same instant and later ones")
    func cancelInside() throws {
        let started = Notes<TimerID>()
        let fired = Notes<TimerID>()
        var script = ScriptedTracker.Script()
        script.begin = { host, _ throws(TrackerFault) in
            for deadline: Int64 in [1_000_000, 1_000_000, 1_000_000, 2_000_000, 3_000_000] {
                if let id = host.startTimer(at: deadline) { started.add(id) }
            }
        }
        script.fire = { host, id, _ in
            fired.add(id)
            guard fired.all.count == 1 else { return }
            for place in [0, 1, 3] {
                host.cancel(started.all[place])
                host.cancel(started.all[place])
            }
        }
        _ = try ScriptedRun.record(script) { _, run, clock in
            run.advance(clock, to: 10_000_000)
        }
        #expect(started.all.count == 5)
        #expect(fired.all == [started.all[0], started.all[2], started.all[4]])
    }

    @Test("A session's timers end with it, also those started in its last call; the instance's go on")
    func sessionScope() throws {
        let fired = Notes<String>()
        let names = Notes<(id: TimerID, name: String)>()
        var script = ScriptedTracker.Script()
        script.begin = { host, snapshot throws(TrackerFault) in
            guard names.all.isEmpty else { return }
            if let id = host.startTimer(at: 9_000_000) { names.add((id, "session")) }
            if let id = host.startTimer(at: 9_000_000, scope: .instance) { names.add((id, "instance")) }
        }
        script.end = { host, _, _ in
            if let id = host.startTimer(at: 9_000_000) { names.add((id, "last")) }
        }
        script.fire = { _, id, _ in
            fired.add(names.all.first { $0.id == id }?.name ?? "unknown")
        }
        _ = try ScriptedRun.record(script) { player, run, clock in
            run.advance(clock, to: 1_000_000)
            player.perform(.unload, on: run)
            run.advance(clock, to: 2_000_000)
            player.perform(.load, on: run)
            run.advance(clock, to: 20_000_000)
        }
        #expect(names.all.count >= 3)
        #expect(fired.all == ["instance"])
    }

    @Test("Disabling ends all timers, and after enabling none of them comes back")
    func disabling() throws {
        let fired = Notes<TimerID>()
        let started = Notes<TimerID>()
        var script = ScriptedTracker.Script()
        script.begin = { host, snapshot throws(TrackerFault) in
            if let id = host.startTimer(at: snapshot.time + 2_000_000, scope: .instance) { started.add(id) }
        }
        script.fire = { _, id, _ in fired.add(id) }
        _ = try ScriptedRun.record(script) { _, run, clock in
            run.advance(clock, to: 1_000_000)
            run.disable(plugin: "scripted")
            run.pump()
            run.advance(clock, to: 1_500_000)
            run.enable(plugin: "scripted")
            run.pump()
            run.advance(clock, to: 10_000_000)
        }
        #expect(started.all.count == 2)
        #expect(started.all.first != started.all.last)
        #expect(fired.all == started.all.suffix(1))
    }

    @Test("Timers of a tracker whose enable fails in mid-run hold up nothing")
    func failedEnable() throws {
        let fired = Notes<TimerID>()
        var script = ScriptedTracker.Script()
        script.enable = { host throws(TrackerFault) in
            host.startTimer(at: 0, scope: .instance)
            throw TrackerFault("not today")
        }
        script.fire = { _, id, _ in fired.add(id) }
        let run = try ScriptedRun.record(script, enabled: false) { player, run, clock in
            run.enable(plugin: "scripted")
            run.pump()
            run.advance(clock, to: 5_000_000)
            player.perform(.play, on: run)
            run.advance(clock, to: 6_000_000)
        }
        #expect(fired.all.isEmpty)
        #expect(run.live.events.contains { $0.contains(" play") })
    }

    @Test("Two timers of one instant fire before an event that comes late is looked at; the event is moved behind them")
    func moved() throws {
        let seen = Notes<String>()
        var script = ScriptedTracker.Script()
        script.begin = { host, _ throws(TrackerFault) in
            host.startTimer(at: 1_000_000)
            host.startTimer(at: 1_000_000)
        }
        script.fire = { _, _, deadline in seen.add("timer \(deadline)") }
        script.handle = { _, event throws(TrackerFault) in
            if event.type == .play { seen.add("play \(event.time) \(event.flags & 4 != 0)") }
        }
        _ = try ScriptedRun.record(script) { player, run, clock in
            run.advance(clock, to: 1_000_000)
            player.perform(.play, on: run)
            run.pump()
        }
        #expect(seen.all == ["timer 1000000", "timer 1000000", "play 1000001 true"])
    }
}
