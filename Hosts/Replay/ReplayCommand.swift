internal import HostSupport
internal import KafkaClient
internal import Setup
internal import System
internal import Tally

/// The program: from its command line to its exit code.
struct ReplayCommand {
    private let arguments: CommandLineArguments
    private let log: LogPrinter
    private let progressLine = SharedProgressLine()

    init() {
        arguments = ReplaySyntax.syntax.argumentsOrEnd(version: TallyVersion.core)
        log = LogPrinter(program: ReplaySyntax.syntax.program, arguments: arguments, above: progressLine)
        SignalWatch.block()
    }

    /// Does what was asked.
    func run() -> ExitCode {
        do throws(UsageError) {
            let request = try ReplayRequest(arguments)
            if let topic = try WorkerOptions.topic(arguments), !request.listsPlugins, !request.explains {
                return Thread.perform(name: "tally-worker") { work(topic, request) }
            }
            // Not on this thread, which must not be left in a plugin.
            return Thread.perform(name: "tally-core") { run(request) }
        } catch {
            ReplaySyntax.syntax.end(with: error)
        }
    }

    /// Shares a topic with the other members of a group.
    private func work(_ topic: (address: KafkaAddress, group: String), _ request: ReplayRequest) -> ExitCode {
        do throws(HostError) {
            // Before it has a share of the topic: what it reads and cannot replay nobody else gets meanwhile.
            let setup = try setup(request)
            guard !setup.configuration.plugins.isEmpty || request.asRecorded else {
                log.show(
                    .error,
                    "no plugins are chosen: a worker without any would have the topic's runs count as replayed; choose some "
                        + "with --plugins"
                )
                return .usage
            }
            for (instance, unless) in setup.emptyingReporters {
                log.show(
                    .error,
                    "\(instance) would empty its file at the begin of each replay of the worker, of which there are many: set "
                        + unless.map { "plugins.\(instance).config.\($0)" }.joined(separator: " or ")
                )
                return .badConfiguration
            }
            if let problem = try setup.rehearseApart(log) { return problem }
        } catch {
            return log.report(error)
        }
        do throws(WorkerFailure) {
            return try TopicWorker(topic, arguments, log).run(json: request.json, quiet: request.quiet)
        } catch {
            log.show(.error, error.reason)
            return error.exitCode
        }
    }

    private func setup(_ request: ReplayRequest) throws(HostError) -> HostSetup {
        try HostSetup(
            arguments,
            section: .replay,
            settings: ReplaySyntax.settings,
            searches: request.listsPlugins || request.asRecorded || request.baseline != nil
                || request.controlPath != nil,
            admission: .ofHost(ReplaySyntax.syntax.program) { log.show(.warning, $0) }
        )
    }

    private func run(_ request: ReplayRequest) -> ExitCode {
        do throws(HostError) {
            let setup = try setup(request)
            if request.explains {
                if let problem = try setup.rehearseApart(log) { return problem }
                let explanation = EffectiveConfiguration(
                    setup,
                    options: arguments.explained,
                    canEnable: request.controlPath != nil
                )
                let text = request.json ? explanation.json : explanation.text(on: StandardStream.output.terminal)
                ReplaySyntax.syntax.end(showing: text)
            }
            if request.listsPlugins {
                let listing = setup.listing
                let text = request.json ? listing.json : listing.text(on: StandardStream.output.terminal)
                ReplaySyntax.syntax.end(showing: text)
            }
            return try replay(request, setup)
        } catch {
            return log.report(error)
        }
    }

