import Glibc
import TextEncoding

/// One run of the real program, from its start to its end.
struct ReplayRun {
    enum Failure: Error {
        case notStarted(Int32)
    }

    /// The exit code, or the signal as a negative number.
    let code: Int32
    let output: String
    let errors: String

    /// Runs the program that was built beside this test.
    ///
    /// - Parameters:
    ///   - arguments: the command line behind the program's name.
    ///   - input: the file that is its standard input.
    ///   - environment: its whole environment.
    ///   - stdout: the file that is its standard output, when it is not kept for the test.
    /// - Throws: when the program cannot be started, or what it wrote cannot be read.
    init(
        _ arguments: [String],
        input: String = "/dev/null",
        environment: [String: String] = [:],
        stdout: String? = nil
    ) throws {
        let folder = TemporaryFolder()
        let output = stdout ?? folder.path + "/output"
        let errors = folder.path + "/errors"
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        let create = O_WRONLY | O_CREAT | O_TRUNC
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, create, 0o600)
        unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, create, 0o600)
        var words = unsafe (["tally-replay"] + arguments).map { text in unsafe strdup(text) } + [nil]
        var variables = unsafe environment.map { name, value in unsafe strdup("\(name)=\(value)") } + [nil]
        defer {
            while let text = unsafe words.popLast() {
                unsafe free(text)
            }
            while let text = unsafe variables.popLast() {
                unsafe free(text)
            }
        }
        var child: pid_t = 0
        let program = TestFile.products + "/tally-replay"
        let started = unsafe posix_spawn(&child, program, &actions, nil, &words, &variables)
        guard started == 0 else { throw Failure.notStarted(started) }
        var status: Int32 = 0
        while unsafe waitpid(child, &status, 0) < 0 && errno == EINTR {}
        code = status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
        self.output = stdout == nil ? try TestFile.text(output) : ""
        self.errors = try TestFile.text(errors)
    }

    /// The lines that reporters wrote.
    var lines: [Substring] {
        output.split(separator: "\n")
    }

    /// The summary, which is the last line with `--json`.
    func summary() throws -> JSONValue {
        try JSONParser().parse(errors.split(separator: "\n").last.map(String.init) ?? "")
    }
}
