internal import Glibc

/// A program that is run for a server.
final class Command {
    private let id: pid_t

    /// Starts a program; what it writes goes to a file.
    init(_ path: String, _ arguments: [String], log: String) throws(RealServerError) {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        unsafe posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var words: [UnsafeMutablePointer<CChar>?] = unsafe ([path] + arguments).map { unsafe strdup($0) }
        unsafe words.append(nil)
        defer {
            for index in unsafe words.indices {
                unsafe free(words[index])
            }
        }
        var id = pid_t()
        let status = unsafe posix_spawn(&id, path, &actions, nil, words, Glibc.environ)
        guard status == 0 else { throw .program(path, code: status, log: "it cannot be started") }
        self.id = id
    }

    /// Runs a program to its end.
    static func run(_ path: String, _ arguments: [String], log: String) throws(RealServerError) {
        let code = try Command(path, arguments, log: log).wait()
        guard code == 0 else { throw .program(path, code: code, log: log) }
    }

    /// Ends it, by force when it does not listen.
    func end() {
        kill(id, SIGTERM)
        for _ in 0..<500 {
            if waitpid(id, nil, WNOHANG) != 0 { return }
            usleep(10_000)
        }
        kill(id, SIGKILL)
        _ = wait()
    }

    private func wait() -> Int32 {
        var status: Int32 = 0
        while unsafe waitpid(id, &status, 0) < 0, errno == EINTR {}
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
    }
}
