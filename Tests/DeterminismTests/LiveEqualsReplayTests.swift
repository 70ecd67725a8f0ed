import System
import Tally
import TallyTesting
import Testing

/// Replaying the archive of a live run gives each tracker's outputs again, byte for byte and in the same order.
@Suite struct LiveEqualsReplayTests {
    @Test("A run on a virtual clock replays the same", arguments: 0..<24)
    func virtualClock(seed: Int) throws {
        let sequence = ActionSequence(
            seed: UInt64(seed),
            count: 120,
            legal: seed % 4 == 0 ? 40 : 92,
            longestWait: 2_000_000,
            switching: seed % 3 == 0 ? ["c", "newrelic"] : []
        )
        let run = try VirtualRun(plugins: Trackers.selections, sources: Trackers.files)
            .record(sequence, seed: UInt64(seed))
        let replay = try run.replay(through: Trackers.selections, from: Trackers.files)
        #expect(run.live.lines.count > 100)
        #expect(OutputTranscript.difference(run.live, replay) == nil)
        #expect(run.live.events == replay.events)
    }

    @Test("A run on the real clock with four producers and delays replays the same", arguments: 0..<12)
    func realClock(seed: Int) throws {
        let sequences = (0..<4).map { producer in
            ActionSequence(
                seed: UInt64(seed * 4 + producer),
                count: 40,
                legal: seed % 4 == 0 ? 40 : 85,
                longestWait: 40_000
            )
        }
        let run = try RealTimeRun(plugins: Trackers.restless, sources: Trackers.files)
            .record(sequences, seed: UInt64(seed))
        let replay = try run.replay(through: Trackers.restless, from: Trackers.files)
        #expect(run.live.lines.count > 100)
        #expect(OutputTranscript.difference(run.live, replay) == nil)
        #expect(run.live.events == replay.events)
    }

    @Test("A run that ends at the very instant of a timer replays that timer")
    func endsWithTimer() throws {
        let run = try VirtualRun(plugins: Trackers.selections, sources: Trackers.files).record { player, run, clock in
            for action in [PlayerAction.load, .play, .firstFrame] {
                player.perform(action, on: run)
                run.pump()
            }
            clock.advance(to: 1_000_000)
            run.pump()
        }
        let replay = try run.replay(through: Trackers.selections, from: Trackers.files)
        #expect(run.live.lines.contains { $0.kind == "CONTENT_HEARTBEAT" && $0.time == 1_000_000 })
        #expect(OutputTranscript.difference(run.live, replay) == nil)
    }

    @Test(
        "Each instant at which a tracker said something is in the archive, wherever a crash cuts it off",
        arguments: 0..<4
    )
    func instants(seed: Int) throws {
        let sequence = ActionSequence(seed: UInt64(seed + 300), count: 60, legal: 92, longestWait: 2_000_000)
        let run = try VirtualRun(plugins: Trackers.selections, sources: Trackers.files)
            .record(sequence, seed: UInt64(seed))
        let archive = String(decoding: try WholeFile.read(run.archive), as: UTF8.self)
        let instants = Set(
            archive.split(separator: "\"t_us\":").dropFirst().compactMap { Int64($0.prefix { $0.isNumber }) }
        )
        #expect(run.live.lines.count > 50)
        // The run's beginning is its header.
        #expect(run.live.lines.filter { $0.time > 0 && !instants.contains($0.time) }.map(\.kind) == [])
    }

    @Test("A run in which the machine slept replays the same, and nothing is said within a sleep", arguments: 0..<10)
    func sleeping(seed: Int) throws {
        let sequence = ActionSequence(
            seed: UInt64(seed + 7_000),
            count: 100,
            legal: 92,
            longestWait: 2_000_000,
            switching: seed % 3 == 0 ? ["c", "newrelic"] : []
        )
        var random = SplitMix64(seed: UInt64(seed))
        var sleeps: [ClosedRange<Int64>] = []
        let run = try VirtualRun(plugins: Trackers.selections, sources: Trackers.files).record { player, run, clock in
            for step in sequence.steps {
                clock.advance(to: clock.now() + step.wait)
                if random.next() % 8 == 0 {
                    run.pump()
                    let begin = clock.now()
                    player.sleep(microseconds: Int64(600_000 + random.next() % 7_200_000_000), clock)
                    sleeps.append(begin...clock.now())
                }
                if random.next() % 2 == 0 { run.pump() }
                player.perform(step.action, on: run)
                if random.next() % 2 == 0 { run.pump() }
            }
        }
        let replay = try run.replay(through: Trackers.selections, from: Trackers.files)
        #expect(run.live.lines.count > 100)
        #expect(sleeps.count > 3)
        #expect(OutputTranscript.difference(run.live, replay) == nil)
        #expect(run.live.events == replay.events)
        // What happens at the instant of a timer, such as one at the end of the sleep before, is dated 1 us later.
        let bump: Int64 = 10
        let within = run.live.lines.filter { line in
            sleeps.contains { line.time > $0.lowerBound + bump && line.time < $0.upperBound }
        }
        #expect(within.map(\.text) == [])
    }

    @Test("A tracker that is linked in says the same as its file", arguments: 0..<10)
    func linkedEqualsFile(seed: Int) throws {
        let sequence = ActionSequence(seed: UInt64(seed + 5_000), count: 150, legal: 92, longestWait: 2_000_000)
        let run = try VirtualRun(plugins: Trackers.selections, sources: Trackers.linked)
            .record(sequence, seed: UInt64(seed))
        let replay = try run.replay(through: Trackers.selections, from: Trackers.files)
        #expect(OutputTranscript.difference(run.live, replay) == nil)
    }
}
