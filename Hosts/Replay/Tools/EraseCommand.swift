internal import Glibc
internal import HostSupport
internal import Tally

/// The command `tally-replay erase`: deletes a player run, or one session of it, from archives.
struct EraseCommand {
    private static let runID = Setting("run", .text("ID"), in: "What", "The player run to delete.")
    private static let session = Setting(
        "session",
        .integer("NUMBER", 1...Int(UInt32.max)),
        in: "What",
        "Only this session of it; those of a run are numbered from 1."
    )

    /// Its command line.
    static let syntax = CommandLineSyntax(
        program: "tally-replay erase",
        summary:
            "Deletes a player run, or one session of it, from archives; a replay leaves out a run that was erased.",
        operands: CommandLineSyntax.Operands(
            "ARCHIVE",
            minimum: 1,
            maximum: nil,
            help: "Plain archives, folders or patterns; each is written anew."
        ),
        settings: [runID, session, HostSettings.quiet],
        epilogue: """
            Exit codes: 0 it is deleted, 64 wrong command line, 66 no such archive, or nothing of the run or session
            in it, 73 an archive cannot be read or written.

            Examples:
              tally-replay erase --run 7d1c archives/
              tally-replay erase --run 7d1c --session 2 archives/2026-05-01.tally
            """
    )

    /// Deletes what the command line names.
    static func run(_ arguments: CommandLineArguments, _ log: LogPrinter) throws(UsageError) -> ExitCode {
        guard let run = arguments[runID] else { throw .missingArgument("--run ID") }
        return erase(run, arguments[session].map { UInt32($0) }, arguments.operands, log)
    }

    private static func erase(_ run: String, _ session: UInt32?, _ operands: [String], _ log: LogPrinter) -> ExitCode {
        let named = operands.flatMap(ArchiveNames.matches)
        guard let archives = ArchiveOperand.expand(named, depth: 1, log) else { return .noInput }
        let problems = archives.compactMap(problem)
        guard problems.isEmpty else {
            for problem in problems { log.show(.error, problem) }
            return .cannotCreate
        }
        var deleted = 0
        do throws(TelemetryError) {
            for archive in archives {
                let count = try Erasure.erase(archive: archive.operand, run: run, session: session)
                // It is of no use any more, and names what the runs played.
                if count > 0 { unsafe unlink(ArchiveIndex.path(of: archive.operand)) }
                deleted += count
            }
        } catch {
            log.show(.error, error.description)
            return .cannotCreate
        }
        guard deleted > 0 else {
            let part = session.map { "session \($0) of the run" } ?? "the run"
            let hint = session.map { _ in ", with the number of their sessions" } ?? ""
            log.show(.error, "nothing of \(part) \(run) is in these archives; tally-replay ls lists their runs\(hint)")
            return .noInput
        }
        log.show(.info, "deleted: \(ReadableNumber.counted(deleted, "line"))")
        return .success
    }

    /// Why nothing can be deleted from an archive, which then nothing is from any; nil when it can.
    private static func problem(_ archive: ArchiveOperand) -> String? {
        guard case .file(let path) = archive else {
            return "standard input: nothing was erased: name the archive's file, which is written anew"
        }
        guard let input = try? InputFile(path), input.isCompressed else { return nil }
        return "\(path): nothing was erased: it is compressed; make it plain with 'tally-replay convert' first"
    }
}
