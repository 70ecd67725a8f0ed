internal import HostSupport
internal import Tally

/// The archive tools, from the command line to the exit code.
struct ToolCommand {
    private let arguments: CommandLineArguments
    private let log: LogPrinter

    init() {
        arguments = ReplaySyntax.syntax.argumentsOrEnd(version: TallyVersion.core)
        log = LogPrinter(program: arguments.program, lowest: .info, terminal: StandardStream.error.terminal) {
            try? StandardStream.error.write($0)
        }
    }

    /// Does what was asked.
    func run() -> ExitCode {
        do throws(UsageError) {
            return try run(RunCriteria(arguments))
        } catch {
            StandardStream.note(error.message(for: arguments.program))
            return error.exitCode
        }
    }

    private func run(_ criteria: RunCriteria) throws(UsageError) -> ExitCode {
        let tool = try tool()
        do throws(ArchiveOperand.Missing) {
            let archives = try ArchiveOperand.expand(arguments.operands)
            return work(tool, archives, RunSelection(criteria))
        } catch {
            for message in error.messages { log.show(.error, message) }
            return .noInput
        }
    }

    private func tool() throws(UsageError) -> any ArchiveTool {
        switch arguments.program.split(separator: " ").last {
        case "ls": return RunListing(json: arguments[ToolSyntax.json])
        case "show": return RunShow()
        case "stats": return ArchiveStatistics(json: arguments[ToolSyntax.json])
        case "validate": return ArchiveValidation(json: arguments[ToolSyntax.json])
        case "merge": return copy(leavesOutKnown: true)
        case "split":
            let runs = arguments[ToolSyntax.runs]
            let size = arguments[ToolSyntax.size].map { $0 * 1_000_000 }
            guard runs != nil || size != nil else { throw .missingArgument("--runs COUNT or --size MB") }
            guard let name = arguments[ToolSyntax.name] else { throw .missingArgument("--output NAME") }
            return ArchiveSplit(name: name, runs: runs ?? .max, size: size ?? .max)
        default: return copy(leavesOutKnown: false)
        }
    }

    private func copy(leavesOutKnown: Bool) -> ArchiveCopy {
        let path = arguments[ToolSyntax.output] ?? "-"
        return ArchiveCopy(
            path: path,
            compression: arguments[ToolSyntax.compress] ?? ArchiveOutput.Compression(path: path),
            leavesOutKnown: leavesOutKnown
        )
    }

    private func work(_ tool: any ArchiveTool, _ archives: [ArchiveOperand], _ selection: RunSelection) -> ExitCode {
        do throws(InputFile.Failure) {
            try selection.prepare(archives)
            let groups = tool.takesArchivesApart ? archives.map { [$0] } : [archives]
            var damaged = 0
            var hasNewer = false
            for group in groups {
                let scan = ArchiveScan(group, selection, log: log, tellsHollow: !tool.takesArchivesApart)
                if let code = try work(tool, group, scan) { return code }
                damaged += scan.damaged
                hasNewer = hasNewer || scan.hasNewer
            }
            if damaged > 0 {
                log.show(.warning, "damaged places in the archives: \(ReadableNumber.grouped(damaged))")
            }
            if hasNewer { return .newerVersion }
            return damaged > 0 ? .badData : .success
        } catch {
            log.show(.error, error.message)
            return error.exitCode
        }
    }

    /// The exit code when an output failed, nil when all was done.
    private func work(
        _ tool: any ArchiveTool,
        _ archives: [ArchiveOperand],
        _ scan: ArchiveScan
    ) throws(InputFile.Failure) -> ExitCode? {
        do throws(HostError) {
            try tool.begin(reading: ArchiveOperand.files(archives))
        } catch {
            return end(error)
        }
        while let line = try scan.next() {
            do throws(HostError) {
                try tool.take(line, scan)
            } catch {
                return end(error)
            }
        }
        do throws(HostError) {
            try tool.end(scan, archives.map(\.name))
        } catch {
            return end(error)
        }
        return nil
    }

    private func end(_ error: HostError) -> ExitCode {
        for message in error.messages { log.show(.error, message) }
        return error.exitCode
    }
}

/// What an archive tool does with the lines of the chosen runs.
protocol ArchiveTool: AnyObject {
    /// Whether each archive is looked at for itself.
    var takesArchivesApart: Bool { get }

    /// Begins; `files` are read, and so must not be written.
    func begin(reading files: ReadFiles) throws(HostError)

    /// Takes a line; what is wrong with it is noted with the scan.
    func take(_ line: ArchiveScan.Line, _ scan: ArchiveScan) throws(HostError)

    /// Ends after the last line of the archives with these names.
    func end(_ scan: ArchiveScan, _ names: [String]) throws(HostError)
}

extension ArchiveTool {
    var takesArchivesApart: Bool { false }
    func begin(reading files: ReadFiles) throws(HostError) {}

    /// Writes to standard output.
    func print(_ text: String) throws(HostError) {
        do throws(StandardStream.Failure) {
            try StandardStream.output.write(text)
        } catch {
            throw .output(error)
        }
    }
}
