import NewRelicVideo
import PluginKit
import Tally
import TallyTesting
import Testing

/// Commands in a whole player run: they are archived, and a replay runs them again.
@Suite struct CommandRunTests {
    @Test("what commands change is the same in a replay")
    func replayed() throws {
        let tracker = PluginSelection("com.newrelic.video", name: "newrelic")
        let file = PluginSource.file(PluginFiles.plugin("new-relic-video"))
        let run = try VirtualRun(plugins: [tracker], sources: [file]).record { player, run, clock in
            player.perform(.load, on: run)
            run.pump()
            _ = try run.command(plugin: "newrelic", "setUserId", ["userId": "viewer-1"])
            clock.advance(to: 1_000_000)
            player.perform(.play, on: run)
            player.perform(.firstFrame, on: run)
            run.pump()
            let other = try run.command(plugin: "newrelic", "startTracker", ["trackers": "content"])
            #expect(other == 1)
            #expect(try run.command(plugin: "newrelic", "get", ["attribute": "getDuration", "id": 1]) == 600_000)
            _ = try run.command(plugin: "newrelic", "sendEvent", ["action": "NOTE", "attributes": ["a": 1]])
            _ = try run.command(plugin: "newrelic", "releaseTracker", ["id": 0])
            clock.advance(to: 3_000_000)
            player.perform(.unload, on: run)
        }
        #expect(
            run.live.lines.map(\.kind) == [
                "TRACKER_READY", "CONTENT_REQUEST", "CONTENT_START", "TRACKER_READY", "PLAYER_READY",
                "CONTENT_REQUEST", "CONTENT_START", "NOTE", "CONTENT_END",
            ]
        )
        #expect(run.live.lines.dropFirst(2).allSatisfy { $0.attributes["enduser.id"] == .string("viewer-1") })
        let replay = try run.replay(through: [tracker], from: [file])
        #expect(OutputTranscript.difference(run.live, replay) == nil)
    }
}
