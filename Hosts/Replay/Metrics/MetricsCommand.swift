internal import Archive
internal import HostSupport
internal import Metrics
internal import System
internal import Tally
internal import TallyReplay
internal import TextEncoding

/// The command `tally-replay metrics`, from the command line to the exit code.
struct MetricsCommand {
    /// How many damaged places are told.
    private static let placesShown = 10

    private let arguments: CommandLineArguments
    private let log: LogPrinter

    /// Does what the command line asks for.
    static func run(_ arguments: CommandLineArguments, _ log: LogPrinter) throws(UsageError) -> ExitCode {
        let isMerging = !arguments[MetricsSyntax.merge].isEmpty
        let hasArchives =
            !arguments.operands.isEmpty || arguments.isGiven(InputOptions.filesFrom)
            || arguments.isGiven(ShardOptions.manifest)
        if !isMerging || hasArchives { try ShardOptions.check(arguments) }
        let merged = arguments[MetricsSyntax.merge].first ?? ""
        if arguments[MetricsSyntax.sessions], isMerging {
            throw .badValue(option: "--merge", value: merged, expected: "no --sessions with it: it holds sums alone")
        }
        if isMerging, arguments.isGiven(MetricsSyntax.by), !hasArchives {
            throw .badValue(
                option: "--by",
                value: arguments[MetricsSyntax.by].first ?? "",
                expected: "archives with it: files of --merge are grouped already"
            )
        }
        let command = MetricsCommand(arguments: arguments, log: log)
        do throws(HostError) {
            return try command.run(hasArchives: hasArchives)
        } catch {
            return log.report(error)
        }
    }

    private func run(hasArchives: Bool) throws(HostError) -> ExitCode {
        var archives: [ArchiveOperand] = []
        if hasArchives {
            guard let named = try ShardOptions.archives(arguments, log) else { return .noInput }
            archives = ArchiveParts.joined(named, again: false, log)
        }
        var files = ArchiveOperand.files(archives)
        for path in arguments[MetricsSyntax.merge] { files.add(path, as: "one of the files of --merge") }
        let shardPath = arguments[MetricsSyntax.shardOut]
        if let shardPath { try files.check(shardPath) }
        var sets: [MetricSet] = []
        for path in arguments[MetricsSyntax.merge] {
            if let problem = read(path, into: &sets) { return problem }
        }
        let shard = try shardPath.map { path throws(HostError) in try SummaryFile(path, isPersonal: true) }
        var outcome = ExitCode.success
        if hasArchives {
            let selection = RunSelection(RunCriteria(arguments))
            do throws(InputFile.Failure) {
                try selection.prepare(archives, log)
            } catch {
                log.show(.error, error.message)
                return error.exitCode
            }
            outcome = try measure(archives, selection, into: &sets)
        }
        let set: MetricSet
        do throws(MetricSetError) {
            set = try MetricSet(merging: sets)
        } catch {
            log.show(.error, "what is to be merged does not fit together: \(error)")
            return .badData
        }
        try shard?.write(set.encode())
        try show(set)
        return outcome
    }

    /// Reads a file of --merge; the exit code when that is not possible.
    private func read(_ path: String, into sets: inout [MetricSet]) -> ExitCode? {
        do {
            // A file without an end, such as a device, is none that --shard-out wrote.
            sets.append(try MetricSet(decoding: WholeFile.read(PathName.bytes(path), limit: 1 << 32)))
            return nil
        } catch let error as SystemFailure {
            log.show(.error, "\(path): cannot read the file of --merge: \(SystemError.text(error.number))")
            return .noInput
        } catch {
            log.show(.error, "\(path): \(error)")
            if case .newer? = error as? MetricSetError { return .newerVersion }
            return .badData
        }
    }

    // MARK: - Archives

