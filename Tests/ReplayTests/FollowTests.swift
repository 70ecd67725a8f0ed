import ChildPrograms
import Glibc
import Testing
import TextEncoding

/// Archives that are still written.
struct FollowTests {
    private let files = TemporaryFolder()

    private func append(_ text: some StringProtocol) {
        guard let file = unsafe fopen(files.path + "/live.tally", "a") else { fatalError("it cannot be written") }
        unsafe fputs(String(text), file)
        unsafe fclose(file)
    }

    private func start(_ folder: PluginFolder, _ arguments: [String] = []) throws -> ChildProgram {
        try ChildProgram.startReplay(
            [
                files.path + "/live.tally", "--follow", "--json", "--plugins", "example-c,jsonlines",
                "--plugin-dir", folder.path, "--set", "plugins.jsonlines.config.path=\(files.path)/out.jsonl",
                "--set", "plugins.jsonlines.config.events=true",
            ] + arguments
        )
    }

    private func written() -> String { (try? TestFile.text(files.path + "/out.jsonl")) ?? "" }

    /// How many events were written.
    private func events() -> Int {
        written().split(separator: "\n").count { $0.contains("\"line\":\"event\"") }
    }

    @Test("Lines are replayed as they come, half a line waits, and the run's end is the end")
    func follow() async throws {
        let folder = try PluginFolder(plugins: ["example-c", "jsonlines"])
        let text = try TestFile.text(TestFile.archive("plain"))
        let lines = text.split(separator: "\n", omittingEmptySubsequences: true)
        append("")
        let process = try start(folder, ["--idle-limit", "3600"])
        append(lines[0] + "\n")
        append(lines[1] + "\n" + lines[2].prefix(20))
        #expect(await eventually { events() == 1 })
        append(lines[2].dropFirst(20) + "\n" + lines[3] + "\n")
        #expect(await eventually { events() == 3 })
        append(lines[4...].joined(separator: "\n") + "\n")
        let run = try await process.outcome()
        #expect(run.code == 0, "\(run.errors)")
        #expect(try run.summary()["open_runs"] == .int(0) && run.summary()["damaged"] == .int(0))

        let followed = written()
        let whole = try await ChildProgram.replay([
            TestFile.archive("plain"), "--plugins", "example-c,jsonlines", "--plugin-dir", folder.path,
            "--set", "plugins.jsonlines.config.path=\(files.path)/out.jsonl",
            "--set", "plugins.jsonlines.config.events=true",
        ])
        #expect(whole.code == 0 && written() == followed)
    }

    @Test("When nothing comes any more a limit ends it with a warning, and a signal ends it as success")
    func ends() async throws {
        let folder = try PluginFolder(plugins: ["example-c", "jsonlines"])
        let lines = try TestFile.text(TestFile.archive("plain")).split(separator: "\n")
        append(lines[..<5].joined(separator: "\n") + "\n" + lines[5].prefix(9))
        let abandoned = try await start(folder, ["--idle-limit", "1"]).outcome()
        #expect(abandoned.errors.contains("nothing came for 1 s"))
        #expect(try abandoned.summary()["open_runs"] == .int(1))
        // The half line is one that is cut off.
        #expect(abandoned.code == 65)

        #expect(unsafe unlink(files.file("out.jsonl")) == 0)
        let process = try start(folder, ["--idle-limit", "3600"])
        #expect(await eventually { events() == 4 })
        process.send(SIGINT)
        let stopped = try await process.outcome()
        #expect(stopped.code == 0 && stopped.errors.contains("ended early: a signal"))
        #expect(try stopped.summary()["damaged"] == .int(0))
    }

    @Test("What cannot be followed is refused with the reason")
    func refused() async throws {
        let folder = try PluginFolder(plugins: ["example-c", "jsonlines"])
        let plain = TestFile.archive("plain")
        for (arguments, reason) in [
            ([plain, plain, "--follow"], "one archive, a file"), (["-", "--follow"], "one archive, a file"),
            ([plain, "--follow", "--where", "event == \"play\""], "read the whole archive first"),
            ([plain, "--idle-limit", "3"], "--follow"), ([plain, "--paused"], "--control PATH"),
            ([plain, "--speed", "2", "--rate", "2"], "no --rate with it"),
            ([plain, "--rate", "0"], "from 0.001 to 10000000"),
        ] {
            let run = try await ChildProgram.replay(arguments)
            #expect(run.code == 64 && run.errors.contains(reason), "\(arguments): \(run.errors)")
        }
        append(try TestFile.text(plain).prefix(400))
        let process = try start(folder, ["--idle-limit", "3600"])
        #expect(await eventually { events() > 0 })
        #expect(unsafe truncate(files.path + "/live.tally", 10) == 0)
        let run = try await process.outcome()
        #expect(run.code == 65 && run.errors.contains("has become shorter"))
    }

    @Test("Commands are taken while standard input has nothing to read")
    func standardInput() async throws {
        let pipe = files.path + "/pipe"
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        let folder = try PluginFolder(plugins: ["example-c", "discard"])
        let socket = files.path + "/socket"
        // Open for both, so that the program's opening of it does not wait.
        let end = unsafe open(pipe, O_RDWR | O_CLOEXEC)
        defer { close(end) }
        let process = try ChildProgram.startReplay(
            ["-", "--plugins", "example-c,discard", "--plugin-dir", folder.path, "--control", socket, "--json"],
            input: pipe
        )
        #expect(await eventually { unsafe access(socket, F_OK) == 0 })
        let lines = Array(
            try TestFile.text(TestFile.archive("plain")).split(separator: "\n")[..<4].joined(separator: "\n").utf8
        )
        #expect(unsafe write(end, lines + [10], lines.count + 1) == lines.count + 1)
        #expect(
            try await eventually {
                let stats = try await ChildProgram.replay([
                    "ctl", "--timeout", "300", "--control", socket, "--json", "stats",
                ])
                return try JSONParser().parse(stats.output)["data"]?["replay"]?["events"] == .int(3)
            }
        )
        #expect(
            try await ChildProgram.replay(["ctl", "--timeout", "300", "--control", socket, "disable", "example-c"]).code
                == 0
        )
        #expect(try await ChildProgram.replay(["ctl", "--timeout", "300", "--control", socket, "quit"]).code == 0)
        #expect(try await process.outcome().code == 0)
    }

    @Test("Only one archive can be followed, also when a folder names several")
    func several() async throws {
        for name in ["a", "b"] { _ = files.write("d/\(name).tally", "") }
        let run = try await ChildProgram.replay([files.file("d"), "--follow"])
        #expect(run.code == 64)
        #expect(run.errors.contains("--follow takes one archive, and 2 are named"))
    }
}
