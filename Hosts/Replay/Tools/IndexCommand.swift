internal import Archive
internal import HostSupport
internal import Tally
internal import TextEncoding

/// The command `tally-replay index`: makes the index of archives, with which chosen runs are found at once.
struct IndexCommand {
    /// Its command line.
    static let syntax = CommandLineSyntax(
        program: "tally-replay index",
        summary: "Writes an index beside each archive, with which chosen runs are found without reading the others.",
        operands: CommandLineSyntax.Operands(
            "ARCHIVE",
            minimum: 0,
            maximum: nil,
            help: "Archives, folders or patterns. The index of run.tally is run.tally.index."
        ),
        settings: InputOptions.all + [HostSettings.quiet],
        epilogue: """
            Exit codes: 0 all is well, 64 wrong command line, 65 damaged archive, 66 no such archive, 73 an index cannot
            be written, 74 standard output cannot be written, 76 newer archive.
            """
    )

    /// Makes the indexes of the archives that the command line names.
    static func run(_ arguments: CommandLineArguments, _ log: LogPrinter) throws(UsageError) -> ExitCode {
        try InputOptions.check(arguments)
        guard let archives = ArchiveOperand.expand(arguments, log) else { return .noInput }
        var outcome = ExitCode.success
        for archive in archives {
            guard case .file(let path) = archive else {
                let expected = "a file, which the index lies beside"
                throw .badValue(option: "ARCHIVE", value: archive.operand, expected: expected)
            }
            let code = index(path, log)
            if code != .success { outcome = code }
        }
        return outcome
    }

    /// Makes the index of one archive, which has to be good from its first line to its last.
    private static func index(_ path: String, _ log: LogPrinter) -> ExitCode {
        // Before it is read: what is written meanwhile makes another state of it.
        guard let state = ArchiveIndex.FileState(path) else { return .noInput }
        let scan = ArchiveScan([.file(path)], nil, log: log)
        let validation = ArchiveValidation(json: false)
        var index = ArchiveIndex()
        do {
            while let line = try scan.next() {
                try validation.process(line, scan)
                let end = unsafe line.offset + line.bytes.count + 1
                index.read(line.content, of: line.run, at: line.offset..<end)
            }
            if index.runs.isEmpty, !scan.hasNewer { scan.report(.header("there is no player run")) }
            guard scan.damaged == 0, !scan.hasNewer else {
                log.show(.error, "\(path): only an archive without damage gets an index")
                return scan.hasNewer ? .newerVersion : .badData
            }
            try index.write(beside: path, in: state)
            let name = PrintableText.escaped(ArchiveIndex.path(of: path))
            let text = "\(name): \(ReadableNumber.counted(index.runs.count, "run"))\n"
            try HostError.writing { () throws(StandardStream.Failure) in try StandardStream.output.write(text) }
            return .success
        } catch let error as InputFile.Failure {
            log.show(.error, error.message)
            return error.exitCode
        } catch {
            return (error as? HostError).map { log.report($0) } ?? .outputFailed
        }
    }
}
