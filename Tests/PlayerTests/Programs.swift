import ChildPrograms
import TextEncoding

extension ChildProgram {
    /// Starts the player, another program that was built beside this test, or its copy at a path.
    static func player(
        _ arguments: [String],
        program: String = "tally-player",
        path: String? = nil,
        environment: [String: String] = [:]
    ) throws -> ChildProgram {
        try ChildProgram(path ?? program, arguments, environment: environment)
    }

    /// Runs a program to its end.
    static func run(
        _ arguments: [String],
        program: String = "tally-player",
        environment: [String: String] = [:]
    ) async throws -> Outcome {
        try await run(program, arguments, environment: environment)
    }
}

extension ChildProgram.Outcome {
    /// The summary, which is the last line with `--json`.
    func summary() throws -> JSONValue {
        try JSONParser().parse(errors.split(separator: "\n").last.map(String.init) ?? "")
    }
}
