internal import CollectedRuns
internal import HostSupport
internal import Journal
internal import Tally
internal import TextEncoding

/// Deletes what a collector keeps of a run, of a viewer or of a tenant.
struct EraseCommand {
    static let syntax = CommandLineSyntax(
        program: "tally-collector erase",
        summary: "Deletes what is kept of a run, of a viewer or of a tenant: in archives, open runs and the journal.",
        operands: nil,
        settings: [run, user, tenant, folder, HostSettings.quiet, HostSettings.verbose],
        epilogue: """
            The collector is ended before. What plugins have delivered already, or keep, is theirs to delete.
            Exit codes: 0 nothing of it is left, 1 there was nothing of it, 64 wrong command line, 66 there is no such
            folder, 73 a file cannot be changed, or a collector uses the folder.

            Examples:
              tally-collector erase --folder collected --user u-1234
              tally-collector erase --folder collected --run k3v9x0q2m7ab --tenant web
            """
    )

    private static let run = Setting(
        "run",
        .text("NAME"),
        excludes: ["user"],
        "The run of this name or id."
    )
    private static let user = Setting(
        "user",
        .text("ID"),
        excludes: ["run"],
        "All runs in which this user_id was told."
    )
    private static let tenant = Setting(
        "tenant",
        .text("NAME"),
        "All runs of this tenant; beside --run or --user, those of its runs alone."
    )
    private static let folder = Setting("folder", .text("DIR"), "The collector's folder.")
        .unlessGiven("collected", shown: "the folder collected")

    private let arguments: CommandLineArguments
    private let log: LogPrinter

    init() {
        arguments = CollectorSyntax.syntax.argumentsOrEnd(version: TallyVersion.core)
        log = LogPrinter(program: Self.syntax.program, arguments: arguments)
    }

    func run() -> ExitCode {
        let subject: CollectionErasure.Subject
        if let name = arguments[Self.run] {
            subject = .run(name)
        } else if let id = arguments[Self.user] {
            subject = .user(id)
        } else if let name = arguments[Self.tenant] {
            subject = .tenant(name)
        } else {
            log.show(.error, "say what is to be deleted: --run NAME, --user ID or --tenant NAME")
            return .usage
        }
        let path = arguments[Self.folder]
        guard CollectionFolder.isUsed(path) else {
            log.show(.error, "\(path): there is no collector's folder: say where it is with --folder")
            return .noInput
        }
        do {
            let place = try CollectionFolder(path)
            defer { withExtendedLifetime(place) {} }
            var erasure = CollectionErasure(subject, of: arguments[Self.tenant], in: path)
            erasure.findInFiles()
            _ = unsafe try Journal.erase(in: path + "/journal") { bytes in
                if let reports = unsafe ReceivedReports(bytes) { erasure.find(in: reports) }
                return false
            }
            // First what others are made of: a crash behind it makes nothing anew.
            let entries = unsafe try Journal.erase(in: path + "/journal") { bytes in
                unsafe ReceivedReports(bytes).map(erasure.concerns) ?? false
            }
            let outcome = try erasure.erase()
            log.show(
                .info,
                "deleted: \(ReadableNumber.counted(outcome.archived, "archived run")), "
                    + "\(ReadableNumber.counted(outcome.open, "open run")), "
                    + "\(ReadableNumber.counted(entries, "journal entry", "journal entries"))"
            )
            return outcome.archived + outcome.open + entries == 0 ? .difference : .success
        } catch {
            log.show(.error, "\(error)")
            return .cannotCreate
        }
    }
}
