import ChildPrograms
import Glibc
import TestFiles
import Testing
import TextEncoding

extension ChildProgram {
    /// Starts the replay that was built beside this test.
    ///
    /// - Parameters:
    ///   - arguments: the command line behind the program's name.
    ///   - input: the file that is its standard input.
    ///   - environment: its whole environment.
    ///   - stdout: the file that is its standard output, when it is not kept for the test.
    ///   - errors: the same for standard error.
    /// - Returns: the program while it runs.
    /// - Throws: when it cannot be started.
    static func startReplay(
        _ arguments: [String],
        input: String = "/dev/null",
        environment: [String: String] = [:],
        stdout: String? = nil,
        errors: String? = nil
    ) throws -> ChildProgram {
        try ChildProgram(
            "tally-replay",
            arguments,
            input: input,
            output: stdout,
            errors: errors,
            environment: environment,
            inherits: false
        )
    }

    /// Runs the replay to its end; see ``startReplay(_:input:environment:stdout:errors:)``.
    static func replay(
        _ arguments: [String],
        input: String = "/dev/null",
        environment: [String: String] = [:],
        stdout: String? = nil
    ) async throws -> Outcome {
        try await startReplay(arguments, input: input, environment: environment, stdout: stdout).outcome()
    }

    /// Compresses a file with the system's own program, whose options are given behind its name.
    static func compress(_ program: String, _ path: String, to target: String) async throws {
        let words = program.split(separator: " ").map(String.init) + ["-c", path]
        let run = try await ChildProgram.run("/usr/bin/env", words, output: target)
        try #require(run.code == 0, "\(run.errors)")
    }

    /// The names of its threads.
    var threadNames: [String] {
        threads.compactMap { try? TestFile.text("/proc/\(id)/task/\($0)/comm") }.map { $0.replacing("\n", with: "") }
    }

    private var threads: [String] {
        guard let stream = unsafe opendir("/proc/\(id)/task") else { return [] }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    /// Waits until one of its threads waits for input; false when it does not come to that.
    func waitUntilReading() async -> Bool {
        await eventually {
            threads.contains { task in
                // The numbers of read, poll and ppoll.
                let call = (try? TestFile.text("/proc/\(id)/task/\(task)/syscall"))?.prefix { $0 != " " }
                return call.map { ["0", "7", "271"].contains($0) } ?? false
            }
        }
    }
}

extension PluginFolder {
    /// The tracker that repeats what it sees, and the reporter that writes it.
    static func witness() throws -> PluginFolder {
        try PluginFolder(fixtures: ["witness"], plugins: ["jsonlines"])
    }

    /// Replays with these two; the summary is JSON.
    func replay(_ arguments: [String]) async throws -> ChildProgram.Outcome {
        try await ChildProgram.replay(
            arguments + ["--plugins", "witness,jsonlines", "--plugin-dir", path, "--json"]
        )
    }
}

extension ChildProgram.Outcome {
    /// The lines that reporters wrote.
    var lines: [Substring] {
        output.split(separator: "\n")
    }

    /// The summary, which is the last line with `--json`.
    func summary() throws -> JSONValue {
        try JSONParser().parse(errors.split(separator: "\n").last.map(String.init) ?? "")
    }
}
