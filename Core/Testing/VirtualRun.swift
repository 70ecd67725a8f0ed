package import Coordinator
package import Tally

/// Makes player runs on a virtual clock, in one thread: the same steps give the same run.
package struct VirtualRun {
    /// The configured plugins.
    package var plugins: [PluginSelection]
    /// Where they come from.
    package var sources: [PluginSource]
    /// Wall clock at time 0, us since 1970.
    package var epoch: Int64 = 1_700_000_000_000_000
    /// The run's id.
    package var id = "virtualrun01"
    /// Rules that are switched off, to show that the tests find it.
    package var broken: BrokenRules = []
    /// The file of persistent values, nil for none.
    package var storeFile: String?
    /// How the run ends.
    package var end = DestroyMode.drain()

    package init(plugins: [PluginSelection], sources: [PluginSource]) {
        self.plugins = plugins
        self.sources = sources
    }

    /// Performs the steps of a sequence, with track calls that are overtaken by timers.
    ///
    /// The seed decides when the coordinator gets to work between the steps.
    package func record(_ sequence: ActionSequence, seed: UInt64) throws -> RecordedRun {
        let pace = VirtualPace(seed: seed)
        return try record(perturbation: pace.perturbation) { player, run, clock in
            pace.attach(run: run, clock: clock)
            for step in sequence.steps {
                clock.advance(to: clock.now() + step.wait)
                pace.maybePump()
                player.perform(step.action, on: run)
            }
            pace.detach()
        }
    }

    /// Performs the steps of a sequence, each handled at once.
    package func record(_ sequence: ActionSequence) throws -> RecordedRun {
        try record { player, run, clock in
            for step in sequence.steps {
                clock.advance(to: clock.now() + step.wait)
                run.pump()
                player.perform(step.action, on: run)
                run.pump()
            }
        }
    }

    /// Lets `body` drive a run, then ends it and gives what came out.
    package func record(
        perturbation: LivePerturbation? = nil,
        _ body: (SyntheticPlayer, PlayerRun, VirtualClock) throws -> Void
    ) throws -> RecordedRun {
        let memory = MemoryReporter()
        var options = Telemetry.Options()
        options.storeFile = storeFile
        let telemetry = try Telemetry(
            plugins: plugins,
            catalog: RecordedRun.catalog(sources),
            options: options,
            extraConsumers: [memory]
        )
        let player = SyntheticPlayer()
        let archive = RecordedRun.temporaryArchive()
        let clock = VirtualClock()
        let environment = RunEnvironment(
            description: RunDescription(id: id, epoch: epoch),
            clock: clock,
            pumped: true,
            perturbation: perturbation,
            broken: broken
        )
        let run = try PlayerRun(
            telemetry: telemetry,
            delegate: player,
            archive: archive,
            environment: environment
        )
        try body(player, run, clock)
        let report = run.destroy(end)
        telemetry.close()
        return RecordedRun(live: memory.contents, archive: archive, report: report)
    }
}
