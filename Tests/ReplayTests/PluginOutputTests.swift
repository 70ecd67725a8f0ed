import ChildPrograms
import Glibc
import Testing
import TextEncoding

/// What plugins make of an archive.
struct PluginOutputTests {
    private let files = TemporaryFolder()
    private let folder: PluginFolder
    private let plain = TestFile.archive("plain")

    init() throws {
        folder = try PluginFolder(fixtures: ["witness"], plugins: ["jsonlines"])
    }

    private func replay(_ arguments: [String], code: Int32 = 0) async throws -> ChildProgram.Outcome {
        let run = try await ChildProgram.replay(arguments + ["--plugin-dir", folder.path, "--json"])
        #expect(run.code == code, "\(run.errors)")
        return run
    }

    /// The values of one key in the lines that reporters wrote, without repetitions.
    private func values(_ key: String, in run: ChildProgram.Outcome) throws -> [String] {
        var found: [String] = []
        for line in run.lines {
            let value = try #require(try JSONParser().parse(String(line))[key]?.string)
            if found.last != value { found.append(value) }
        }
        return found
    }

    @Test("A tracker's records and beacons go to standard output, and are counted")
    func output() async throws {
        let run = try await replay([plain, "--plugins", "witness,jsonlines"])
        let summary = try run.summary()
        let records = run.lines.count { $0.hasPrefix(#"{"line":"record""#) }
        let beacons = run.lines.count { $0.hasPrefix(#"{"line":"beacon""#) }
        #expect(records > 17 && beacons > 0)
        #expect(summary["records"] == .int(Int64(records)))
        #expect(summary["beacons"] == .int(Int64(beacons)))
        #expect(summary["reporters"]?.array?.map { $0["taken"] } == [.int(Int64(records + beacons))])
    }

    /// Runs the replay with what the script of a shell makes of its streams; its command line is `"$@"`.
    private func shell(_ script: String, _ arguments: [String], input: String = "/dev/null") async throws -> String {
        let words = ["-c", script, "sh", "\(TestFile.products)/tally-replay"] + arguments
        return try await ChildProgram.run("/bin/sh", words, input: input).errors
    }

    @Test("A replay ends at once when nobody reads the only output any more, and not while there is another one")
    func abandoned() async throws {
        let (pipe, go) = (files.file("pipe"), files.file("go"))
        #expect(unsafe mkfifo(pipe, 0o600) == 0 && mkfifo(go, 0o600) == 0)
        // Never at its end, as this test may write to it too.
        let input = unsafe open(pipe, O_RDWR | O_CLOEXEC)
        defer { close(input) }
        let text = Array(try TestFile.text(plain).utf8)
        #expect(unsafe write(input, text, text.count) == text.count)
        // The program starts when the reader has gone.
        let script = "{ read x < '\(go)'; \"$@\"; echo code $? >&2; } | { exec <&-; echo > '\(go)'; }"
        let plugins = ["--plugin-dir", folder.path, "--set", "plugins.jsonlines.config.events=true"]
        let errors = try await shell(script, ["-", "--plugins", "jsonlines"] + plugins, input: pipe)
        #expect(errors.contains("ended early: nobody reads standard output") && errors.contains("code 74"), "\(errors)")
        let other = files.file("other.jsonl")
        let both = ["plugin=jsonlines", "config.path=\(other)", "config.events=true"].flatMap {
            ["--set", "plugins.file.\($0)"]
        }
        let more = try await shell(script, [plain, "--plugins", "jsonlines,file"] + both + plugins)
        #expect(!more.contains("ended early") && more.contains("code 74"), "\(more)")
        #expect(try TestFile.text(other).split(separator: "\n").count >= 17)
    }

    @Test(
        "A tool whose output nobody reads any more says so and ends with 74",
        arguments: ["ls", "show", "cat", "diff"]
    )
    func abandonedTool(name: String) async throws {
        func played(_ event: String) -> String {
            files.write(event, "{\"line\":\"event\",\"run\":\"a\",\"event\":\"\(event)\"}\n")
        }
        let go = files.file("go-" + name)
        #expect(unsafe mkfifo(go, 0o600) == 0)
        let script = "{ read x < '\(go)'; \"$@\"; echo code $? >&2; } | { exec <&-; echo > '\(go)'; }"
        let outputs = name == "diff" ? ["play", "pause"].map(played) : [plain]
        let errors = try await shell(script, [name] + outputs)
        #expect(errors.contains("cannot write to standard output: Broken pipe"), "\(errors)")
        #expect(errors.contains("code 74"), "\(errors)")
    }

    @Test("Standard output that is closed is lost output, and no file that is opened later takes its place")
    func closed() async throws {
        let plugins = ["--plugins", "witness,jsonlines", "--plugin-dir", folder.path]
        for (script, words) in [("", [plain] + plugins), ("", ["ls", plain]), ("<&-", [plain] + plugins)] {
            let errors = try await shell("\"$@\" \(script) >&-; echo code $? >&2", words)
            #expect(errors.contains("code 74"), "\(errors)")
        }
    }

    @Test("Standard input that is closed is told as what it is")
    func closedInput() async throws {
        for words in [["-"], ["validate", "-"]] {
            let errors = try await shell("\"$@\" <&-; echo code $? >&2", words)
            #expect(errors.contains("standard input: ") && errors.contains("Bad file descriptor"), "\(errors)")
            #expect(errors.contains("code 66"), "\(errors)")
        }
    }

    @Test("A pipe that nobody reads and a full disk are told with what helps")
    func advice() async throws {
        let go = files.file("go-advice")
        #expect(unsafe mkfifo(go, 0o600) == 0)
        let script = "{ read x < '\(go)'; \"$@\"; } | { exec <&-; echo > '\(go)'; }"
        let plugins = ["--plugin-dir", folder.path, "--plugins", "witness,jsonlines"]
        let pipe = try await shell(script, [plain] + plugins)
        #expect(pipe.contains("Broken pipe (errno 32); have somebody read it or set \"path\""), "\(pipe)")
        let disk = try await shell("\"$@\"", [plain] + plugins + ["--set", "plugins.jsonlines.config.path=/dev/full"])
        #expect(disk.contains("(errno 28); make room or set \"path\""), "\(disk)")
    }

    @Test("A summary goes behind what standard output has already")
    func summary() async throws {
        let log = files.write("log", "before\n")
        _ = try await shell("\"$@\" --summary /dev/stdout --json >> '\(log)'", [plain])
        let lines = try TestFile.text(log).split(separator: "\n")
        #expect(lines.first == "before" && lines.count > 1, "\(lines)")
    }

    @Test("No file is written by two options, and none by a reporter and an option")
    func sameFile() async throws {
        let out = files.file("same.out")
        let reporter = ["--set", "plugins.jsonlines.config.path=\(out)"]
        for (words, what) in [
            (["--checkpoint", out] + reporter, "the file of --checkpoint"),
            (["--summary", out] + reporter, "the file of --summary"),
            (["--checkpoint", out, "--summary", out], "the file of --checkpoint"),
        ] {
            let plugins = ["--plugins", "witness,jsonlines", "--plugin-dir", folder.path]
            let run = try await ChildProgram.replay([plain] + plugins + words)
            #expect(run.code == 73 && run.errors.contains("it is \(what)"), "\(run.errors)")
            #expect(unsafe access(out, F_OK) != 0)
        }
        // Under another name, before there is a file and when there is one.
        let link = files.file("link.out")
        #expect(unsafe symlink("same.out", link) == 0)
        for name in [link, files.file("hard.out")] {
            let plugins = ["--plugins", "witness,jsonlines", "--plugin-dir", folder.path]
            let run = try await ChildProgram.replay([plain, "--summary", name] + plugins + reporter)
            #expect(run.code == 73 && run.errors.contains("it is the file of --summary"), "\(run.errors)")
            if name == link {
                _ = files.write("same.out", "kept")
                #expect(unsafe Glibc.link(out, files.file("hard.out")) == 0)
            }
        }
        #expect(try TestFile.text(out) == "kept")
        let log = files.write("kept", "before\n")
        let path = ["--set", "plugins.jsonlines.config.path=/dev/stdout"]
        let plugins = [plain, "--plugins", "witness,jsonlines", "--plugin-dir", folder.path]
        _ = try await shell("\"$@\" >> '\(log)'", plugins + path)
        #expect(try TestFile.text(log).hasPrefix("before\n{"))
    }

    @Test("A limit for idle runs that closes none is told")
    func idleLimit() async throws {
        let text = "--run-idle-limit closes no run"
        #expect(try await ChildProgram.replay([plain, "--run-idle-limit", "5"]).errors.contains(text))
        #expect(try await !ChildProgram.replay(["-", "--run-idle-limit", "5"], input: plain).errors.contains(text))
        let followed = try await ChildProgram.replay([plain, "--run-idle-limit", "5", "--follow"])
        #expect(followed.code == 0 && !followed.errors.contains(text), "\(followed.errors)")
    }

    @Test("The same archive gives the same bytes, whether it is a file or standard input")
    func repeatable() async throws {
        let arguments = ["--plugins", "witness,jsonlines", "--plugin-dir", folder.path]
        let first = try await ChildProgram.replay([plain] + arguments)
        let second = try await ChildProgram.replay(["-"] + arguments, input: plain)
        #expect(!first.output.isEmpty)
        #expect(first.output == second.output)
    }

    @Test("Interleaved runs give each run what it gives alone")
    func interleaved() async throws {
        let both = TestFile.archive("interleaved")
        let mixed = try await replay([both, "--plugins", "witness,jsonlines"])
        let separate = TemporaryFolder()
        for name in ["first-run", "second-run"] {
            let ofRun = { (line: Substring) in line.contains("\"run\":\"\(name)\"") }
            let text = try TestFile.text(both).split(separator: "\n").filter(ofRun).joined(separator: "\n")
            let alone = try await replay([separate.write(name, text + "\n"), "--plugins", "witness,jsonlines"])
            #expect(!alone.lines.isEmpty)
            #expect(alone.lines == mixed.lines.filter(ofRun))
        }
    }

    @Test("One plugin runs under several names, each with its own configuration, in the configured order")
    func instances() async throws {
        let config = files.write(
            "tally.json5",
            """
            {plugins: [
              {name: "late", plugin: "witness", config: {timers: 0}},
              {name: "early", plugin: "witness"},
              {plugin: "jsonlines", config: {beacons: false}},
            ]}
            """
        )
        let run = try await replay([plain, "--config", config])
        #expect(Set(try values("instance", in: run)) == ["late", "early"])
        #expect(try values("line", in: run) == ["record"])
        let chosen = try await replay([plain, "--config", config, "--plugins", "early,jsonlines"])
        #expect(try values("instance", in: chosen) == ["early"])
        let alone = run.lines.filter { $0.contains(#""instance":"early""#) }
        #expect(chosen.lines == alone)
    }

    @Test("A key that is set on the command line goes before the file")
    func set() async throws {
        let config = files.write("tally.json5", "{plugins: {witness: {}, jsonlines: {}}}")
        let arguments = [plain, "--config", config, "--set", "plugins.jsonlines.config.records=false"]
        #expect(try await values("line", in: replay(arguments)) == ["beacon"])
        let disabled = try await replay(arguments + ["--set", "plugins.witness.enabled=false"])
        #expect(disabled.lines.isEmpty)
    }

    @Test("Without a reporter the outputs are counted, and a note says so")
    func noReporter() async throws {
        let run = try await replay([plain, "--plugins", "witness"])
        #expect(run.output.isEmpty)
        #expect(try run.summary()["records"]?.int ?? 0 > 17)
        #expect(run.errors.contains("no reporter is among the plugins"))
    }

    @Test("Everything that was taken is written before the program ends")
    func everything() async throws {
        let many = TemporaryFolder()
        let text = try TestFile.text(plain)
        for number in 100..<160 {
            many.write("\(number).tally", text.replacing("plain-run", with: "run-\(number)"))
        }
        let run = try await replay([many.path, "--plugins", "witness,jsonlines"])
        let one = try await replay([
            plain, "--plugins", "witness,jsonlines", "--set", "plugins.witness.config.timers=4",
        ])
        let runs = try values("run", in: run)
        #expect(runs == (100..<160).map { "run-\($0)" })
        #expect(one.lines.count > 17 && run.lines.count > 60 * 17)
        let summary = try run.summary()
        let outputs = (summary["records"]?.int ?? 0) + (summary["beacons"]?.int ?? 0)
        #expect(outputs == Int64(run.lines.count))
    }
}
