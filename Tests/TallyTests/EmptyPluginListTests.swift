import Tally
import TallyTesting
import TestFiles
import Testing

/// Track API, player and archive work without plugins (Adobe VHL 1.4, "Implementing Without Plug-ins").
@Suite struct EmptyPluginListTests {
    @Test("A run with an empty plugin list is archived and replays")
    func emptyList() throws {
        let run = try QuickRun.virtual([]).record { player, run, clock in
            player.perform(.load, on: run)
            clock.advance(to: 1_000_000)
            player.perform(.play, on: run)
            player.perform(.unload, on: run)
        }
        #expect(run.live.events.count == 7)
        let replay = try run.replay(through: [], from: [])
        #expect(replay.events == run.live.events)
    }

    @Test("A run with no list and no directories works")
    func noList() throws {
        let telemetry = try Telemetry()
        let player = SyntheticPlayer()
        let run = try telemetry.startRun(delegate: player)
        player.perform(.load, on: run)
        player.perform(.unload, on: run)
        #expect(player.waitForUnloaded(1))
        #expect(run.destroy(.drain(limit: 300_000)).inTime)
        #expect(telemetry.close().isEmpty)
    }

    @Test("A run with an empty plugin directory works, and so does one with a directory that is not there")
    func emptyDirectory() throws {
        let folder = TemporaryFolder()
        let telemetry = try Telemetry(directories: [folder.path, folder.file("nowhere")])
        #expect(telemetry.plugins.isEmpty)
        #expect(telemetry.rejected.isEmpty)
        let run = try telemetry.startRun()
        #expect(run.trackVideoLoad() == .queued)
        #expect(run.destroy().droppedEvents == 0)
    }
}