    /// Measures all sessions of the archives, each coordinator into a set of its own, and tells what went wrong.
    private func measure(
        _ archives: [ArchiveOperand],
        _ selection: RunSelection,
        into sets: inout [MetricSet]
    ) throws(HostError) -> ExitCode {
        let empty = MetricSet(adding: arguments[MetricsSyntax.by])
        let listing = arguments[MetricsSyntax.sessions] ? SessionListing(empty, csv: arguments[MetricsSyntax.csv]) : nil
        let parts = Lock<[MeasuredSessions]>([])
        var options = ReplayOptions()
        options.endsOpenRuns = !arguments[ReplaySyntax.leaveOpen]
        options.reorderWindow = arguments[ReplaySyntax.reorder]
        options.leavesOutRepeated = true
        options.jobs = arguments[BatchOptions.jobs]
        options.selects = { selection.has($0) }
        options.makesConsumers = {
            let part = MeasuredSessions(empty, listing)
            parts.with { $0.append(part) }
            return [part]
        }
        let inputs = ArchiveInputs(archives, readsAhead: false) { selection.excerpt(of: $0) }
        options.locates = { inputs.locate($0, $1) }
        var settings = Telemetry.Options()
        settings.mode = .replay
        settings.log = { [log] in log.write($0) }
        let telemetry: Telemetry
        do throws(TelemetryError) {
            telemetry = try Telemetry(options: settings)
        } catch {
            throw .telemetry(error, at: nil)
        }
        let replay = ParallelReplay(telemetry: telemetry, options: options)
        replay.replay(
            archives.indices.map { index in
                ReplayedArchive { () throws(ArchiveSource.Failure) in try inputs.source(index) { _ in true } }
            }
        )
        telemetry.close()
        sets += parts.with { $0 }.map { $0.finish() }
        try listing?.finish()
        return outcome(replay, inputs)
    }

    /// Tells what went wrong, and how the program ends.
    private func outcome(_ replay: ParallelReplay, _ inputs: ArchiveInputs) -> ExitCode {
        var codes: [ExitCode] = []
        for failure in replay.failures {
            log.show(.error, failure.error.description)
            codes.append(failure.error.exitCode)
        }
        for (index, archive) in inputs.archives.enumerated() {
            if let damage = inputs.damage(index) {
                log.show(.error, damage)
                codes.append(.badData)
            }
            if replay.hollow.contains(index), inputs.isWhole(index) {
                log.show(.error, "\(archive.name): this is no archive: it holds no player run")
                codes.append(.badData)
            }
        }
        let summary = replay.summary
        if summary.damaged > 0 {
            log.show(.warning, "damaged places in the archives: \(ReadableNumber.grouped(summary.damaged))")
            for place in summary.places.prefix(Self.placesShown) { log.show(.warning, place) }
            codes.append(.badData)
        }
        return [ExitCode.newerVersion, .noInput].first { codes.contains($0) } ?? codes.first ?? .success
    }

    // MARK: - Output

    private func show(_ set: MetricSet) throws(HostError) {
        for name in arguments[MetricsSyntax.by] where set.hasNone(of: name) {
            log.show(.warning, "--by \(name): no session has that attribute")
        }
        if arguments[MetricsSyntax.sessions] { return }
        let limit = arguments[MetricsSyntax.groups]
        let text: String
        if arguments[MetricsSyntax.json] {
            let buffer = ByteBuffer(capacity: 65_536)
            var writer = JSONWriter(buffer)
            set.write(to: &writer, limit: limit)
            text = PrintableText.json(text: buffer.string) + "\n"
        } else if arguments[MetricsSyntax.csv] {
            text = PrintableText.escaped(lines: MetricColumns.table(of: set, limit: limit))
        } else {
            let rows = MetricColumns.figures(of: set).map { [$0.name, $0.value] }
            text = TextTable.aligned(rows).map { $0 + "\n" }.joined()
            if arguments.isGiven(MetricsSyntax.by) {
                log.show(.info, "these are the figures of all sessions; --csv and --json have those of each group")
            }
        }
        try HostError.writing { () throws(StandardStream.Failure) in try StandardStream.output.write(text) }
    }
}
