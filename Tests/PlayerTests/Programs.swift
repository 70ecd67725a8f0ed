import ChildPrograms
import TextEncoding

extension ChildProgram {
    /// A source that fails at once and is opened again in an hour: a player that plays nothing, and does all else.
    static let unreachable = [
        "http://127.0.0.1:1/none.mp4", "--retry", "1", "--retry-delay", "3600", "--set", "player.networkRetries=0",
    ]

    /// Waits until an unreachable source has failed; false when the program ends without.
    func isWaitingForSource() async -> Bool { await says("the source is opened again in 3600000 ms") }

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
