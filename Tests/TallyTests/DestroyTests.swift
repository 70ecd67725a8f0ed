import Tally
import TallyTesting
import Testing

/// How a run ends (Adobe VHL 1.4, "Graceful termination"; the default differs from the guides').
@Suite struct DestroyTests {
    @Test("Destroy drains what is queued unless told otherwise")
    func drains() throws {
        let run = try QuickRun.virtual().record { player, run, _ in
            player.perform(.load, on: run)
            player.perform(.complete, on: run)
            player.perform(.unload, on: run)
        }
        #expect(run.report.droppedEvents == 0)
        #expect(run.report.inTime)
        #expect(run.live.heard.contains("video_unload"))
    }

    @Test("Destroy that cancels says how much it dropped, and the archive ends there")
    func cancels() throws {
        var virtual = QuickRun.virtual()
        virtual.end = .cancel
        let run = try virtual.record { player, run, _ in
            player.perform(.load, on: run)
            run.pump()
            player.perform(.complete, on: run)
            player.perform(.unload, on: run)
        }
        #expect(run.report.droppedEvents == 2)
        #expect(!run.live.heard.contains("complete"))
        let replay = try run.replay(through: [QuickRun.witness], from: QuickRun.sources)
        #expect(OutputTranscript.difference(run.live, replay) == nil)
    }

    @Test("Destroy inside videoUnloaded is safe and loses nothing")
    func insideCallback() throws {
        let memory = MemoryReporter()
        let telemetry = try Telemetry(
            plugins: [QuickRun.witness],
            catalog: RecordedRun.catalog(QuickRun.sources),
            options: .init(),
            extraConsumers: [memory]
        )
        let player = SyntheticPlayer()
        let run = try telemetry.startRun(delegate: player)
        player.onVideoUnloaded { run.destroy() }
        player.perform(.load, on: run)
        player.perform(.complete, on: run)
        player.perform(.unload, on: run)
        #expect(player.waitForUnloaded(1))
        #expect(run.trackPlay() == .ended)
        #expect(run.destroy().droppedEvents == 0)
        #expect(memory.contents.heard.contains("video_unload"))
        telemetry.close()
    }

    @Test("Track calls after destroy are refused and change nothing")
    func afterDestroy() throws {
        let run = try Telemetry().startRun()
        let first = run.destroy()
        #expect(run.trackVideoLoad() == .ended)
        #expect(run.destroy(.cancel) == first)
    }

    @Test("An open session ends for the trackers when the run is destroyed")
    func openSession() throws {
        let run = try QuickRun.virtual().record { player, run, _ in
            player.perform(.load, on: run)
            player.perform(.play, on: run)
        }
        #expect(run.live.events.last?.contains("boundary 7") == true)
        let replay = try run.replay(through: [QuickRun.witness], from: QuickRun.sources)
        #expect(OutputTranscript.difference(run.live, replay) == nil)
    }
}