    private func replay(_ request: ReplayRequest, _ setup: HostSetup) throws(HostError) -> ExitCode {
        guard let named = try ShardOptions.archives(arguments, log) else { return .noInput }
        let archives = ArchiveParts.joined(named, again: arguments[ReplaySyntax.keepRepeated], log)
        guard request.idleLimit == nil || named.count == 1 else {
            log.show(
                .error,
                "--follow takes one archive, and \(named.count) are named: name the one that is written"
            )
            return .usage
        }
        if arguments[ReplaySyntax.runIdleLimit] != nil, request.idleLimit == nil,
            named.allSatisfy({ $0.paths.allSatisfy(ArchiveParts.isFile) && !$0.paths.isEmpty })
        {
            log.show(.warning, "--run-idle-limit closes no run: only files are replayed, and without --follow")
        }
        let ioThreads = arguments[BatchOptions.ioThreads]
        let waiting: ReplayStop.Waiting =
            ioThreads == 0 ? .alone : arguments[BatchOptions.jobs] > 1 ? .reading : .controlled
        let stop = ReplayStop(isPaused: request.startsPaused, waiting: waiting)
        stop.watchSignals(rereading: setup.hasFile && waiting == .controlled)
        let selection = RunSelection(request.criteria)
        do throws(InputFile.Failure) {
            try selection.prepare(archives, log)
        } catch {
            log.show(.error, error.message)
            return error.exitCode
        }
        try checkOutputs(request, setup, archives)
        for (recorded, plugin) in arguments[ReplaySyntax.substitute] {
            try setup.check(plugin: plugin, of: "--substitute \(recorded)=\(plugin)")
        }
        var summaryFile: SummaryFile?
        if let path = request.summaryPath { summaryFile = try SummaryFile(path) }
        var baseline: Baseline?
        if let wanted = request.baseline {
            if let problem = Baseline.problem(with: wanted.path) {
                log.show(.error, problem)
                return .noInput
            }
            baseline = try Baseline(wanted.path, wanted.comparison)
        }
        for warning in setup.warnings { log.show(.warning, warning) }
        var resumption: Resumption?
        if let path = arguments[BatchOptions.checkpoint] {
            resumption = try Resumption(path, arguments, archives, setup)
            selection.restore(resumption?.last?.takenRuns ?? [])
        }
        var options = Telemetry.Options()
        options.mode = .replay
        let outputs = setup.reporterSelections.map(\.name) + (baseline.map { [$0.reporter.name] } ?? [])
        options.log = { [log] line in
            log.write(line)
            // As behind `| head`: what is read further would go nowhere, unless another reporter has a use for it.
            guard outputs.contains(line.instance), StandardStream.output.isAbandoned else { return }
            if outputs.allSatisfy({ log.errors(of: $0) > 0 }) {
                stop.control.stop("nobody reads standard output any more")
            }
        }
        options.reportersShareThread = ioThreads == 0
        options.reporterMarks = resumption?.last?.marks ?? [:]
        let tap = OutputTap()
        let telemetry = try setup.telemetry(
            options,
            // Each output costs time, also when nobody looks on.
            tap: request.controlPath == nil ? nil : tap,
            adding: baseline.map { [$0.reporter] } ?? [],
            withoutTrackers: request.asRecorded
        )
        warnOfMissing(setup, request)

        var replayOptions = request.options(setup.settings)
        if !request.criteria.isEmpty { replayOptions.selects = { selection.has($0) } }
        if arguments[BatchOptions.cutSessions] {
            log.show(
                .info,
                "sessions are replayed by themselves: ids, counters and what a tracker carries on may differ from the "
                    + "whole run's"
            )
            replayOptions.cuts = { selection.has($0, session: $1) }
        }
        if let resumption {
            try resumption.begin(telemetry, selection, every: arguments[BatchOptions.checkpointEvery])
            replayOptions.checkpoint = resumption.keeper
            replayOptions.resumed = resumption.last?.replay
        }
        let inputs = ArchiveInputs(
            archives,
            readsAhead: ioThreads == 2 && replayOptions.jobs == 1,
            // A checkpoint counts the lines of whole archives.
            excerpt: { resumption == nil ? selection.excerpt(of: $0) : nil }
        )
        replayOptions.locates = { inputs.locate($0, $1) }
        let progress = ReplayProgressBar(
            inputs,
            on: progressLine,
            log: log,
            isQuiet: request.quiet || request.json,
            every: arguments[BatchOptions.progress]
        )
        replayOptions.onProgress = {
            progress.show($0)
            stop.poll()
        }
        var work = ReplayWork(
            replay: Replay(telemetry: telemetry, options: replayOptions, control: stop.control),
            telemetry: telemetry,
            options: replayOptions,
            inputs: inputs,
            stop: stop,
            idleLimit: request.idleLimit,
            log: log
        )
        // Commands need threads, and one coordinator.
        let plane =
            waiting != .controlled
            ? nil
            : ControlPlane(
                run: work.replay.acceptChanges(stop.control, keepingLines: request.controlPath != nil),
                telemetry: telemetry,
                setup: setup,
                tap: tap,
                host: ReplayHost(work.replay, stop.control, answerLimit: telemetry.options.answerLimit),
                log: log
            )
        do throws(HostError) {
            if let path = request.controlPath { try plane?.listen(path) }
        } catch {
            plane?.endCommands()
            telemetry.close(limit: 1_000)
            throw error
        }
        // Weakly: what the stop holds is held by the replay that the commands are for.
        if let plane { stop.hangUp { [weak plane] in plane?.reload() } }
        let started = SystemTime.monotonic()
        stop.control.onThisThread { work.replay(setup) { progress.show($0) } }
        progressLine.clear()
        stop.control.close()
        plane?.endCommands()
        plane?.endClients()
        if let reason = stop.control.stopReason { log.show(.info, "ended early: \(reason)") }
        if let problem = resumption?.problem { log.show(.warning, "a checkpoint could not be noted: \(problem)") }
        let reporters = ReporterOutcome.closing(telemetry, patience: request.patience, log: log)
        var report = ReplayReport(
            archives: named.count,
            hasPlugins: !setup.configuration.plugins.isEmpty || request.asRecorded,
            summary: work.summary,
            damagedLimit: replayOptions.damagedLimit ?? 0,
            failures: work.failures,
            reporters: reporters,
            elapsed: SystemTime.monotonic() - started,
            absent: telemetry.absentPlugins,
            stopReason: stop.control.stopReason,
            isInterrupted: stop.isBySignal && request.idleLimit == nil
        )
        if let baseline, report.exitCode == .success { report.comparison = baseline.compare(log: log) }
        report.show(on: log, quiet: request.quiet, json: request.json)
        try summaryFile?.write(report.json)
        if stop.control.stopReason == nil {
            resumption?.finish(areReportersComplete: reporters.allSatisfy(\.hasTakenAll))
        }
        if let note = resumption?.note { log.show(.warning, note) }
        return report.exitCode
    }

    /// Makes sure that nothing is written over what is read.
    private func checkOutputs(
        _ request: ReplayRequest,
        _ setup: HostSetup,
        _ archives: [ArchiveOperand]
    ) throws(HostError) {
        var files = ArchiveOperand.files(archives)
        if let baseline = request.baseline { files.add(baseline.path, as: "the baseline") }
        if let path = arguments[HostSettings.config] { files.add(path, as: "the configuration file") }
        for path in arguments[ComparisonOptions.rules] { files.add(path, as: "the rules of the comparison") }
        let own = [
            (arguments[BatchOptions.checkpoint], "the file of --checkpoint"),
            (request.summaryPath, "the file of --summary"),
            (request.baseline?.comparison.junit, "the file of --junit"),
        ]
        for case (let path?, let what) in own { try files.add(written: path, as: what) }
        try files.check(setup.reporterSelections)
    }

    private func warnOfMissing(_ setup: HostSetup, _ request: ReplayRequest) {
        if setup.configuration.plugins.isEmpty, !request.asRecorded {
            log.show(.info, "no plugins are chosen: the archives are only checked. Choose some with --plugins.")
        } else if !setup.hasReporter, request.baseline == nil {
            log.show(.info, "\(HostSetup.noReporter).")
        }
    }
}
