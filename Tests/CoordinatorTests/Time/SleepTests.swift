import Coordinator
import EventModel
import Glibc
import PluginKit
import System
import Tally
import TallyTesting
import TestFiles
import Testing

/// A sleep of the machine in a run: noticed before any timer, told once, and no timer falls due in it.
@Suite struct SleepTests {
    private static let second: Int64 = 1_000_000
    private static let hour: Int64 = 3_600_000_000

    /// Tells all that a tracker sees, with a timer each second.
    private static func script(_ seen: Notes<String>) -> ScriptedTracker.Script {
        var script = ScriptedTracker.Script()
        script.begin = { host, snapshot throws(TrackerFault) in host.startTimer(at: snapshot.time + second) }
        script.fire = { host, _, deadline in
            seen.add("timer \(deadline)")
            host.say("tick")
            host.startTimer(at: deadline + second)
        }
        script.handle = { host, event throws(TrackerFault) in
            let step = event.attributes[.stepMicroseconds]?.int.map { " \($0)" } ?? ""
            seen.add("\(event.typeName.string) \(event.time)\(step)")
            if event.type == .systemSuspended { host.say("slept") }
        }
        script.end = { _, _, time in seen.add("end \(time)") }
        return script
    }

    /// What a tracker sees from the last timer before the sleep on.
    private static func course(
        _ body: @escaping (SyntheticPlayer, PlayerRun, VirtualClock) throws -> Void
    ) throws -> [String] {
        let seen = Notes<String>()
        let run = try ScriptedRun.record(script(seen)) { player, run, clock in
            player.perform(.play, on: run)
            run.advance(clock, to: 2_100_000)
            try body(player, run, clock)
        }
        let live = Array(seen.all.drop { $0 != "timer 2000000" }.dropFirst())
        let replayed = Notes<String>()
        try ScriptedTracker.$script.withValue(script(replayed)) {
            let replay = try run.replay(through: [ScriptedRun.selection], from: [ScriptedTracker.source])
            #expect(OutputTranscript.difference(run.live, replay) == nil)
            #expect(run.live.events == replay.events)
        }
        #expect(seen.all == replayed.all)
        return live
    }

