internal import CollectedRuns
internal import HostSupport
internal import Journal
internal import Tally
internal import TextEncoding

/// Takes over the runs that go on in folders of collectors that are taken out.
struct AdoptCommand {
    static let syntax = CommandLineSyntax(
        program: "tally-collector adopt",
        summary: "Takes over the open runs of a collector that is taken out, so that another one goes on with them.",
        operands: CommandLineSyntax.Operands(
            "FOLDER",
            minimum: 1,
            maximum: nil,
            help: "The folder of a collector that is taken out."
        ),
        settings: [folder, HostSettings.quiet, HostSettings.verbose],
        epilogue: """
            Both collectors are ended before, and the other one is begun again behind it. Archives stay in FOLDER.
            What was cut off goes on when the command is given again.
            Exit codes: 0 all is taken over, 1 both have something of a run, which stays where it is, 64 wrong command
            line, 66 there is no such folder, 73 a file cannot be changed, a collector uses a folder, or FOLDER has
            reports that are in no run's file yet.

            Examples:
              tally-collector adopt --folder collected /srv/two/collected
            """
    )

    private static let folder = Setting("folder", .text("DIR"), "The folder of the collector that goes on.")
        .unlessGiven("collected", shown: "the folder collected")

    private let arguments: CommandLineArguments
    private let log: LogPrinter

    init() {
        arguments = CollectorSyntax.syntax.argumentsOrEnd(version: TallyVersion.core)
        log = LogPrinter(program: Self.syntax.program, arguments: arguments)
    }

    func run() -> ExitCode {
        let target = arguments[Self.folder]
        for path in arguments.operands + [target] where !CollectionFolder.isUsed(path) {
            log.show(
                .error,
                "\(path): there is no collector's folder: look at its name, or begin a collector on it once"
            )
            return .noInput
        }
        if let source = arguments.operands.first(where: { CollectionFolder.isSame($0, target) }) {
            log.show(.error, "\(source): is the folder that takes over: name the one that is taken out")
            return .usage
        }
        do {
            let place = try CollectionFolder(target)
            defer { withExtendedLifetime(place) {} }
            let last = unsafe try Journal.read(in: target + "/journal") { _, _ in }
            var isWhole = true
            for source in arguments.operands {
                guard let outcome = try adopt(source, into: target, behind: last) else { return .cannotCreate }
                log.show(
                    .info,
                    "\(source): taken over: \(ReadableNumber.counted(outcome.open, "open run")), "
                        + ReadableNumber.counted(outcome.ended, "run to be archived", "runs to be archived")
                        + "; known as over: \(ReadableNumber.counted(outcome.archived, "archived run"))"
                )
                guard let first = outcome.doubled.first else { continue }
                isWhole = false
                log.show(
                    .error,
                    "\(source): not taken over: \(ReadableNumber.counted(outcome.doubled.count, "run")) of which "
                        + "\(target) has something too, such as \(PrintableText.escaped(first, longest: 80)): a collector that is begun on "
                        + "\(source) ends and archives what it has of them; next time take a collector out before its "
                        + "players report to another one"
                )
            }
            return isWhole ? .success : .difference
        } catch {
            log.show(.error, "\(error)")
            return .cannotCreate
        }
    }

    /// Takes over from one folder; nil when it is not ready for it.
    private func adopt(
        _ source: String,
        into target: String,
        behind last: UInt64
    ) throws -> CollectionAdoption.Outcome? {
        let place = try CollectionFolder(source)
        defer { withExtendedLifetime(place) {} }
        var adoption = CollectionAdoption(from: source, into: target)
        var waiting = 0
        _ = unsafe try Journal.read(in: source + "/journal") { entry, bytes in
            guard let reports = unsafe ReceivedReports(bytes) else { return }
            if !adoption.isDone(reports, entry: entry) { waiting += 1 }
        }
        guard waiting == 0 else {
            log.show(
                .error,
                "\(source): \(ReadableNumber.counted(waiting, "report")) of its journal are in no run's file yet, as after "
                    + "a crash: begin a collector on this folder, end it by SIGTERM, and give the command again"
            )
            return nil
        }
        let outcome = try adoption.copy(behind: last)
        // A collector that begins on this folder again makes nothing of them anew.
        _ = unsafe try Journal.erase(in: source + "/journal") { bytes in
            unsafe ReceivedReports(bytes).map(adoption.isAdopted) ?? false
        }
        try adoption.removeCopied()
        return outcome
    }
}
