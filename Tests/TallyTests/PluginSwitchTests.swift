import Tally
import TallyTesting
import Testing

/// Trackers are enabled unless configured otherwise, and are switched while a run goes on.
@Suite struct PluginSwitchTests {
    @Test("Enabling the enabled and disabling the disabled do nothing and say so")
    func noChange() throws {
        let run = try QuickRun.virtual().record { player, run, _ in
            player.perform(.load, on: run)
            #expect(run.enable(plugin: "witness") == .alreadyEnabled)
            run.pump()
            #expect(run.disable(plugin: "witness") == .requested)
            #expect(run.disable(plugin: "witness") == .alreadyDisabled)
            run.pump()
            #expect(run.enable(plugin: "nobody") == .unknown(known: ["witness"]))
        }
        #expect(run.live.events.filter { $0.contains("plugin_disabled") }.count == 1)
        #expect(!run.live.events.contains { $0.contains("plugin_enabled") })
    }

    @Test("A tracker that is configured as disabled says nothing until it is enabled")
    func disabledAtFirst() throws {
        var selection = QuickRun.witness
        selection.enabled = false
        let run = try QuickRun.virtual([selection]).record { player, run, clock in
            player.perform(.load, on: run)
            player.perform(.play, on: run)
            run.pump()
            clock.advance(to: 5_000_000)
            run.enable(plugin: "witness")
            run.pump()
            player.perform(.pause, on: run)
        }
        #expect(run.live.lines.allSatisfy { $0.time >= 5_000_000 })
        #expect(run.live.heard.contains("pause"))
        let replay = try run.replay(through: [selection], from: QuickRun.sources)
        #expect(OutputTranscript.difference(run.live, replay) == nil)
    }

    @Test("An error of a tracker reaches the delegate with plugin, message and details, and is a record")
    func trackerError() throws {
        let selection = PluginSelection("org.tally.fixture.errors-without-end", name: "faulty")
        let memory = MemoryReporter()
        let telemetry = try Telemetry(
            plugins: [selection],
            catalog: RecordedRun.catalog(QuickRun.sources),
            options: .init(),
            extraConsumers: [memory]
        )
        let player = SyntheticPlayer()
        let run = try telemetry.startRun(delegate: player)
        player.perform(.load, on: run)
        for _ in 0..<30 {
            player.perform(.sample, on: run)
        }
        player.perform(.unload, on: run)
        #expect(player.waitForUnloaded(1))
        run.destroy()
        #expect(player.reports.errors.count == 1)
        #expect(player.reports.errors.first?.plugin == "faulty")
        #expect(player.reports.errors.first?.message.contains("20 errors in a row") == true)
        #expect(memory.contents.lines.filter { $0.kind == "tracker_error" }.count == 1)
        telemetry.close()
    }
}
