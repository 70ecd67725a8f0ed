internal import Glibc
internal import TestFiles

/// A program that a test starts, and that runs beside it.
///
/// Nothing here blocks a thread that tests run on: a thread of its own waits for each program's end, and the test is
/// suspended until then. A program that nobody refers to any more is killed.
package final class ChildProgram: Sendable {
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

    /// A program did not end; it was killed.
    package struct Hang: Error, CustomStringConvertible {
        /// The program, and what it wrote.
        package let description: String
    }

    /// What a program came to.
    package struct Outcome: Sendable {
        /// The exit code, or the signal as a negative number.
        package let code: Int32
        /// What it wrote to standard output.
        package let output: String
        /// What it wrote to standard error.
        package let errors: String

        /// What a program came to that a test did not start but is.
        package init(code: Int32, output: String, errors: String) {
            self.code = code
            self.output = output
            self.errors = errors
        }
    }

    /// Whether and how a program goes on.
    package enum State: Equatable {
        case running, halted
        /// With the exit code, or the signal as a negative number.
        case ended(Int32)
    }

    /// The number of the process.
    package let id: Int32
    private let path: String
    private let watch: ProgramWatch
    private let folder: TemporaryFolder
    private let keeps: (output: Bool, errors: Bool)

    /// Starts a program: a path, or the name of one that was built beside this test.
    ///
    /// - Parameters:
    ///   - program: the path or the name.
    ///   - arguments: the command line behind the program's name.
    ///   - input: the file that is its standard input.
    ///   - output: the file that standard output goes to; without it ``output`` has what is written.
    ///   - errors: the same for standard error.
    ///   - joined: whether standard error goes where standard output goes.
    ///   - environment: variables that it gets besides those of this process.
    ///   - inherits: whether it gets the variables of this process at all.
    ///   - terminal: a terminal that it has as its controlling one, and that all its streams are.
    /// - Throws: the system's error.
    package init(
        _ program: String,
        _ arguments: [String],
        input: String = "/dev/null",
        output: String? = nil,
        errors: String? = nil,
        joined: Bool = false,
        environment: [String: String] = [:],
        inherits: Bool = true,
        terminal: String? = nil
    ) throws(StartFailure) {
        folder = TemporaryFolder()
        path = program.contains("/") ? program : "\(TestFile.products)/\(program)"
        keeps = (output == nil && terminal == nil, errors == nil && !joined && terminal == nil)
        var start = ProgramStart(name: path.split(separator: "/").last.map(String.init) ?? path)
        let outputPath = output ?? folder.file("output")
        start.streams = .files(
            input: input,
            output: outputPath,
            errors: joined ? outputPath : errors ?? folder.file("errors")
        )
        if let terminal { start.streams = .terminal(terminal) }
        start.environment = ProgramEnvironment.variables(adding: environment, inherits: inherits)
        switch start.start(path, arguments) {
        case .success(let id): self.id = id
        case .failure(let error): throw StartFailure(path: path, number: error.number)
        }
        watch = ProgramWatch(id)
    }

    deinit {
        send(SIGKILL)
    }

    /// Runs a program to its end; see ``init(_:_:input:output:errors:joined:environment:inherits:terminal:)``.
    package static func run(
        _ program: String,
        _ arguments: [String],
        input: String = "/dev/null",
        output: String? = nil,
        environment: [String: String] = [:],
        inherits: Bool = true
    ) async throws -> Outcome {
        let program = try ChildProgram(
            program,
            arguments,
            input: input,
            output: output,
            environment: environment,
            inherits: inherits
        )
        return try await program.outcome()
    }

    /// Whether it goes on.
    package var state: State { watch.state }

    /// The processes that it has started itself and that go on, the last one last.
    package var children: [Int32] {
        let found = TemporaryFolder.names(in: "/proc").compactMap { name -> (process: Int32, started: Int64)? in
            // Behind the name, which may have anything in it: the state, the parent, and later the time of the start.
            let text = (try? TestFile.text("/proc/\(name)/stat")) ?? ""
            let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
            guard let process = Int32(name), fields.count > 19, fields[1] == "\(id)" else { return nil }
            return Int64(fields[19]).map { (process, $0) }
        }
        return found.sorted { $0.started < $1.started }.map(\.process)
    }

    /// Sends a signal; nothing happens when the program has ended.
    package func send(_ signal: Int32) {
        if case .ended = watch.state { return }
        kill(id, signal)
    }

    /// What it wrote to standard output so far.
    package var output: String { keeps.output ? (try? TestFile.text(folder.file("output"))) ?? "" : "" }

    /// What it wrote to standard error so far.
    package var errors: String { keeps.errors ? (try? TestFile.text(folder.file("errors"))) ?? "" : "" }

    /// Waits until its standard error has a text; false when it ends without.
    package func says(_ text: String) async -> Bool {
        await eventually { errors.contains(text) || state != .running } && errors.contains(text)
    }

    /// The first line of its standard output, or of both streams where they are one; nil when it ends without.
    package func firstLine() async -> String? {
        await eventually { output.contains("\n") || state != .running }
            ? output.split(separator: "\n").first.map(String.init) : nil
    }

    /// Waits for the end: the exit code, or the signal as a negative number.
    ///
    /// - Throws: ``Hang`` when the end does not come; then the program is killed.
    package func end() async throws -> Int32 {
        let hasEnded = await eventually {
            if case .ended = state { true } else { false }
        }
        if hasEnded, case .ended(let code) = state { return code }
        let said = errors.suffix(2_000)
        send(SIGKILL)
        throw Hang(description: "\(path) does not end; it said: \(said)")
    }

    /// Waits for the end, and gives what the program came to.
    package func outcome() async throws -> Outcome {
        let code = try await end()
        return Outcome(code: code, output: output, errors: errors)
    }

    /// Asks it to end, kills it when it does not, and waits.
    package func terminate() async {
        send(SIGTERM)
        _ = try? await end()
    }

    /// Kills it, and waits; whether that is what ended it.
    @discardableResult
    package func killed() async throws -> Bool {
        send(SIGKILL)
        return try await end() == -SIGKILL
    }
}
