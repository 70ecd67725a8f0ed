internal import Glibc
internal import HostSupport
internal import System
internal import Tally
internal import TextEncoding

/// Notes how far a replay has come, and finds out where an earlier process left off.
final class Resumption: @unchecked Sendable {
    /// What an earlier process noted; nil when there is none.
    private(set) var last: StoredCheckpoint?
    /// What the replay asks and tells.
    private(set) var keeper: CheckpointKeeper?

    private let path: String
    private let command: String
    private let due = Lock<Int64>(0)
    private let failure = Lock<String?>(nil)
    /// Whether the file stays, since a reporter did not take everything.
    private var isKept = false

    /// Options that change what comes out.
    private static let options: [any DeclaredSetting] =
        [
            ReplaySyntax.asRecorded, ReplaySyntax.substitute, ReplaySyntax.strict, ReplaySyntax.maxDamaged,
            ReplaySyntax.leaveOpen, ReplaySyntax.reorder, ReplaySyntax.keepRepeated, BatchOptions.cutSessions,
            BatchOptions.unordered,
        ] + SelectionOptions.all

    /// Reads the file, if it is there.
    ///
    /// - Throws: when it is no checkpoint, another command wrote it, or an archive cannot be read again.
    init(
        _ path: String,
        _ arguments: CommandLineArguments,
        _ archives: [ArchiveOperand],
        _ setup: HostSetup
    ) throws(HostError) {
        let topics = archives.compactMap { if case .topic(let address) = $0 { address } else { nil } }
        for pipe in archives.flatMap(\.paths) + topics where !ArchiveParts.isFile(pipe) {
            throw .checkpoint(
                "\(pipe): what comes through a pipe can be read once, and after a kill archives are read again: write it "
                    + "to a file first, or leave --checkpoint out"
            )
        }
        self.path = path
        command = Self.command(arguments, archives, setup)
        guard unsafe access(PathName.bytes(path), F_OK) == 0 else { return }
        guard let bytes = try? TextFile.read(path, limit: Int(Int32.max)),
            let stored = StoredCheckpoint(String(decoding: bytes, as: UTF8.self))
        else {
            throw .checkpoint(
                "\(path): this is no checkpoint of this version; name another file, or remove it to begin anew"
            )
        }
        guard stored.command == command else {
            throw .checkpoint(
                "\(path): the checkpoint was written with other options, plugins or archives; use those, or remove it to "
                    + "begin anew"
            )
        }
        last = stored
    }

    /// Makes sure that all reporters can go on after a kill, and notes where they begin.
    func begin(_ telemetry: Telemetry, _ selection: RunSelection, every seconds: Double) throws(HostError) {
        let start = last?.replay ?? ReplayCheckpoint(archive: 0, line: 0, summary: ReplaySummary())
        try write(start, telemetry, selection)
        let interval = Int64(seconds * 1e6)
        due.with { $0 = SystemTime.monotonic() + interval }
        keeper = CheckpointKeeper(
            isDue: { [self] in due.with { SystemTime.monotonic() >= $0 } },
            write: { [self] checkpoint in
                do throws(HostError) {
                    try write(checkpoint, telemetry, selection)
                } catch {
                    // The last one that was noted is still true.
                    failure.with { $0 = error.messages.joined(separator: "; ") }
                }
                due.with { $0 = SystemTime.monotonic() + interval }
            }
        )
    }

    /// Why the last checkpoint could not be noted.
    var problem: String? { failure.with { $0 } }

    /// All was replayed: nothing is to be resumed, unless a reporter lost something.
    func finish(areReportersComplete: Bool) {
        guard areReportersComplete else {
            isKept = true
            return
        }
        unsafe unlink(PathName.bytes(path))
    }

    /// What is to be done next, when something is.
    var note: String? {
        isKept ? "\(path) stays: once there is room, the same command goes on where the output was still whole" : nil
    }

    private func write(
        _ checkpoint: ReplayCheckpoint,
        _ telemetry: Telemetry,
        _ selection: RunSelection
    ) throws(HostError) {
        var marks: [String: String] = [:]
        do throws(TelemetryError) {
            for (name, mark) in try telemetry.markReporters() { marks[name] = mark }
        } catch {
            throw .telemetry(error, at: nil)
        }
        // What a reporter lost before its mark would be missing for ever.
        for (name, statistics) in telemetry.reporterStatistics where statistics.dropped > 0 {
            throw .checkpoint("\(name) has lost outputs")
        }
        let stored = StoredCheckpoint(
            command: command,
            replay: checkpoint,
            marks: marks,
            takenRuns: selection.takenRuns
        )
        try TextFile.replace(path, with: stored.text)
    }

    /// Names what decides what comes out: the archives as they are, the plugins and the options.
    private static func command(
        _ arguments: CommandLineArguments,
        _ archives: [ArchiveOperand],
        _ setup: HostSetup
    ) -> String {
        var hash = SHA256()
        func add(_ text: String) { hash.update("\(text.utf8.count):\(text)") }
        for path in archives.flatMap({ $0.paths.isEmpty ? [$0.operand] : $0.paths }) {
            var status = stat()
            _ = unsafe stat(PathName.bytes(path), &status)
            add("\(path) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)")
        }
        for plugin in setup.selections {
            add("\(plugin.name) \(plugin.plugin) \(plugin.enabled) \(plugin.configuration.canonicalText)")
        }
        for option in options { add("\(option.declaration.name) \(arguments.texts(of: option))") }
        return Hex.text(hash.finalize())
    }
}
