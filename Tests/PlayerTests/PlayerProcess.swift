import Glibc
import TextEncoding

/// The real program, from its start to its end.
final class PlayerProcess {
    enum Failure: Error {
        case notStarted(Int32)
    }

    /// What it came to.
    struct Result {
        /// The exit code, or the signal as a negative number.
        let code: Int32
        let output: String
        let errors: String

        /// The summary, which is the last line with `--json`.
        func summary() throws -> JSONValue {
            try JSONParser().parse(errors.split(separator: "\n").last.map(String.init) ?? "")
        }
    }

    /// No plugin that a test's program dies in is remembered in the user's own quarantine.
    private static let hasNoState = unsafe setenv("TALLY_STATE", "", 1) == 0

    private let folder = TemporaryFolder()
    private var child: pid_t = 0

    /// Starts a program that was built beside this test, or its copy at a path.
    init(_ arguments: [String], program: String = "tally-player", path: String? = nil) throws {
        precondition(Self.hasNoState, "the environment cannot be changed")
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        let create = O_WRONLY | O_CREAT | O_TRUNC
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, folder.file("output"), create, 0o600)
        unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, folder.file("errors"), create, 0o600)
        var words = unsafe ([program] + arguments).map { text in unsafe strdup(text) } + [nil]
        defer {
            for index in unsafe words.indices {
                unsafe free(words[index])
            }
        }
        let path = path ?? TestFile.products + "/" + program
        let started = unsafe posix_spawn(&child, path, &actions, nil, &words, environ)
        guard started == 0 else { throw Failure.notStarted(started) }
    }

    /// Runs a program to its end.
    static func run(_ arguments: [String], program: String = "tally-player") throws -> Result {
        try PlayerProcess(arguments, program: program).wait()
    }

    /// Sends a signal.
    func signal(_ number: Int32) {
        kill(child, number)
    }

    /// What it wrote to standard error so far.
    var errors: String {
        (try? TestFile.text(folder.file("errors"))) ?? ""
    }

    /// Waits until standard error has the text; false when it does not come within 20 s.
    func waitForErrors(_ text: String) -> Bool {
        for _ in 0..<2000 {
            if errors.contains(text) { return true }
            usleep(10_000)
        }
        return false
    }

    /// Waits for the end.
    func wait() throws -> Result {
        var status: Int32 = 0
        while unsafe waitpid(child, &status, 0) < 0 && errno == EINTR {}
        return Result(
            code: status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F),
            output: try TestFile.text(folder.file("output")),
            errors: try TestFile.text(folder.file("errors"))
        )
    }
}
