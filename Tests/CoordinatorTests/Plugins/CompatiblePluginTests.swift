import EventModel
import Tally
import TallyTesting
import Testing

/// Plugins of other minor versions load and work, live and in replay, for ever.
@Suite struct CompatiblePluginTests {
    @Test("A plugin that was built against version 1.0 finds every promise kept", arguments: 0..<10)
    func frozen(seed: Int) throws {
        let selections = [
            PluginSelection("org.tally.fixture.frozen-v1", name: "frozen"),
            PluginSelection("org.tally.fixture.witness", name: "witness"),
        ]
        let sources: [PluginSource] = ["frozen-v1", "witness"].map { .file(PluginFiles.fixture($0)) }
        let sequence = ActionSequence(seed: UInt64(seed + 60), count: 200, legal: 85, longestWait: 3_000_000)
        let run = try VirtualRun(plugins: selections, sources: sources).record(sequence, seed: UInt64(seed))
        let said = run.live.lines.filter { $0.instance == "frozen" }
        #expect(said.count { $0.kind == "frozen" } > 3)
        #expect(said.contains { $0.kind == "beacon" })
        #expect(!said.contains { $0.kind == "tracker_error" })
        let replay = try run.replay(through: selections, from: sources)
        #expect(OutputTranscript.difference(run.live, replay) == nil)
    }

    @Test("A plugin that breaks no promise returns no error, so none was broken for it")
    func frozenReturnsNoError() throws {
        let selection = PluginSelection("org.tally.fixture.frozen-v1", name: "frozen")
        var statistics: [TrackerStatistics] = []
        let run = try VirtualRun(plugins: [selection], sources: [.file(PluginFiles.fixture("frozen-v1"))])
            .record { player, run, clock in
                for step in ActionSequence(seed: 7, count: 300, legal: 90, longestWait: 1_000_000).steps {
                    run.advance(clock, to: clock.now() + step.wait)
                    player.perform(step.action, on: run)
                }
                run.destroy()
                statistics = run.trackerStatistics.map(\.statistics)
            }
        #expect(statistics.map(\.errors) == [0])
        #expect(statistics.allSatisfy { $0.timers > 0 && $0.records > 0 && $0.beacons > 0 })
        #expect(run.live.lines.contains { $0.kind == "frozen" })
    }

    @Test("A plugin of a later minor version works; what this host does not know is passed over")
    func future() throws {
        let selection = PluginSelection("org.tally.fixture.from-the-future", name: "future")
        let sources: [PluginSource] = [.file(PluginFiles.fixture("from-the-future"))]
        let run = try VirtualRun(plugins: [selection], sources: sources).record { player, run, _ in
            player.perform(.load, on: run)
            player.perform(.play, on: run)
            player.perform(.unload, on: run)
        }
        #expect(run.live.lines.map(\.kind) == ["future", "future_result", "future_end"])
        #expect(run.live.lines[0].attributes["first"] == .int(1))
        #expect(run.live.lines[0].attributes["last"] == .int(3))
        #expect(run.live.lines[1].attributes == ["status": .int(0), "offered": .int(0)])
        #expect(run.live.lines[2].attributes == ["events": .int(3)])
        let replay = try run.replay(through: [selection], from: sources)
        #expect(OutputTranscript.difference(run.live, replay) == nil)
    }
}
