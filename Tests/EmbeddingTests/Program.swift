import Glibc

/// A program that a test runs from its start to its end.
enum Program {
    struct NotStarted: Error {
        let path: String
        let code: Int32
    }

    /// Runs a program.
    ///
    /// - Returns: the exit code, or the signal as a negative number, and what the program wrote.
    static func run(_ path: String, _ arguments: [String]) throws -> (code: Int32, output: String, errors: String) {
        let output = RunFile(".out")
        let errors = RunFile(".err")
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        let create = O_WRONLY | O_CREAT | O_TRUNC
        unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.path, create, 0o600)
        unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors.path, create, 0o600)
        var words = unsafe ([path] + arguments).map { text in unsafe strdup(text) } + [nil]
        defer {
            while let word = unsafe words.popLast() {
                unsafe free(word)
            }
        }
        var child: pid_t = 0
        let started = unsafe posix_spawn(&child, path, &actions, nil, &words, environ)
        guard started == 0 else { throw NotStarted(path: path, code: started) }
        var status: Int32 = 0
        while unsafe waitpid(child, &status, 0) < 0 && errno == EINTR {}
        let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
        return (code, try TextFile.text(output.path), try TextFile.text(errors.path))
    }
}
