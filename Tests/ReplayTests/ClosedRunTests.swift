import Campaigns
import ChildPrograms
import Glibc
import HostSupport
import TestFiles
import Testing
import TextEncoding

/// Runs that are closed before their ends, where archives come as they are written.
struct ClosedRunTests {
    private let files = TemporaryFolder()
    private let plugins: PluginFolder

    init() throws {
        plugins = try PluginFolder(fixtures: ["witness"], plugins: ["jsonlines", "example-c", "new-relic-video"])
    }

    private func start(
        _ operand: String,
        _ arguments: [String],
        trackers: String = "example-c",
        input: String = "/dev/null",
        folder: String = "/tmp"
    ) throws -> ChildProgram {
        try ChildProgram.startReplay(
            [
                operand, "--json", "--plugins", "\(trackers),jsonlines", "--plugin-dir", plugins.path,
                "--set", "plugins.jsonlines.config.events=true",
                "--set", "plugins.jsonlines.config.path=\(files.path)/out.jsonl",
            ] + arguments,
            input: input,
            environment: ["TMPDIR": folder]
        )
    }

    private func written() -> [Substring] {
        ((try? TestFile.text(files.path + "/out.jsonl")) ?? "").split(separator: "\n")
    }

    /// Adds lines to the archive that is followed, or writes them into a pipe.
    private func feed(_ lines: [String], to pipe: Int32) {
        guard pipe < 0 else { return write(lines, to: pipe) }
        guard let file = unsafe fopen(files.path + "/live.tally", "a") else { fatalError("it cannot be written") }
        for line in lines { unsafe fputs(line + "\n", file) }
        unsafe fclose(file)
    }

    /// The lines of a whole run.
    private func lines(of run: String) throws -> [String] {
        try TestFile.text(TestFile.archive("plain")).split(separator: "\n").map {
            String($0).replacing("\"plain-run\"", with: "\"\(run)\"")
        }
    }

    // MARK: - An archive that is still written

    /// What was said of each run, in its order, and the summary without what differs by rule.
    private func outcome(
        of text: String,
        isPipe: Bool,
        openRuns: Int
    ) async throws -> (lines: [String: [Substring]], summary: JSONObject) {
        unsafe unlink(files.path + "/out.jsonl")
        let path = files.write("many.tally", text)
        let process = try start(
            isPipe ? "-" : path,
            (isPipe ? [] : ["--follow", "--idle-limit", "1"]) + ["--open-runs", "\(openRuns)"],
            trackers: "witness,new-relic-video",
            input: isPipe ? try await fed(path) : "/dev/null"
        )
        let run = try await process.outcome()
        var summary = try #require(try run.summary().object)
        #expect(run.errors.contains("more than \(openRuns) player runs are open") == (openRuns < 100), "\(run.errors)")
        #expect((summary["reopened_runs"]?.int ?? 0 > 0) == (openRuns < 100))
        for name in ["elapsed_us", "closed_runs", "reopened_runs"] { summary[name] = nil }
        summary["places"] = .array(
            (summary["places"]?.array ?? []).compactMap(\.string).sorted().map { JSONValue.string($0) }
        )
        return (Dictionary(grouping: written()) { String($0.split(separator: "\"")[7]) }, summary)
    }

