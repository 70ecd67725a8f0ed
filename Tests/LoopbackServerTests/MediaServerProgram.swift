import Glibc

/// The media server as a process of its own.
final class MediaServerProgram {
    enum Failure: Error {
        case notStarted(Int32)
    }

    private let process: pid_t
    private let output: Int32
    private var ended = false

    /// Starts the program that was built beside this test.
    init(_ arguments: [String]) throws {
        guard let own = unsafe realpath("/proc/self/exe", nil) else {
            throw Failure.notStarted(errno)
        }
        defer { unsafe free(own) }
        let folder = unsafe String(cString: own).split(separator: "/").dropLast().joined(separator: "/")
        let program = "/\(folder)/media-server"

        var ends: [Int32] = [0, 0]
        unsafe pipe(&ends)
        // Another test may start a process meanwhile, which must not keep this pipe open.
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO)
        var strings = unsafe ([program] + arguments).map { text in unsafe strdup(text) } + [nil]
        defer {
            while let string = unsafe strings.popLast() {
                unsafe free(string)
            }
        }
        var child: pid_t = 0
        let code = unsafe posix_spawn(&child, program, &actions, nil, &strings, environ)
        close(ends[1])
        output = ends[0]
        process = child
        guard code == 0 else {
            ended = true
            throw Failure.notStarted(code)
        }
    }

    deinit {
        if !ended {
            kill(process, SIGKILL)
            _ = wait()
        }
        close(output)
    }

    /// Reads the program's next line.
    func line() -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while unsafe read(output, &byte, 1) == 1, byte != UInt8(ascii: "\n") {
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    func send(_ signal: Int32) {
        kill(process, signal)
    }

    /// Waits for the end and returns the exit code, or the signal as a negative number.
    func wait() -> Int32 {
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0 && errno == EINTR {}
        ended = true
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
    }
}