    @Test("Noticed as timers are due, it comes before them, and they keep the time that they had left")
    func byTimer() throws {
        let seen = try Self.course { _, run, clock in
            clock.sleep(microseconds: Self.hour)
            run.pump()
            run.advance(clock, to: Self.hour + 4_500_000)
        }
        #expect(
            seen == [
                "system_suspended 2100000 3600000000", "timer 3603000000", "timer 3604000000", "end 3604500000",
            ]
        )
    }

    @Test("A timer that is due long after the sleep keeps the time that it had left too")
    func longTimer() throws {
        let seen = Notes<String>()
        var script = ScriptedTracker.Script()
        script.begin = { host, snapshot throws(TrackerFault) in host.startTimer(at: snapshot.time + 2 * Self.hour) }
        script.fire = { _, _, deadline in seen.add("timer \(deadline)") }
        _ = try ScriptedRun.record(script) { player, run, clock in
            player.perform(.play, on: run)
            run.advance(clock, to: Self.second)
            clock.sleep(microseconds: Self.hour)
            run.pump()
            run.advance(clock, to: 3 * Self.hour + Self.second)
        }
        #expect(seen.all == ["timer \(3 * Self.hour)"])
    }

    @Test("Noticed at an event, it comes before it, where it began")
    func byEvent() throws {
        let seen = try Self.course { player, run, clock in
            clock.advance(to: 2_200_000)
            player.perform(.sample, on: run)
            clock.advance(to: 2_300_000)
            clock.sleep(microseconds: Self.hour)
            clock.advance(to: clock.now() + 50_000)
            player.perform(.sample, on: run)
            player.perform(.pause, on: run)
            run.pump()
        }
        #expect(
            seen == [
                "playhead_sample 2200000", "system_suspended 2350000 3600000000", "playhead_sample 3602350000",
                "pause 3602350000", "end 3602350000",
            ]
        )
    }

    @Test("An event that was queued before the sleep keeps its time, and its place before the sleep")
    func queued() throws {
        let seen = try Self.course { player, run, clock in
            clock.advance(to: 2_700_000)
            player.perform(.pause, on: run)
            clock.sleep(microseconds: Self.hour)
            run.pump()
        }
        #expect(seen == ["pause 2700000", "system_suspended 2700000 3600000000", "end 3602700000"])
    }

    @Test(
        "A run that ends after the sleep tells it first, and fires none of its timers",
        arguments: [DestroyMode.drain(), .cancel]
    )
    func byEnd(mode: DestroyMode) throws {
        let seen = try Self.course { _, run, clock in
            clock.sleep(microseconds: Self.hour)
            run.destroy(mode)
        }
        #expect(seen == ["system_suspended 2100000 3600000000", "end 3602100000"])
    }

    @Test("A tracker that is switched after the sleep is told it first")
    func byChange() throws {
        let seen = try Self.course { _, run, clock in
            clock.sleep(microseconds: Self.hour)
            run.disable(plugin: "scripted")
            run.pump()
        }
        #expect(seen == ["system_suspended 2100000 3600000000", "end 3602100000"])
    }

    @Test("Nothing is dated within the sleep, however late it was queued")
    func lateTrackCall() throws {
        let seen = try Self.course { player, run, clock in
            clock.sleep(microseconds: Self.hour)
            clock.advance(to: clock.now() + 40_000)
            run.pump()
            player.perform(.pause, on: run)
            run.pump()
        }
        #expect(seen == ["system_suspended 2140000 3600000000", "pause 3602140000", "end 3602140000"])
    }

    @Test("A timer that is started as the sleep is told counts from its beginning, or falls due behind its end")
    func startedInSleep() throws {
        let fired = Notes<Int64>()
        var script = ScriptedTracker.Script()
        script.begin = { host, _ throws(TrackerFault) in host.startTimer(at: 5_000_000) }
        script.handle = { host, event throws(TrackerFault) in
            guard event.type == .systemSuspended else { return }
            for deadline in [event.time + Self.second, event.time + Self.hour + 2 * Self.second] {
                host.startTimer(at: deadline)
            }
        }
        script.fire = { _, _, deadline in fired.add(deadline) }
        _ = try ScriptedRun.record(script) { _, run, clock in
            run.advance(clock, to: 2_000_000)
            clock.sleep(microseconds: Self.hour)
            run.pump()
            run.advance(clock, to: clock.now() + 10 * Self.second)
        }
        #expect(fired.all == [3, 4, 5].map { $0 * Self.second + Self.hour })
    }

    @Test("The playhead stands from where the sleep began until the player reports it again")
    func playhead() throws {
        let places = Notes<Int64?>()
        var script = ScriptedTracker.Script()
        script.handle = { _, event throws(TrackerFault) in
            if event.type == .applicationForeground { places.add(event.state.playheadMilliseconds) }
        }
        _ = try ScriptedRun.record(script) { player, run, clock in
            player.perform(.play, on: run)
            player.perform(.firstFrame, on: run)
            run.advance(clock, to: Self.second)
            player.perform(.sample, on: run)
            run.advance(clock, to: 1_100_000)
            player.sleep(microseconds: Self.hour, clock)
            run.pump()
            player.change { $0.tellsPlayhead = false }
            run.advance(clock, to: clock.now() + 200_000)
            player.perform(.foreground, on: run)
            player.change { $0.tellsPlayhead = true }
            player.perform(.foreground, on: run)
            run.pump()
        }
        #expect(places.all == [1_100, 1_300])
    }

    @Test("Two sleeps are two, each with its length; a nap is none")
    func several() throws {
        let seen = try Self.course { _, run, clock in
            for length in [60 * Self.second, 400_000, 2 * Self.hour] {
                clock.sleep(microseconds: length)
                run.pump()
                run.advance(clock, to: clock.now() + 100_000)
            }
        }
        #expect(
            seen == [
                "system_suspended 2100000 60000000", "system_suspended 62700000 7200000000", "end 7262800000",
            ]
        )
    }

    @Test("In an archive of the first rules a sleep has passed where it is told, and timers go on")
    func firstRules() throws {
        let seen = Notes<String>()
        let run = try ScriptedRun.record(Self.script(seen)) { _, run, clock in
            run.advance(clock, to: 2_100_000)
            clock.sleep(microseconds: 2_000_000)
            run.pump()
            run.advance(clock, to: 6_500_000)
        }
        let archive = try String(decoding: WholeFile.read(run.archive), as: UTF8.self)
        let old = archive.replacing(#""semantics":2"#, with: #""semantics":1"#)
        #expect(old != archive)
        let folder = TemporaryFolder()
        let replayed = Notes<String>()
        try ScriptedTracker.$script.withValue(Self.script(replayed)) {
            _ = try RecordedRun.replay(
                folder.write("old.tally", old),
                through: [ScriptedRun.selection],
                from: [ScriptedTracker.source]
            )
        }
        let timers = { (notes: Notes<String>) in
            notes.all.compactMap { $0.hasPrefix("timer ") ? Int64($0.dropFirst(6)).map { $0 / Self.second } : nil }
        }
        #expect(timers(seen) == [1, 2, 5, 6])
        #expect(timers(replayed) == [1, 2, 3, 4, 5, 6])
    }

    @Test("A process that is stopped for a minute slept: a run with a thread of its own tells it before its timers")
    func stopped() throws {
        let seen = Notes<String>()
        ScriptedTracker.scriptsOfRuns.with { $0["stopped"] = Self.script(seen) }
        let telemetry = try Telemetry(
            plugins: [ScriptedRun.selection],
            catalog: RecordedRun.catalog([ScriptedTracker.source]),
            options: Telemetry.Options()
        )
        let clock = VirtualClock()
        let player = SyntheticPlayer()
        let run = try PlayerRun(
            telemetry: telemetry,
            delegate: player,
            archive: nil,
            environment: RunEnvironment(description: RunDescription(id: "stopped", epoch: 0), clock: clock)
        )
        player.perform(.load, on: run)
        #expect(seen.wait(for: 1))
        // Time that passes while the thread waits is a stop; should it be on its way there, the next is.
        for _ in 0..<50 where !seen.all.contains(where: { $0.hasPrefix("system_suspended") }) {
            usleep(200_000)
            clock.advance(to: clock.now() + 60 * Self.second)
            player.perform(.sample, on: run)
            usleep(200_000)
        }
        run.destroy()
        telemetry.close()
        let stops = seen.all.filter { $0.hasPrefix("system_suspended") }
        #expect(stops.count == 1)
        #expect(stops.allSatisfy { $0.hasSuffix(" 60000000") })
    }
}
