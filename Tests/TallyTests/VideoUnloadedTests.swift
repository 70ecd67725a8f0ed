import Tally
import TallyTesting
import Testing

/// `videoUnloaded` comes once a session, when its outputs are delivered (Adobe VHL 1.4, `onVideoUnloaded`).
@Suite struct VideoUnloadedTests {
    @Test("It comes once a session, after the outputs were delivered")
    func onceASession() throws {
        let (player, run, telemetry) = try make()
        for _ in 0..<3 {
            player.perform(.load, on: run)
            player.perform(.play, on: run)
            player.perform(.unload, on: run)
        }
        #expect(player.waitForUnloaded(3))
        run.destroy()
        let reports = player.reports.unloaded
        #expect(reports.map(\.session) == [1, 2, 3])
        #expect(reports.allSatisfy { $0.delivered == 1 && !$0.timedOut })
        telemetry.close()
    }

    @Test("It comes once with several trackers, not once a tracker")
    func severalTrackers() throws {
        let second = PluginSelection(
            "org.tally.fixture.witness",
            name: "second",
            configuration: ["timers": 0, "seed": 1]
        )
        let (player, run, telemetry) = try make([QuickRun.witness, second])
        player.perform(.load, on: run)
        player.perform(.unload, on: run)
        #expect(player.waitForUnloaded(1))
        run.destroy()
        #expect(player.reports.unloaded.count == 1)
        telemetry.close()
    }

    @Test("Without trackers it comes at once")
    func withoutTrackers() throws {
        let (player, run, telemetry) = try make([])
        player.perform(.load, on: run)
        player.perform(.unload, on: run)
        #expect(player.waitForUnloaded(1))
        run.destroy()
        telemetry.close()
    }

    @Test("In quiet mode it comes at once and nothing is handed to reporters")
    func quietMode() throws {
        var options = Telemetry.Options()
        options.quiet = true
        let memory = MemoryReporter()
        let telemetry = try Telemetry(
            plugins: [QuickRun.witness],
            catalog: RecordedRun.catalog(QuickRun.sources),
            options: options,
            extraConsumers: [memory]
        )
        let player = SyntheticPlayer()
        let run = try telemetry.startRun(delegate: player)
        player.perform(.load, on: run)
        player.perform(.unload, on: run)
        #expect(player.waitForUnloaded(1))
        run.destroy()
        #expect(memory.contents == OutputTranscript())
        telemetry.close()
    }

    @Test("A session that a load ends implicitly has its call-back too")
    func implicitUnload() throws {
        let (player, run, telemetry) = try make()
        player.perform(.load, on: run)
        player.perform(.load, on: run)
        #expect(player.waitForUnloaded(1))
        player.perform(.unload, on: run)
        #expect(player.waitForUnloaded(2))
        run.destroy()
        telemetry.close()
    }

    private func make(
        _ plugins: [PluginSelection] = [QuickRun.witness]
    ) throws -> (SyntheticPlayer, PlayerRun, Telemetry) {
        let telemetry = try Telemetry(
            plugins: plugins,
            catalog: RecordedRun.catalog(QuickRun.sources),
            options: .init(),
            extraConsumers: [MemoryReporter()]
        )
        let player = SyntheticPlayer()
        return (player, try telemetry.startRun(delegate: player), telemetry)
    }
}
