import Glibc

/// The real program while it runs.
final class RunningReplay {
    private let child: pid_t
    private let folder = TemporaryFolder()

    /// Starts it; what it writes to standard error goes to a file of its own, unless one is named.
    init(_ arguments: [String], errors: String? = nil) throws {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        let create = O_WRONLY | O_CREAT | O_TRUNC
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, folder.path + "/output", create, 0o600)
        let told = errors ?? folder.path + "/errors"
        unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, told, create, 0o600)
        var words = unsafe (["tally-replay"] + arguments).map { text in unsafe strdup(text) } + [nil]
        defer { for index in unsafe words.indices { unsafe free(words[index]) } }
        var child: pid_t = 0
        let program = TestFile.products + "/tally-replay"
        let started = unsafe posix_spawn(&child, program, &actions, nil, &words, environ)
        guard started == 0 else { throw ReplayProcess.Failure.notStarted(started) }
        self.child = child
    }

    /// How many threads it has.
    var threads: Int {
        guard let stream = unsafe opendir("/proc/\(child)/task") else { return 0 }
        defer { unsafe closedir(stream) }
        var count = 0
        while let entry = unsafe readdir(stream) {
            if unsafe entry.pointee.d_name.0 != CChar(bitPattern: UInt8(ascii: ".")) { count += 1 }
        }
        return count
    }

    /// Waits until its first thread waits for input: false when it has not come to that after a minute.
    func waitUntilReading() -> Bool {
        for _ in 0..<6_000 {
            // The numbers of read, poll and ppoll.
            let call = (try? TestFile.text("/proc/\(child)/syscall"))?.prefix { $0 != " " }
            if let call, ["0", "7", "271"].contains(call) { return true }
            usleep(10_000)
        }
        return false
    }

    /// Waits for the end: the exit code, or the signal as a negative number.
    func wait() -> Int32 {
        var status: Int32 = 0
        while unsafe waitpid(child, &status, 0) < 0 && errno == EINTR {}
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
    }
}
