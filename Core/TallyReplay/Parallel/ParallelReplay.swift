package import Archive
internal import Reporting
package import Setup
internal import Synchronization
internal import System

/// Replays archives with several coordinators at once, each on a thread of its own.
///
/// They read and deal out whole runs themselves, taking turns. What the trackers say comes to the reporters in the
/// order of the input, as if one coordinator had replayed all of it, unless ``ReplayOptions/ordered`` is off.
@safe package final class ParallelReplay {
    /// What was read and made.
    package private(set) var summary = ReplaySummary()
    /// What could not be replayed, by the archives' places.
    package private(set) var failures: [(archive: Int, error: TelemetryError)] = []
    /// Archives without any player run.
    package private(set) var hollow: [Int] = []
    /// Bytes of outputs that had to wait in a file.
    package private(set) var spilledBytes = 0

    /// Blocks for each two coordinators, and how many of them each has before it where blocks are dealt ahead.
    ///
    /// In order, fewer would leave coordinators idle during a long run, and more let more outputs wait: the first touch
    /// of their memory costs.
    private static let orderedBlocks = (pool: 11, ahead: 4)
    private static let unorderedBlocks = (pool: 30, ahead: 6)

    /// As of ``Replay/unknownSubstitutes``.
    package var unknownSubstitutes: [String] { recorded.unknownSubstitutes }

    private let recorded: RecordedPlugins
    private let telemetry: Telemetry
    private let options: ReplayOptions
    private let control: ReplayControl?
    private let memory: Int

    /// Replays with ``ReplayOptions/jobs`` coordinators; `memory` is how many bytes of outputs wait in memory.
    ///
    /// Nothing more is read once the control says stop; it halts and paces nothing.
    package init(telemetry: Telemetry, options: ReplayOptions, control: ReplayControl? = nil, memory: Int? = nil) {
        self.telemetry = telemetry
        self.control = control
        self.options = options
        self.memory = memory ?? OutputMerge.limit
        recorded = RecordedPlugins(catalog: telemetry.catalog, substitutes: options.substitutes, log: telemetry.log)
    }

    /// Replays the archives, one after the other.
    ///
    /// `progress` is called on this thread, some times a second.
    package func replay(_ archives: [ReplayedArchive], progress: @escaping (ReplayProgress) -> Void = { _ in }) {
        let count = options.jobs
        let isMerging = options.ordered && options.makesConsumers == nil && !telemetry.consumers.isEmpty
        let merge = isMerging ? OutputMerge(lanes: count, consumers: telemetry.consumers, limit: memory) : nil
        // Before a checkpoint all have to come to a halt.
        let dealsAhead = options.checkpoint == nil
        let blocks = isMerging ? Self.orderedBlocks : Self.unorderedBlocks
        let pool = BlockPool(limit: (count + 1) / 2 * blocks.pool)
        let choices = RunChoices()
        let isStopped = Flag()
        var own = options
        if options.selects != nil { own.selects = { choices.has($0) } }
        let made = Condition<[Int: ReplayWorker]>([:])
        let begun = Condition<LineDealer?>(nil)
        // Each on its own thread, for what two of them write side by side in memory they slow down for each other.
        let threads = (0..<count).map { number in
            Thread(name: "tally-core-\(number + 1)", callingPlugins: true) { [telemetry, own, recorded] in
                let lane = merge?.lane(number)
                let worker = ReplayWorker(
                    lines: DealtLines(number: number, pool: pool, lane: lane),
                    lane: lane,
                    telemetry: telemetry,
                    options: own,
                    recorded: recorded,
                    isStopped: isStopped
                )
                made.change { $0[number] = worker }
                worker.run(begun.wait(until: nil) { $0 })
            }
        }
        let workers =
            made.wait(until: nil) { made in
                made.count == count ? (0..<count).compactMap { made[$0] } : nil
            } ?? []
        let feeds = workers.map(\.lines)
        let dealer = LineDealer(
            archives,
            resuming: options.resumed,
            pool: pool,
            feeds: feeds,
            deal: RunDeal(feeds, selects: options.selects, choices: choices),
            ahead: dealsAhead ? blocks.ahead : 0,
            // In order, coordinators that drift apart cost more than a plain file's blocks that change hands.
            mayDealAhead: { source in merge.map { source.hasReader && $0.hasMuchRoom } ?? true },
            isStopped: { [control] in isStopped.isSet || control?.stopReason != nil }
        )
        dealer.onBlock = checkpoints(pool, merge, workers, dealer)
        begun.change { $0 = dealer }
        let tell = { progress(workers.reduce(ReplayProgress()) { $0 + $1.progress }) }
        if let merge {
            merge.waitUntilEnded(every: 100, idle: tell)
        } else {
            while !workers.allSatisfy({ $0.waitUntilEnded(milliseconds: 100) }) { tell() }
        }
        for thread in threads { thread.join() }
        tell()
        spilledBytes = merge?.spilledBytes ?? 0
        let outcome = dealer.outcome
        summary = Self.sum(options.resumed, workers, outcome)
        failures = Self.once((workers.flatMap(\.failures) + outcome.failures).sorted { $0.archive < $1.archive })
        hollow = outcome.hollow
    }

    /// What is done between blocks: when it is time, all come to a halt and the state is handed out.
    private func checkpoints(
        _ pool: BlockPool,
        _ merge: OutputMerge?,
        _ workers: [ReplayWorker],
        _ dealer: LineDealer
    ) -> ((Int, Int) -> Void)? {
        guard let checkpoint = options.checkpoint else { return nil }
        return { [options, unowned dealer] archive, line in
            // Up to where an earlier process came nothing is new: its checkpoint is still the right one.
            guard checkpoint.isDue(), options.resumed?.isAhead(ofArchive: archive, line: line) != true else { return }
            pool.waitUntilPassed(but: 0)
            merge?.waitUntilDelivered(upTo: dealer.position)
            for worker in workers { worker.replay.endRestoration() }
            let summary = Self.sum(options.resumed, workers, dealer.outcome)
            var state = ReplayCheckpoint(archive: archive, line: line, summary: summary)
            for worker in workers { worker.replay.addRuns(to: &state) }
            checkpoint.write(state)
        }
    }

    /// Leaves out what a plugin was said to have done already: it does so with each archive that was dealt.
    private static func once(
        _ failures: [(archive: Int, error: TelemetryError)]
    ) -> [(archive: Int, error: TelemetryError)] {
        var told: Set<String> = []
        return failures.filter { failure in
            guard [.plugin, .configuration].contains(failure.error.kind) else { return true }
            return told.insert(failure.error.description).inserted
        }
    }

    private static func sum(
        _ resumed: ReplayCheckpoint?,
        _ workers: [ReplayWorker],
        _ outcome: LineDealer.Outcome
    ) -> ReplaySummary {
        var summary = resumed?.summary ?? ReplaySummary()
        var places = outcome.damage
        for worker in workers {
            summary.add(worker.replay.summary)
            places += zip(worker.replay.placePositions, worker.replay.summary.places).map { ($0, $1) }
        }
        summary.add(outcome)
        let sorted = places.enumerated().sorted { ($0.element.position, $0.offset) < ($1.element.position, $1.offset) }
        let room = ReplaySummary.placesKept - summary.places.count
        summary.places += sorted.prefix(room).map(\.element.text)
        return summary
    }
}

/// Something that any thread may set and none takes back.
final class Flag: Sendable {
    private let value = Atomic<Bool>(false)

    var isSet: Bool { value.load(ordering: .relaxed) }

    func set() { value.store(true, ordering: .relaxed) }
}

/// An archive that is to be replayed, opened when its turn comes.
package struct ReplayedArchive: Sendable {
    private let opening: @Sendable () throws(ArchiveSource.Failure) -> ArchiveSource

    /// An archive that the closure opens, on the thread that reads.
    package init(_ opening: @escaping @Sendable () throws(ArchiveSource.Failure) -> ArchiveSource) {
        self.opening = opening
    }

    func open() throws(ArchiveSource.Failure) -> ArchiveSource { try opening() }
}
