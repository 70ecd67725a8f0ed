internal import Glibc

/// A program that runs beside the test.
package final class ChildProcess {
    /// Why a program could not be started.
    package struct StartFailure: Error, CustomStringConvertible {
        /// The program.
        package let path: String
        /// The system's error number.
        package let number: Int32

        /// What went wrong.
        package var description: String {
            "\(path): cannot be started: error \(number)"
        }
    }

    private let id: pid_t

    /// Starts a program; what it writes to standard output and standard error goes to a file.
    ///
    /// `environment` has variables that it gets besides those of this process.
    package init(
        _ path: String,
        _ arguments: [String],
        output: String,
        environment: [String: String] = [:]
    ) throws(StartFailure) {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        unsafe posix_spawn_file_actions_adddup2(&actions, 1, 2)
        var words: [UnsafeMutablePointer<CChar>?] = unsafe ([path] + arguments).map { unsafe strdup($0) }
        unsafe words.append(nil)
        defer {
            for index in unsafe words.indices {
                unsafe free(words[index])
            }
        }
        var variables: [UnsafeMutablePointer<CChar>?] = unsafe environment.map { unsafe strdup("\($0)=\($1)") }
        defer {
            for index in 0..<environment.count {
                unsafe free(variables[index])
            }
        }
        var index = 0
        while let variable = unsafe Glibc.environ[index] {
            unsafe variables.append(variable)
            index += 1
        }
        unsafe variables.append(nil)
        var id = pid_t()
        let status = unsafe posix_spawn(&id, path, &actions, nil, words, variables)
        guard status == 0 else { throw StartFailure(path: path, number: status) }
        self.id = id
    }

    /// Sends a signal.
    package func send(_ signal: Int32) {
        kill(id, signal)
    }

    /// Waits for the end: the exit code, or minus the signal that ended it.
    package func wait() -> Int32 {
        var status: Int32 = 0
        while unsafe waitpid(id, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : -signal
    }

    /// The same; nil when it takes longer, and then the program is ended.
    package func wait(seconds: Int) -> Int32? {
        var status: Int32 = 0
        for _ in 0..<seconds * 100 {
            if unsafe waitpid(id, &status, WNOHANG) == id {
                let signal = status & 0x7F
                return signal == 0 ? status >> 8 & 0xFF : -signal
            }
            usleep(10_000)
        }
        send(SIGKILL)
        _ = wait()
        return nil
    }

    /// Ends it, by force when it does not listen for 5 s.
    package func end() {
        send(SIGTERM)
        _ = wait(seconds: 5)
    }
}
