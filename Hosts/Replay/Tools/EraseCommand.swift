internal import Archive
internal import Glibc
internal import HostSupport
internal import Tally

/// The command `tally-replay erase`: deletes player runs, or one session of a run, from archives.
struct EraseCommand {
    private static let section = "What"
    private static let runID = Setting("run", .text("ID"), in: section, "The player run to delete.").repeatable()
    private static let condition = Setting(
        "where",
        SelectionOptions.expression,
        in: section,
        "Delete runs that have an event for which this holds, such as 'user_id == \"u-17\"'; with --run those of them.",
        details: "See [the expression](#the-expression-of---where)."
    )
    private static let session = Setting(
        "session",
        .integer("NUMBER", 1...Int(UInt32.max)),
        in: section,
        needs: ["run"],
        "Only this session of the run; those of a run are numbered from 1."
    )

    /// Its command line.
    static let syntax = CommandLineSyntax(
        program: "tally-replay erase",
        summary:
            "Deletes player runs, or one session of a run, from archives; a replay leaves out a run that was erased.",
        operands: CommandLineSyntax.Operands(
            "ARCHIVE",
            minimum: 1,
            maximum: nil,
            help: "Archives, folders or patterns; each is written anew once, compressed as it was."
        ),
        settings: [runID, condition, session, HostSettings.quiet],
        epilogue: """
            Exit codes: 0 they are deleted, 64 wrong command line, 65 not all lines could be looked at, 66 no such
            archive, or nothing of a run or session in them, 73 an archive cannot be read or written.

            Examples:
              tally-replay erase --run 7d1c archives/
              tally-replay erase --run 7d1c --session 2 archives/2026-05-01.tally
              tally-replay erase --where 'user_id == "u-17"' archives/
            """
    )

    /// Deletes what the command line names.
    static func run(_ arguments: CommandLineArguments, _ log: LogPrinter) throws(UsageError) -> ExitCode {
        let named = Set(arguments[runID])
        let condition = arguments[Self.condition]
        guard !named.isEmpty || condition != nil else { throw .missingArgument("--run ID or --where EXPRESSION") }
        if let session = arguments[Self.session], named.count > 1 {
            throw .badValue(option: "--session", value: "\(session)", expected: "one --run with it")
        }
        let operands = arguments.operands.flatMap(ArchiveNames.matches)
        guard let archives = ArchiveOperand.expand(operands, depth: nil, log) else { return .noInput }
        if let other = archives.first(where: { $0.paths.isEmpty }) {
            log.show(.error, "\(other.name): nothing was erased: name the archive's file, which is written anew")
            return .cannotCreate
        }
        var runs = named
        var unread: String?
        if let condition {
            do throws(InputFile.Failure) {
                let selection = RunSelection(RunCriteria(condition))
                try selection.prepare(ArchiveParts.joined(archives, again: false, log), log)
                runs = named.isEmpty ? selection.foundRuns : named.intersection(selection.foundRuns)
                if selection.unreadLines > 0 {
                    unread =
                        "\(selection.firstUnreadLine): --where could not look at "
                        + "\(ReadableNumber.counted(selection.unreadLines, "line")), of which this is the first: it cannot "
                        + "be read, or its run did not begin before it. What they say stays, unless --run names their run"
                }
            } catch {
                log.show(.error, error.message)
                return error.exitCode
            }
            guard !runs.isEmpty else {
                log.show(.error, "nothing was erased: no run of these archives has an event for which --where holds")
                if let unread { log.show(.error, unread) }
                return .noInput
            }
        }
        let code = erase(runs, arguments[session].map { UInt32($0) }, archives, log)
        guard let unread else { return code }
        log.show(.error, unread)
        return code == .success ? .badData : code
    }

    private static func erase(
        _ runs: Set<String>,
        _ session: UInt32?,
        _ archives: [ArchiveOperand],
        _ log: LogPrinter
    ) -> ExitCode {
        var deleted = 0
        var missing = runs
        var unread = 0
        for archive in archives {
            do {
                let coding = try CompressedErasure(archive.operand)
                let outcome = try Erasure.erase(archive: archive.operand, runs: runs, session: session, coding: coding)
                missing.subtract(outcome.runs)
                deleted += outcome.lines
                unread += outcome.unread
                if outcome.unread > 0 {
                    let why =
                        session == nil ? "it cannot be read" : "it cannot be read, or its run begins in another archive"
                    log.show(
                        .error,
                        "\(archive.operand):\(outcome.firstUnread): \(ReadableNumber.counted(outcome.unread, "line")) could "
                            + "not be looked at, of which this is the first: \(why). What they say stays"
                    )
                }
                if outcome.lines > 0, outcome.isEmpty {
                    log.show(
                        .warning,
                        "\(archive.operand): nothing is left in it; remove it, for it is no archive any more"
                    )
                }
                // It is of no use any more, and names what the runs played.
                if outcome.lines > 0 { unsafe unlink(PathName.bytes(ArchiveIndex.path(of: archive.operand))) }
            } catch {
                log.show(.error, (error as? InputFile.Failure)?.message ?? "\(error)")
                guard deleted > 0 else { return .cannotCreate }
                // What --where looked for may be gone already.
                let named = runs.sorted().map { "--run \($0)" }.joined(separator: " ")
                log.show(
                    .error,
                    "\(ReadableNumber.counted(deleted, "line was", "lines were")) deleted from the archives before it; go "
                        + "on with \(named)"
                )
                return .cannotCreate
            }
        }
        // What could not be looked at may be of the session.
        for run in missing.sorted() where session == nil || unread == 0 {
            let part = session.map { "session \($0) of the run" } ?? "the run"
            let hint = session.map { _ in ", with the number of their sessions" } ?? ""
            log.show(.error, "nothing of \(part) \(run) is in these archives; tally-replay ls lists their runs\(hint)")
        }
        if deleted > 0 {
            let what = ReadableNumber.counted(runs.count - missing.count, "run")
            log.show(.info, "deleted: \(ReadableNumber.counted(deleted, "line")) of \(what)")
        }
        if unread > 0 { return .badData }
        return missing.isEmpty ? .success : .noInput
    }
}
