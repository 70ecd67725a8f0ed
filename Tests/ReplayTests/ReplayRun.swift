import TextEncoding

/// One run of the real program, from its start to its end.
struct ReplayRun {
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
        let process = try ReplayProcess(arguments, input: input, environment: environment, stdout: stdout)
        self = try process.wait()
    }

    init(code: Int32, output: String, errors: String) {
        self.code = code
        self.output = output
        self.errors = errors
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
