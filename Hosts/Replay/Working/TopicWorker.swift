internal import HostSupport
internal import KafkaClient
internal import Setup
internal import System
internal import TextEncoding

/// A member of a consumer group that replays each run of its partitions once it is over.
///
/// In this order: the lines are read, the run's end comes, a replay delivers what the plugins make of it, and only then
/// the group's offsets are committed. Who is killed in between leaves the runs of one batch to be replayed again; their
/// outputs have the same ids.
final class TopicWorker {
    /// How long runs that are over wait for others, us.
    private static let patience: Int64 = 1_000_000
    /// How many runs are replayed at once, at most.
    private static let batch = 500

    private let group: KafkaGroup
    private let replay: BatchReplay
    private let folder: WorkerFolder
    private let log: LogPrinter
    /// How long nothing of a run may come, ms; nil for any time.
    private let idleLimit: Int64?
    private let untilEnd: Bool
    private let isStopped = Lock(false)
    private var partitions: [Int32: PartitionRuns] = [:]
    /// Whether the group has dealt out its partitions.
    private var isMember = false
    private var totals = BatchReplay.Totals()
    private var gone = PartitionRuns.Counts()
    private var uncommitted = 0
    private var failure: WorkerFailure?
    private var lastBatch = SystemTime.monotonic()

    /// Joins the group of a topic.
    init(
        _ topic: (address: KafkaAddress, group: String),
        _ arguments: CommandLineArguments,
        _ log: LogPrinter
    ) throws(WorkerFailure) {
        self.log = log
        folder = try WorkerFolder(arguments[WorkerOptions.state] ?? "")
        let options = WorkerOptions.passed(CommandLineSyntax.words, operand: arguments.operands[0])
        replay = BatchReplay(options: options, folder: folder)
        idleLimit = arguments[ReplaySyntax.runIdleLimit].map { Int64($0) * 1_000 }
        untilEnd = arguments[WorkerOptions.untilEnd]
        do throws(KafkaFailure) {
            group = try KafkaGroup(topic.address, group: topic.group, TopicPipe.properties(topic.address.file))
        } catch {
            throw WorkerFailure(reason: "\(arguments.operands[0]): \(error)", exitCode: .noInput)
        }
    }

    /// Works until a signal, the end of the partitions or a failure.
    func run(json: Bool, quiet: Bool) -> ExitCode {
        SignalWatch.start({ [isStopped] in isStopped.with { $0 = true } }, hangUp: nil)
        group.assigned = { [unowned self] in assign($0) }
        group.revoked = { [unowned self] in revoke($0, isLost: $1) }
        do throws(KafkaFailure) {
            while failure == nil, !isStopped.with({ $0 }), !isAllRead { try step() }
        } catch {
            failure = failure ?? WorkerFailure(reason: "the topic cannot be read: \(error)", exitCode: .noInput)
        }
        if failure == nil { deliver() }
        let open = partitions.values.reduce(0) { $0 + $1.open.count }
        for runs in partitions.values { leave(runs) }
        group.close()
        if let failure { log.show(.error, failure.reason) }
        let code = failure?.exitCode ?? totals.exitCode
        show(open: open, json: json, quiet: quiet, code)
        return code
    }

    private var isAllRead: Bool {
        untilEnd && isMember && partitions.values.allSatisfy { $0.isAtEnd && $0.ended.isEmpty && $0.position == nil }
    }

    /// Reads one message, and replays what is over when it is time.
    private func step() throws(KafkaFailure) {
        var problem: WorkerFailure?
        let event = try group.poll(milliseconds: 100) { message in
            do throws(WorkerFailure) {
                try partitions[message.partition]?.add(message, idleLimit: idleLimit)
            } catch {
                problem = error
            }
        }
        if let problem { failure = failure ?? problem }
        if case .end(let partition) = event { partitions[partition]?.isAtEnd = true }
        let waiting = partitions.values.reduce(0) { $0 + $1.ended.count }
        let isDue = SystemTime.monotonic() - lastBatch >= Self.patience
        let isEnd = untilEnd && isMember && partitions.values.allSatisfy(\.isAtEnd)
        if failure == nil, isDue || isEnd || waiting >= Self.batch { deliver() }
    }

    /// Replays the runs that are over and commits.
    private func deliver() {
        let ended = partitions.values.sorted { $0.partition < $1.partition }.flatMap(\.ended)
        let positions = partitions.values.compactMap(\.position)
        defer { lastBatch = SystemTime.monotonic() }
        guard !positions.isEmpty else { return }
        do throws(WorkerFailure) {
            for run in ended { try run.file.write() }
            if !ended.isEmpty { try replay.replay(ended.map(\.file.path), &totals) }
        } catch {
            failure = error
            return
        }
        var isCommitted = true
        do throws(KafkaFailure) {
            try group.commit(positions)
        } catch {
            isCommitted = false
            uncommitted += ended.count
            if !ended.isEmpty {
                let runs = ReadableNumber.counted(ended.count, "replayed run")
                log.show(.warning, "\(runs) could not be committed, which may repeat outputs: \(error)")
            }
        }
        for position in positions { partitions[position.partition]?.finish(position, isCommitted: isCommitted) }
    }

    // MARK: - The group

    private func assign(_ positions: [KafkaGroup.Position]) {
        isMember = true
        for position in positions { partitions[position.partition] = PartitionRuns(position, folder) }
    }

    private func revoke(_ numbers: [Int32], isLost: Bool) {
        if !isLost, failure == nil { deliver() }
        for number in numbers {
            if let runs = partitions.removeValue(forKey: number) { leave(runs) }
        }
        isMember = false
    }

    private func leave(_ runs: PartitionRuns) {
        gone.known += runs.counts.known
        gone.repeated += runs.counts.repeated
        gone.headless += runs.counts.headless
        gone.idle += runs.counts.idle
        runs.abandon()
    }

    // MARK: - The summary

    private func show(open: Int, json: Bool, quiet: Bool, _ code: ExitCode) {
        let own: [(name: String, text: String, count: Int)] = [
            ("left_open", "runs left open", open), ("known_runs", "replayed before", gone.known),
            ("uncommitted_runs", "replayed, not committed", uncommitted), ("idle_runs", "closed as idle", gone.idle),
            ("repeated", "lines that came again", gone.repeated), ("headless", "lines without a header", gone.headless),
        ]
        if json {
            var value: JSONObject = ["replays": .int(Int64(totals.replays)), "exit_code": .int(Int64(code.rawValue))]
            for member in BatchReplay.members { value[member] = .int(totals.sums[member] ?? 0) }
            for entry in own { value[entry.name] = .int(Int64(entry.count)) }
            try? StandardStream.error.write(PrintableText.json(.object(value)) + "\n")
        } else if !quiet {
            var rows = BatchReplay.members.map {
                [$0.replacing("_", with: " "), ReadableNumber.grouped(Int(totals.sums[$0] ?? 0))]
            }
            rows += own.filter { $0.count > 0 }.map { [$0.text, ReadableNumber.grouped($0.count)] }
            let head = "Replayed what was over in \(ReadableNumber.counted(totals.replays, "batch", "batches"))"
            let lines = TextTable.aligned(rows).map { "  " + $0 }
            try? StandardStream.error.write(([head] + lines).joined(separator: "\n") + "\n")
        }
    }
}
