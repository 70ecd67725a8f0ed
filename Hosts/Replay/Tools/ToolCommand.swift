internal import HostSupport
internal import Tally
internal import TextEncoding

/// The archive tools, from the command line to the exit code.
struct ToolCommand {
    let arguments: CommandLineArguments
    let log: LogPrinter

    /// Does what was asked.
    func run() throws(UsageError) -> ExitCode {
        let tool = try tool()
        try InputOptions.check(arguments)
        guard let archives = ArchiveOperand.expand(arguments, log) else { return .noInput }
        return work(tool, archives, RunSelection(RunCriteria(arguments)))
    }

    private func tool() throws(UsageError) -> any ArchiveTool {
        switch arguments.program.split(separator: " ").last {
        case "ls": return RunListing(json: arguments[ToolSyntax.json])
        case "show": return RunShow()
        case "stats": return ArchiveStatistics(json: arguments[ToolSyntax.json])
        case "validate": return validation
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

    private var validation: ArchiveValidation {
        ArchiveValidation(json: arguments[ToolSyntax.json], isStrict: arguments[ToolSyntax.strict])
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
            try selection.prepare(archives, log)
            let groups = tool.takesArchivesApart ? archives.map { [$0] } : [archives]
            var damaged = 0
            var hasNewer = false
            for group in groups {
                let scan = ArchiveScan(group, selection, log: log, tellsHollow: !tool.takesArchivesApart)
                if let code = try work(tool, group, scan) { return code }
                damaged += scan.damaged
                hasNewer = hasNewer || scan.hasNewer
            }
            if damaged > 0 { log.show(.warning, "damaged places in the archives: \(ReadableNumber.grouped(damaged))") }
            if hasNewer { return .newerVersion }
            if damaged > 0 { return .badData }
            return tool.hasFindings ? .difference : .success
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
        func output(_ body: () throws(HostError) -> Void) -> ExitCode? {
            do throws(HostError) {
                try body()
                return nil
            } catch {
                return log.report(error)
            }
        }
        let files = ArchiveOperand.files(archives)
        if let code = output({ () throws(HostError) in try tool.begin(reading: files) }) { return code }
        while let line = try scan.next() {
            if let code = output({ () throws(HostError) in try tool.process(line, scan) }) { return code }
        }
        return output { () throws(HostError) in try tool.end(scan, archives.map(\.name)) }
    }
}

/// What an archive tool does with the lines of the chosen runs.
protocol ArchiveTool: AnyObject {
    /// Whether each archive is looked at for itself.
    var takesArchivesApart: Bool { get }

    /// Whether archives that can be read have something that they should not have.
    var hasFindings: Bool { get }

    /// Begins; `files` are read, and so must not be written.
    func begin(reading files: ReadFiles) throws(HostError)

    /// Works on a line; what is wrong with it is reported to the scan.
    func process(_ line: ArchiveScan.Line, _ scan: ArchiveScan) throws(HostError)

    /// Ends after the last line of the archives with these names.
    func end(_ scan: ArchiveScan, _ names: [String]) throws(HostError)
}

extension ArchiveTool {
    var takesArchivesApart: Bool { false }
    var hasFindings: Bool { false }
    func begin(reading files: ReadFiles) throws(HostError) {}
    func end(_ scan: ArchiveScan, _ names: [String]) throws(HostError) {}

    /// Writes a line to standard output, with escapes for what a terminal would obey in it.
    func print(_ text: String) throws(HostError) {
        let line = PrintableText.escaped(text) + "\n"
        try HostError.writing { () throws(StandardStream.Failure) in try StandardStream.output.write(line) }
    }

    /// Writes a line of JSON to standard output.
    func print(json value: JSONValue) throws(HostError) {
        let line = PrintableText.json(value) + "\n"
        try HostError.writing { () throws(StandardStream.Failure) in try StandardStream.output.write(line) }
    }
}
