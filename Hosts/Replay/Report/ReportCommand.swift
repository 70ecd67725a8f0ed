internal import HostSupport
internal import System
internal import Tally
internal import TextEncoding
internal import Viewing

/// The command `tally-replay report`, from the command line to the exit code.
struct ReportCommand {
    /// How a replay may end whose report has what could be read; the first in this order is told of two.
    private static let leavesOthers: [ExitCode] = [.newerVersion, .noInput, .badData, .success]

    private let arguments: CommandLineArguments
    private let log: LogPrinter

    /// Does what the command line asks for.
    static func run(_ arguments: CommandLineArguments) throws(UsageError) -> ExitCode {
        SignalWatch.block()
        let log = LogPrinter(program: ReplaySyntax.syntax.program, arguments: arguments)
        try InputOptions.check(arguments)
        let isText = arguments[ReportSyntax.json] || arguments[ReportSyntax.csv]
        guard arguments.isGiven(ReportSyntax.output) || isText else { throw .missingArgument("--output FILE") }
        let command = ReportCommand(arguments: arguments, log: log)
        // Not on this thread, which must not be left in a plugin.
        return Thread.perform(name: "tally-core") { command.run() }
    }

    private func run() -> ExitCode {
        do throws(HostError) {
            let setup = try hostSetup()
            for warning in setup.warnings { log.show(.warning, warning) }
            guard let named = ArchiveOperand.expand(arguments, log) else { return .noInput }
            let before = arguments[ReportSyntax.compare].flatMap(ArchiveNames.matches)
            guard let earlier = ArchiveOperand.expand(before, depth: arguments[InputOptions.depth], log) else {
                return .noInput
            }
            let output = ReportOutput(arguments)
            try output.check(reading: named + earlier)
            var outcome = ExitCode.success
            var sets: [ReportedSet] = []
            for archives in [named, earlier] where !archives.isEmpty {
                var set = ReportedSet(archives, collector())
                let code = try replay(&set, setup)
                guard Self.leavesOthers.contains(code) else {
                    if code != .interrupted { log.show(.error, "no report is written") }
                    return code
                }
                // What is there may be a good one, and nothing is to be shown in its place.
                guard code == .success || set.hasSessions else {
                    log.show(.error, "no report is written: nothing could be read")
                    return code
                }
                outcome = Self.leavesOthers.first { [code, outcome].contains($0) } ?? code
                sets.append(set)
            }
            try output.write(sets)
            return outcome
        } catch {
            return log.report(error)
        }
    }

    /// The setup with the plugins that are named, or with all where the recorded runs say which are needed: loading all
    /// takes a tenth of a second.
    private func hostSetup() throws(HostError) -> HostSetup {
        let admission = PluginAdmission.ofHost(ReplaySyntax.syntax.program) { log.show(.warning, $0) }
        let named = try HostSetup(arguments, section: .replay, admission: admission)
        if arguments[ReportSyntax.playerOnly] || named.hasTracker { return named }
        return try HostSetup(arguments, section: .replay, searches: true, admission: admission)
    }

    private func collector() -> ReportCollector {
        ReportCollector(
            pages: arguments[ReportSyntax.json] || arguments[ReportSyntax.csv] ? 0 : arguments[ReportSyntax.pages],
            personal: arguments[ReportSyntax.personal],
            grouping: arguments[ReportSyntax.by]
        )
    }

    /// Replays a set of archives through the trackers to its collector.
    private func replay(_ set: inout ReportedSet, _ setup: HostSetup) throws(HostError) -> ExitCode {
        let archives = ArchiveParts.joined(set.archives, again: false, log)
        let selection = RunSelection(RunCriteria(arguments))
        do throws(InputFile.Failure) {
            try selection.prepare(archives, log)
        } catch {
            log.show(.error, error.message)
            return error.exitCode
        }
        var telemetryOptions = Telemetry.Options()
        telemetryOptions.mode = .replay
        telemetryOptions.log = { [log] in log.write($0) }
        let asRecorded = !setup.hasTracker && !arguments[ReportSyntax.playerOnly]
        guard asRecorded || arguments[ReportSyntax.substitute].isEmpty else {
            log.show(
                .error,
                "--substitute stands for trackers of the recorded runs, and the configuration names trackers to run instead; "
                    + "leave one of them out"
            )
            return .usage
        }
        let name = ReportCollector.reporterName
        let telemetry = try setup.telemetry(
            telemetryOptions,
            trackersTo: set.collector,
            as: name,
            withoutTrackers: arguments[ReportSyntax.playerOnly]
        )
        var options = ReplayOptions()
        options.asRecorded = asRecorded
        for (recorded, plugin) in arguments[ReportSyntax.substitute] {
            try setup.check(plugin: plugin, of: "--substitute \(recorded)=\(plugin)")
            options.substitutes[recorded] = plugin
        }
        options.reorderWindow = 64
        options.leavesOutRepeated = true
        options.endsOpenRuns = !arguments[ReplaySyntax.leaveOpen]
        options.jobs = arguments[BatchOptions.jobs]
        options.selects = { selection.has($0) }
        let inputs = ArchiveInputs(archives, readsAhead: options.jobs == 1) { selection.excerpt(of: $0) }
        options.locates = { inputs.locate($0, $1) }
        let stop = ReplayStop(isPaused: false, waiting: .reading)
        stop.watchSignals(rereading: false)
        var work = ReplayWork(
            replay: Replay(telemetry: telemetry, options: options, control: stop.control),
            telemetry: telemetry,
            options: options,
            inputs: inputs,
            stop: stop,
            idleLimit: nil,
            log: log
        )
        let started = SystemTime.monotonic()
        stop.control.onThisThread { work.replay(setup) { _ in } }
        stop.control.close()
        telemetry.close()
        set.collector.finish()
        let report = ReplayReport(
            archives: set.archives.count,
            hasPlugins: true,
            summary: work.summary,
            damagedLimit: 0,
            failures: work.failures,
            reporters: [],
            elapsed: SystemTime.monotonic() - started,
            absent: telemetry.absentPlugins,
            stopReason: stop.control.stopReason,
            isInterrupted: stop.isBySignal
        )
        report.show(on: log, quiet: arguments[HostSettings.quiet], json: false)
        set.unselectedRuns = Int(clamping: work.summary.unselectedRuns)
        set.hasSessions = work.summary.sessions > 0
        warnOfNothing(work.summary)
        if let reason = stop.control.stopReason { log.show(.error, "no report is written: \(reason)") }
        return stop.control.stopReason == nil ? report.exitCode : .interrupted
    }
}

extension ReportCommand {
    /// Warns of a report without a session, which is rarely what was meant.
    private func warnOfNothing(_ summary: ReplaySummary) {
        guard summary.sessions == 0 else { return }
        let isChosen = summary.unselectedRuns > 0
        let advice = isChosen ? "; tally-replay ls shows what there is to choose" : ""
        log.show(.warning, (isChosen ? "nothing was chosen" : "the archives hold no session") + advice)
    }
}

/// Archives that are told of together, and what was collected of them.
struct ReportedSet {
    let archives: [ArchiveOperand]
    let collector: ReportCollector
    /// How many runs were not chosen.
    var unselectedRuns = 0
    /// Whether anything was read that a report can show.
    var hasSessions = false

    init(_ archives: [ArchiveOperand], _ collector: ReportCollector) {
        self.archives = archives
        self.collector = collector
    }
}
