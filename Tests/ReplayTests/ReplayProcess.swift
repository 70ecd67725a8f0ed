import Glibc
import Testing

/// The real program while it runs.
final class ReplayProcess {
    enum Failure: Error {
        case notStarted(Int32)
    }

    private let folder = TemporaryFolder()
    private let output: String
    private let errors: String
    private let keepsOutput: Bool
    private var child: pid_t = 0

    /// Starts the program that was built beside this test; see ``ReplayRun`` for the parameters.
    init(
        _ arguments: [String],
        input: String = "/dev/null",
        environment: [String: String] = [:],
        stdout: String? = nil
    ) throws {
        output = stdout ?? folder.path + "/output"
        errors = folder.path + "/errors"
        keepsOutput = stdout == nil
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        let create = O_WRONLY | O_CREAT | O_TRUNC
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, create, 0o600)
        unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, create, 0o600)
        var words = unsafe (["tally-replay"] + arguments).map { text in unsafe strdup(text) } + [nil]
        // How a sanitizer is to work holds for what a test starts too.
        let sanitizer = unsafe getenv("ASAN_OPTIONS").map { unsafe ["ASAN_OPTIONS": String(cString: $0)] } ?? [:]
        let all = environment.merging(sanitizer) { given, _ in given }
        var variables = unsafe all.map { name, value in unsafe strdup("\(name)=\(value)") } + [nil]
        defer {
            while let text = unsafe words.popLast() {
                unsafe free(text)
            }
            while let text = unsafe variables.popLast() {
                unsafe free(text)
            }
        }
        let program = TestFile.products + "/tally-replay"
        let started = unsafe posix_spawn(&child, program, &actions, nil, &words, &variables)
        guard started == 0 else { throw Failure.notStarted(started) }
    }

    /// Sends a signal.
    func signal(_ number: Int32) {
        kill(child, number)
    }

    /// Waits until something is so; false when it does not become so within 60 s.
    static func wait(until isSo: () throws -> Bool) rethrows -> Bool {
        let end = time(nil) + 60
        while time(nil) < end {
            if try isSo() { return true }
            usleep(10_000)
        }
        return false
    }

    /// What it wrote to standard error so far.
    var errorsSoFar: String { (try? TestFile.text(errors)) ?? "" }

    /// Waits for the end.
    func wait() throws -> ReplayRun {
        var status: Int32 = 0
        while unsafe waitpid(child, &status, 0) < 0 && errno == EINTR {}
        return ReplayRun(
            code: status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F),
            output: keepsOutput ? try TestFile.text(output) : "",
            errors: try TestFile.text(errors)
        )
    }
}
