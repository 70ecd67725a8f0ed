internal import Glibc
public import Tally
internal import TextEncoding

/// Makes player runs on the real clock, with several threads that make track calls and delays in awkward places.
public struct RealTimeRun {
    /// The configured plugins.
    public var plugins: [PluginSelection]
    /// Where they come from.
    public var sources: [PluginSource]
    /// How many threads make track calls.
    public var producers = 4

    /// Prepares runs through plugins from sources.
    public init(plugins: [PluginSelection], sources: [PluginSource]) {
        self.plugins = plugins
        self.sources = sources
    }

    /// Performs the steps of as many sequences as there are producers, all at once.
    public func record(_ sequences: [ActionSequence], seed: UInt64) throws -> RecordedRun {
        let delays = SeededDelays(seed: seed)
        let memory = MemoryReporter(beforeAnswer: { delays.pause(upTo: 3_000) })
        let telemetry = try Telemetry(
            plugins: plugins,
            catalog: RecordedRun.catalog(sources),
            options: Telemetry.Options(),
            extraConsumers: [memory]
        )
        let player = SyntheticPlayer()
        let archive = RecordedRun.temporaryArchive()
        let perturbation = LivePerturbation(
            beforeEnqueue: { delays.pause(upTo: 4_000) },
            beforeTimers: { delays.pause(upTo: 4_000) }
        )
        let run = try PlayerRun(
            telemetry: telemetry,
            delegate: player,
            archive: archive,
            environment: .live(perturbation: perturbation)
        )
        let threads = sequences.enumerated().map { index, sequence in
            Thread(name: "producer-\(index)") {
                for step in sequence.steps {
                    SeededDelays.sleep(step.wait)
                    player.perform(step.action, on: run)
                }
            }
        }
        for thread in threads {
            thread.join()
        }
        let report = run.destroy()
        telemetry.close()
        return RecordedRun(live: memory.contents, archive: archive, report: report)
    }
}

/// Pauses of random length from a seed, for every thread that asks.
private final class SeededDelays: Sendable {
    private let random: Lock<SplitMix64>

    init(seed: UInt64) { random = Lock(SplitMix64(seed: seed)) }

    /// Pauses one time in three, at most so many us.
    func pause(upTo longest: UInt64) {
        let pause = random.with { random in
            random.next() % 3 == 0 ? Int64(random.next() % longest) : 0
        }
        Self.sleep(pause)
    }

    static func sleep(_ microseconds: Int64) {
        guard microseconds > 0 else { return }
        var time = timespec(tv_sec: Int(microseconds / 1_000_000), tv_nsec: Int(microseconds % 1_000_000) * 1_000)
        unsafe nanosleep(&time, nil)
    }
}