    @Test(
        "Of a followed archive, and of a pipe, each run says the same, however few may be open at once",
        arguments: [false, true],
        [false, true]
    )
    func followed(trouble: Bool, isPipe: Bool) async throws {
        var random = SplitMix64(seed: trouble ? 31 : 30)
        let text = GeneratedArchive.text(runs: 12, samples: 20, order: .interleaved, trouble: trouble, &random)
        let expected = try await outcome(of: text, isPipe: isPipe, openRuns: 1_000)
        #expect(expected.lines.count == 12)
        for openRuns in [1, 5] {
            let found = try await outcome(of: text, isPipe: isPipe, openRuns: openRuns)
            for (run, lines) in expected.lines { #expect(found.lines[run] == lines, "\(openRuns): \(run)") }
            #expect(found.lines.count == 12)
            #expect(found.summary == expected.summary)
        }
    }

    @Test("A run that is idle has its session ended, and says no line twice when it goes on", arguments: [false, true])
    func idle(isPipe: Bool) async throws {
        let (a, b) = (try lines(of: "a"), try lines(of: "b"))
        let end = isPipe ? makePipe() : -1
        feed(Array(a[..<8]) + b[..<2], to: end)
        let process = try start(
            isPipe ? "-" : files.path + "/live.tally",
            (isPipe ? [] : ["--follow", "--idle-limit", "3600"]) + ["--run-idle-limit", "1"],
            input: isPipe ? files.path + "/pipe" : "/dev/null"
        )
        #expect(await eventually { written().count { $0.contains("\"cause\":\"idle\"") } == 2 })
        let before = written()
        #expect(before.count { $0.hasPrefix("{\"line\":\"session_end\",\"run\":\"a\"") } == 1)
        #expect(!before.contains { $0.contains("run_end") })
        feed(Array(a[8...]) + b[2...], to: end)
        if isPipe { close(end) }
        let run = try await process.outcome()
        #expect(run.code == 0, "\(run.errors)")
        let summary = try run.summary()
        #expect(summary["closed_runs"] == .int(2) && summary["reopened_runs"] == .int(2))
        #expect(summary["runs"] == .int(2) && summary["open_runs"] == .int(0))
        #expect(Array(written().prefix(before.count)) == before)
        let all = written()
        #expect(all.count == Set(all).count, "said twice")
        for name in ["a", "b"] {
            let numbers = all.filter { $0.hasPrefix("{\"line\":\"event\",\"run\":\"\(name)\"") }
                .compactMap { try? JSONParser().parse(String($0))["n"]?.int }
            #expect(numbers == Array(1...18))
            #expect(all.count { $0.hasPrefix("{\"line\":\"run_end\",\"run\":\"\(name)\"") } == 1)
        }
    }

    // MARK: - A pipe

    /// Makes a pipe, and opens it for both, so that the program's opening of it does not wait.
    private func makePipe() -> Int32 {
        #expect(unsafe mkfifo(files.path + "/pipe", 0o600) == 0)
        return unsafe open(files.path + "/pipe", O_RDWR | O_CLOEXEC)
    }

    /// A pipe into which somebody else writes a file.
    private func fed(_ path: String) async throws -> String {
        let pipe = files.path + "/fed"
        unsafe unlink(pipe)
        #expect(unsafe mkfifo(pipe, 0o600) == 0)
        _ = try await ChildProgram.run("/bin/sh", ["-c", "cat '\(path)' > '\(pipe)' &"])
        return pipe
    }

    /// Replays through a pipe; `body` is given its writing end, and closes it.
    private func pipe(
        _ arguments: [String],
        folder: String = "/tmp",
        _ body: (Int32) async throws -> Void
    ) async throws -> ChildProgram.Outcome {
        let end = makePipe()
        let process = try start("-", arguments, input: files.path + "/pipe", folder: folder)
        try await body(end)
        return try await process.outcome()
    }

    private func write(_ lines: [String], to pipe: Int32) {
        let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
        #expect(unsafe Glibc.write(pipe, bytes, bytes.count) == bytes.count)
    }

    @Test("Of a pipe the run heard of least recently is closed, and begun again when it goes on")
    func limit() async throws {
        let (a, b, c) = (try lines(of: "a"), try lines(of: "b"), try lines(of: "c"))
        let text = Array(a[..<4]) + b[..<5] + a[4..<8] + c + b[5...] + a[8...]
        let run = try await pipe(["--open-runs", "2"]) { end in
            write(text, to: end)
            close(end)
        }
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.errors.contains("for which /tmp keeps what comes through the pipe"), "\(run.errors)")
        #expect(run.errors.contains("or have runs wait for the end of the pipe with --jobs 2"), "\(run.errors)")
        let summary = try run.summary()
        #expect(summary["closed_runs"] == .int(1) && summary["reopened_runs"] == .int(1))
        #expect(summary["left_out_lines"] == .int(0) && summary["ended_runs"] == .int(0))
        #expect(summary["kept_bytes"] == .int(Int64(text.joined().utf8.count + text.count)))
        #expect(!written().contains { $0.contains("\"cause\":\"limit\"") })
        for name in ["a", "b", "c"] {
            #expect(written().count { $0.hasPrefix("{\"line\":\"event\",\"run\":\"\(name)\"") } == 17)
        }
    }

