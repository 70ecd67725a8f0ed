internal import Glibc
internal import HostSupport
internal import System
internal import TextEncoding

/// Replays runs that are over with a process of its own, whose end is the proof that outputs are delivered.
struct BatchReplay {
    /// What replays came to together.
    struct Totals {
        /// How many replays there were.
        var replays = 0
        /// Members of their summaries, added up.
        var sums: [String: Int64] = [:]
        /// How the program ends because of them.
        var exitCode = ExitCode.success
    }

    /// Members of a summary that are added up.
    static let members = ["runs", "open_runs", "sessions", "events", "records", "beacons", "tracker_errors", "damaged"]

    // What the headers define with macros that Swift cannot see.
    private static let setsGroup: Int16 = 0x02
    private static let setsDefaults: Int16 = 0x04
    private static let setsMask: Int16 = 0x08

    /// The options that each replay is given.
    let options: [String]
    let folder: WorkerFolder

    /// Replays these archives; throws when their outputs may not be delivered.
    func replay(_ paths: [String], _ totals: inout Totals) throws(WorkerFailure) {
        let (list, summary) = ("\(folder.path)/list", "\(folder.path)/summary.json")
        unsafe unlink(PathName.bytes(summary))
        try write(paths.map { $0 + "\n" }.joined(), to: list)
        let code = try start(options + ["--quiet", "--files-from", list, "--summary", summary])
        totals.replays += 1
        if let bytes = try? TextFile.read(summary),
            let value = try? JSONParser().parse(String(decoding: bytes, as: UTF8.self))
        {
            for member in Self.members { totals.sums[member, default: 0] += value[member]?.int ?? 0 }
        }
        switch code {
        case .success: break
        // All that could be read was replayed, and would be no better the next time.
        case .badData: totals.exitCode = code
        default:
            throw WorkerFailure(
                reason: "a replay of \(paths.count) runs ended with \(code.rawValue): they are not committed, and the "
                    + "next worker replays them again",
                exitCode: code
            )
        }
    }

    private func write(_ text: String, to path: String) throws(WorkerFailure) {
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
        let descriptor = unsafe open(PathName.bytes(path), flags, 0o600)
        guard descriptor >= 0 else { throw WorkerFolder.failure(path, "takes no file: \(SystemError.text(errno))") }
        defer { close(descriptor) }
        do throws(StandardStream.Failure) {
            try StandardStream.write(
                PathName.bytes(text).dropLast().map { UInt8(bitPattern: $0) },
                to: descriptor,
                named: path
            )
        } catch {
            throw WorkerFailure(reason: error.message, exitCode: .cannotCreate)
        }
    }

    /// Runs this program with other arguments, out of the reach of the terminal's interrupts, to its end.
    private func start(_ arguments: [String]) throws(WorkerFailure) -> ExitCode {
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var (none, all) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&none)
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        unsafe posix_spawnattr_setpgroup(&attributes, 0)
        unsafe posix_spawnattr_setflags(&attributes, Self.setsMask | Self.setsDefaults | Self.setsGroup)
        var words = unsafe (["tally-replay"] + arguments).map { unsafe strdup(PathName.bytes($0)) } + [nil]
        defer { for index in unsafe words.indices { unsafe free(words[index]) } }
        var child: pid_t = 0
        let error = unsafe posix_spawn(&child, "/proc/self/exe", nil, &attributes, &words, environ)
        guard error == 0 else {
            throw WorkerFailure(
                reason: "no replay can be started: \(SystemError.text(error))",
                exitCode: .internalError
            )
        }
        var status: Int32 = 0
        while unsafe waitpid(child, &status, 0) < 0, errno == EINTR {}
        guard status & 0x7F == 0 else {
            throw WorkerFailure(reason: "a replay was ended by signal \(status & 0x7F)", exitCode: .pluginFailed)
        }
        return ExitCode(rawValue: status >> 8 & 0xFF) ?? .internalError
    }
}
