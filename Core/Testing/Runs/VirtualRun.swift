public import Tally
internal import TextEncoding

/// Makes player runs on a virtual clock, in one thread: the same steps give the same run.
public struct VirtualRun {
    /// The configured plugins.
    public var plugins: [PluginSelection]
    /// Where they come from.
    public var sources: [PluginSource]
    /// Wall clock at time 0, us since 1970.
    public var epoch: Int64 = 1_700_000_000_000_000
    /// The run's id.
    public var id = "virtualrun01"
    /// The file of persistent values, nil for none.
    public var storeFile: String?
    /// How long no line may come, us, until an open session is ended.
    ///
    /// As long as can be: without a thread nobody writes marks, and a day may pass between two steps.
    public var longestSilence: Int64 = 31 * 86_400 * 1_000_000
    /// Takes log lines.
    public var log: (@Sendable (LogLine) -> Void)?
    /// How the run ends.
    public var end = DestroyMode.drain()

    /// Prepares runs through plugins from sources.
    public init(plugins: [PluginSelection], sources: [PluginSource]) {
        self.plugins = plugins
        self.sources = sources
    }

    /// Performs the steps of a sequence, with track calls that are overtaken by timers.
    ///
    /// The seed decides when the coordinator gets to work between the steps.
    public func record(_ sequence: ActionSequence, seed: UInt64) throws -> RecordedRun {
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
    public func record(_ sequence: ActionSequence) throws -> RecordedRun {
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
    ///
    /// The clock stands still until `body` sets it; after that, and after each action, `PlayerRun.pump()` lets the
    /// coordinator handle what is due.
    public func record(_ body: (SyntheticPlayer, PlayerRun, VirtualClock) throws -> Void) throws -> RecordedRun {
        try record(perturbation: nil, body)
    }

    private func record(
        perturbation: LivePerturbation?,
        _ body: (SyntheticPlayer, PlayerRun, VirtualClock) throws -> Void
    ) throws -> RecordedRun {
        let memory = MemoryReporter()
        var options = Telemetry.Options()
        options.storeFile = storeFile
        options.log = log
        options.longestSilence = longestSilence
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
            perturbation: perturbation
        )
        let run = try PlayerRun(telemetry: telemetry, delegate: player, archive: archive, environment: environment)
        try body(player, run, clock)
        let report = run.destroy(end)
        telemetry.close()
        return RecordedRun(live: memory.contents, archive: archive, report: report)
    }
}

extension SyntheticPlayer {
    /// Lets the machine sleep, and playback stand still with it.
    public func sleep(microseconds: Int64, _ clock: VirtualClock) {
        update(to: clock.now())
        clock.sleep(microseconds: microseconds)
        change { $0.updated = clock.now() }
    }
}

/// Decides by a seed when the coordinator of a virtual run gets to work, also in the midst of a track call.
final class VirtualPace: @unchecked Sendable {
    private var random: SplitMix64
    private weak var run: PlayerRun?
    private var clock: VirtualClock?

    init(seed: UInt64) { random = SplitMix64(seed: seed ^ 0x5EED) }

    /// Lets time pass and timers fire between a track call's time and its place in the queue.
    var perturbation: LivePerturbation {
        LivePerturbation(
            beforeEnqueue: { [weak self] in
                self?.overtake()
            },
            beforeTimers: {}
        )
    }

    func attach(run: PlayerRun, clock: VirtualClock) {
        self.run = run
        self.clock = clock
    }

    func detach() { run = nil }

    /// Sometimes handles what is due, sometimes lets it gather.
    func maybePump() {
        if random.next() % 3 != 0 {
            run?.pump()
        }
    }

    private func overtake() {
        guard let run, let clock, random.next() % 4 == 0 else { return }
        clock.advance(to: clock.now() + Int64(random.next() % 40_000))
        run.pump()
    }
}