    @Test("Where nothing can keep a pipe, the run is ended, and what still comes of it is left out and counted")
    func unkept() async throws {
        let (a, b, c) = (try lines(of: "a"), try lines(of: "b"), try lines(of: "c"))
        let run = try await pipe(["--open-runs", "2"], folder: files.file("nowhere")) { end in
            write(Array(a[..<4]) + b[..<5] + a[4..<8] + c + b[5...] + a[8...], to: end)
            #expect(await eventually { written().contains { $0.hasPrefix("{\"line\":\"run_end\",\"run\":\"a\"") } })
            close(end)
        }
        #expect(run.code == 65, "\(run.errors)")
        let warning = "more than 2 player runs are open: the one heard of least recently is closed"
        #expect(run.errors.split(separator: "\n").count { $0.contains(warning) } == 1, "\(run.errors)")
        #expect(run.errors.contains("/nowhere: No such file or directory"), "\(run.errors)")
        let summary = try run.summary()
        #expect(summary["closed_runs"] == .int(1) && summary["reopened_runs"] == .int(0))
        #expect(summary["left_out_lines"] == .int(Int64(b.count - 5)) && summary["ended_runs"] == .int(1))
        let place = "standard input:\(8 + 5 + c.count + 1)"
        #expect(
            summary["places"] == [
                .string("\(place): line of the run b, which was closed before its end: it is left out")
            ]
        )
        let all = written()
        #expect(all.filter { $0.contains("\"cause\":\"limit\"") }.map { $0.contains("\"run\":\"b\"") } == [true])
        #expect(all.count { $0.hasPrefix("{\"line\":\"run_end\"") } == 3)
    }

    @Test("Of a pipe that nothing keeps idle runs are ended while it is waited for", arguments: [false, true])
    func idlePipe(isControlled: Bool) async throws {
        let control = isControlled ? ["--control", files.path + "/socket"] : []
        let (a, b) = (try lines(of: "a"), try lines(of: "b"))
        let run = try await pipe(["--run-idle-limit", "1"] + control, folder: files.file("nowhere")) { end in
            write(Array(a[..<8]), to: end)
            #expect(await eventually { written().contains { $0.hasPrefix("{\"line\":\"run_end\",\"run\":\"a\"") } })
            write(b, to: end)
            #expect(await eventually { written().contains { $0.hasPrefix("{\"line\":\"run_end\",\"run\":\"b\"") } })
            close(end)
        }
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.errors.contains("nothing came of the run a for too long"))
        #expect(run.errors.contains("no file for the lines of the pipe can be made in"))
        #expect(written().count { $0.contains("\"cause\":\"idle\"") } == 1)
        let summary = try run.summary()
        #expect(summary["closed_runs"] == .int(1) && summary["left_out_lines"] == .int(0))
    }

    @Test(
        "A full disk ends the replay of a pipe when a closed run needs it, and says what to do",
        // The thread sanitizer has a file of its own, which the disk would have no room for either.
        .disabled(if: ChildProgram.isUnderThreadSanitizer),
        arguments: [1, 4]
    )
    func fullDisk(openRuns: Int) async throws {
        var random = SplitMix64(seed: 32)
        let text = GeneratedArchive.text(runs: 4, samples: 4, order: .interleaved, trouble: false, &random)
        let path = files.write("some.tally", text)
        // No file may have a byte.
        let words = "'\(TestFile.products)/tally-replay' - --json --open-runs \(openRuns)"
        let script = "trap '' XFSZ; cat '\(path)' | (ulimit -f 0; exec \(words) 2>&1) | cat; exit 0"
        let run = try await ChildProgram.run("/bin/bash", ["-c", script], environment: ["TMPDIR": "/tmp"])
        #expect(run.output.contains("\"exit_code\":\(openRuns == 1 ? 73 : 0)"), "\(run.output)")
        let problem = "/tmp has no room for what comes through the pipe"
        #expect(run.output.contains(problem) == (openRuns == 1), "\(run.output)")
    }

    @Test("Where no file for runs that wait can be made, the replay ends, with the reason and what to do")
    func unmade() async throws {
        var random = SplitMix64(seed: 34)
        let text = GeneratedArchive.text(runs: 4, samples: 4, order: .interleaved, trouble: false, &random)
        let path = files.write("some.tally", text)
        let nowhere = files.file("nowhere")
        let run = try await ChildProgram.run(
            "tally-replay",
            [path, "--open-runs", "1"],
            environment: ["TMPDIR": nowhere]
        )
        #expect(run.code == 73, "\(run)")
        let what = "the runs that wait, more than 1 being open at once"
        let problem = "\(nowhere) cannot keep \(what): No such file or directory"
        #expect(run.errors.contains("\(problem): name another folder in TMPDIR"), "\(run.errors)")
    }

    @Test("The room of what no open run needs any more is given back, and what is needed is found behind it")
    func room() async throws {
        var random = SplitMix64(seed: 33)
        let short = try TestFile.text(TestFile.archive("plain"))
        let many = (1...9_000).map { short.replacing("\"plain-run\"", with: "\"short-\($0)\"") }
        let open = GeneratedArchive.text(runs: 2, samples: 4, order: .interleaved, trouble: false, &random)
            .split(separator: "\n").map { $0 + "\n" }
        // The two that are open are closed soon, and go on behind a third of the others.
        let text = many[..<6_000].joined() + open[..<8].joined() + many[6_000...].joined() + open[8...].joined()
        let path = files.write("some.tally", text)
        var summaries: [JSONValue] = []
        for openRuns in ["1", "1000"] {
            let run = try await ChildProgram.replay(
                ["-", "--json", "--open-runs", openRuns],
                input: fed(path),
                environment: ["TMPDIR": "/tmp"]
            )
            #expect(run.code == 0, "\(run.errors)")
            summaries.append(try run.summary())
        }
        #expect(summaries[0]["runs"] == .int(9_002) && summaries[0]["events"] == summaries[1]["events"])
        #expect(summaries[0]["reopened_runs"]?.int ?? 0 > 1)
        let third = text.utf8.count / 3
        #expect((third...third + 6 << 20).contains(Int(summaries[0]["kept_bytes"]?.int ?? 0)), "\(summaries[0])")
    }

    @Test("With several coordinators the runs of a pipe wait as those of a file do, and the output is the same")
    func severalJobs() async throws {
        var random = SplitMix64(seed: 34)
        let text = GeneratedArchive.text(runs: 12, samples: 20, order: .interleaved, trouble: true, &random)
        let path = files.write("many.tally", text)
        var outputs: [[Substring]] = []
        for more in [["--open-runs", "1000"], ["--open-runs", "2", "--jobs", "2"]] {
            unsafe unlink(files.path + "/out.jsonl")
            let run = try await start("-", more, trackers: "witness", input: fed(path)).outcome()
            #expect(run.code == 65, "\(run.errors)")
            #expect(run.errors.contains("those that begin now wait in") == more.contains("--jobs"), "\(run.errors)")
            #expect(try run.summary()["closed_runs"] == .int(0))
            outputs.append(written())
        }
        #expect(outputs[0].count > 100 && outputs[0] == outputs[1])
    }
}
