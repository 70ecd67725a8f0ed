import ChildPrograms
import Glibc
import Testing
import TextEncoding

/// Bad input: a message that says what, where and what to do, and the documented exit code.
struct FailureTests {
    private let files = TemporaryFolder()
    private let plain = TestFile.archive("plain")

    @Test(
        "A wrong command line is answered with its own exit code",
        arguments: [
            ([], "ARCHIVE is missing"),
            (["--nope", "a"], "unknown option --nope"),
            (["--plugin", "x", "a"], "unknown option --plugin; did you mean --plugins?"),
            (["a", "--speed", "0"], "the option --speed has the value \"0\", expected a number from 0.25 to 1000000"),
            (["a", "--speed", "1e-300"], "expected a number from 0.25"),
            (["a", "--patience", "soon"], "expected an integer from 1 to 86400"),
            (["-", "-"], "expected standard input only once"),
            (["--list-plugins", "a"], "unexpected argument \"a\""),
            (
                ["a", "--set", "x"],
                "the option --set has the value \"x\", expected KEY=VALUE, for example plugins.NAME."
            ),
            (["a", "--set", "=x"], "the option --set has the value \"=x\", expected KEY=VALUE"),
            (
                ["a", "--set", "x={"],
                "has the value \"x={\", expected a value in JSON5 behind the =: the text ends inside"
            ),
        ]
    )
    func usage(arguments: [String], message: String) async throws {
        let run = try await ChildProgram.replay(arguments)
        #expect(run.code == 64)
        #expect(run.errors.contains(message))
        #expect(run.errors.contains("Try 'tally-replay --help'"))
    }

    @Test("Every operand that names nothing is told, before anything is replayed")
    func missing() async throws {
        let empty = TemporaryFolder()
        let missing = files.file("missing.tally")
        let run = try await ChildProgram.replay([plain, missing, empty.path])
        #expect(run.code == 66)
        #expect(run.errors.contains("\(missing): cannot read the archive: No such file or directory"))
        #expect(
            run.errors.contains("\(empty.path): the folder holds no archive: no file that ends in .tally or .jsonl")
                && !run.errors.contains("--depth")
        )
        #expect(!run.errors.contains("events"))
    }

    @Test("A wrong configuration is told with file, line and key, all of it, before any plugin starts")
    func configuration() async throws {
        let plugins = try PluginFolder(fixtures: ["witness"], plugins: ["jsonlines"])
        let folder = TemporaryFolder()
        let output = folder.path + "/output"
        let config = folder.write(
            "tally.json5",
            """
            {plugins: {
              jsonlines: {config: {path: "\(output)", recrods: true}},
              witness: {config: {timers: -4}},
            }}
            """
        )
        let run = try await ChildProgram.replay([plain, "--config", config, "--plugin-dir", plugins.path])
        #expect(run.code == 78)
        #expect(run.errors.contains("\(config):2:"))
        #expect(run.errors.contains("plugins.jsonlines.config.recrods: the key \"recrods\" is not known; did you mean"))
        #expect(run.errors.contains("\(config):3:22: plugins.witness.config.timers: found an integer -4, expected 0"))
        #expect(throws: TestFile.Unreadable.self) { try TestFile.bytes(output) }
    }

    @Test("The name of an instance that cannot be one is a wrong command line where that has it")
    func instanceName() async throws {
        let long = String(repeating: "a", count: 256)
        let run = try await ChildProgram.replay([plain, "--plugins", long])
        #expect(run.code == 64 && run.errors.contains("cannot be used; it needs 1 to 255 bytes"), "\(run.errors)")
        let config = files.write("long.json5", "{plugins: {'\(long)': {plugin: 'discard'}}}")
        #expect(try await ChildProgram.replay([plain, "--config", config]).code == 78)
    }

    @Test("A file that the configuration names makes it wrong when it is missing; the file of --config is an input")
    func missingFile() async throws {
        for text in [
            "{plugins: {discard: {config: {$file: 'none.json5'}}}}", "{shared: {x: 'none.json5'}}",
            "{shared: {x: {$file: 'none.json5'}}}", "{$file: 'none.json5'}",
        ] {
            let config = files.write("names.json5", text)
            let run = try await ChildProgram.replay([plain, "--config", config])
            #expect(run.code == 78)
            #expect(run.errors.contains("\(config):1:") && run.errors.contains("none.json5: No such file"))
        }
        let run = try await ChildProgram.replay([plain, "--config", files.file("none.json5")])
        #expect(run.code == 66)
    }

    @Test("A configuration that the plugin itself refuses is told with its place and the plugin's reason")
    func refused() async throws {
        let plugins = try PluginFolder(fixtures: ["init-fails"])
        let config = files.write("tally.json5", "{plugins: [\n  {name: 'a', plugin: 'init-fails'}]}")
        let run = try await ChildProgram.replay([plain, plain, "--config", config, "--plugin-dir", plugins.path])
        #expect(run.code == 78)
        let message = "\(config):2:3: plugins.a.config: the tracking server has no name"
        #expect(run.errors.split(separator: "\n").count { $0.hasSuffix(message) } == 1)
        let explained = try await ChildProgram.replay(["--explain", "--config", config, "--plugin-dir", plugins.path])
        #expect(explained.code == 78 && explained.errors.contains(message), "\(explained.errors)")
    }

    @Test("What a plugin refuses of what an option has set is told with the option, not with the file")
    func refusedOption() async throws {
        let plugins = try PluginFolder(plugins: ["nielsen-dcr"])
        let config = files.write("nielsen.json5", "{plugins: {'nielsen-dcr': {config: {segmentSeconds: 20}}}}")
        let arguments = [plain, "--config", config, "--plugin-dir", plugins.path]
        let option = "--set plugins.nielsen-dcr.config.creditSeconds=40"
        let run = try await ChildProgram.replay(arguments + option.split(separator: " ").map(String.init))
        #expect(run.code == 78, "\(run.errors)")
        #expect(run.errors.contains("error: \(option): plugins.nielsen-dcr.config: the key \"creditSeconds\""))
        let other = try await ChildProgram.replay(
            arguments + ["--set", "plugins.nielsen-dcr.config.appname=x"]
                + ["--set", "plugins.nielsen-dcr.config={collectionHost: 'http://x'}"]
        )
        #expect(other.errors.contains("error: --set plugins.nielsen-dcr.config={collectionHost"), "\(other.errors)")
    }

    @Test("A configuration that a tracker refuses costs no output of before")
    func refusedBeforeOutput() async throws {
        let plugins = try PluginFolder(fixtures: ["init-fails"], plugins: ["jsonlines"])
        let output = files.write("output.jsonl", "what was here\n")
        let run = try await ChildProgram.replay([
            plain, "--plugins", "jsonlines,init-fails", "--plugin-dir", plugins.path,
            "--set", "plugins.jsonlines.config.path=\(output)",
        ])
        #expect(run.code == 78, "\(run.errors)")
        #expect(try TestFile.text(output) == "what was here\n")
    }

    @Test("A plugin that cannot be used is told with its file and what to do")
    func unusable() async throws {
        let plugins = try PluginFolder(fixtures: ["no-entry", "wrong-major"])
        let text = plugins.add(text: "not a library", as: "text")
        for (name, message) in [
            ("no-entry", "not a Tally plugin"), ("wrong-major", "built for plugin ABI 2"),
            ("text", "it is no ELF file"),
            ("absent", "no plugin absent in \(plugins.path)"),
        ] {
            let run = try await ChildProgram.replay([plain, "--plugins", name, "--plugin-dir", plugins.path])
            #expect(run.code == 75)
            let error = run.errors.split(separator: "\n").first { $0.contains("error: --plugins \(name): ") }
            #expect(error?.contains(message) == true, "\(run.errors)")
        }
        #expect(
            try await ChildProgram.replay([plain, "--plugins", "absent", "--plugin-dir", plugins.path]).errors.contains(
                text
            )
        )
    }

    @Test("Running out of descriptors is told as that, and blames no plugin and no memory", arguments: 5...6)
    func descriptors(limit: Int) async throws {
        let plugins = try PluginFolder(plugins: ["jsonlines"])
        let words = "'\(TestFile.products)/tally-replay' '\(plain)' --plugins jsonlines --plugin-dir '\(plugins.path)'"
        let command = "ulimit -n \(limit); exec \(words)"
        // The same plugin beside the program would do, if it were known what is in it.
        let run = try await ChildProgram.run("/bin/sh", ["-c", command], environment: ["TALLY_CACHE": ""])
        #expect(run.code == 75, "\(run.errors)")
        #expect(run.errors.contains("Too many open files; raise the limit of open files"), "\(run.errors)")
        #expect(!run.errors.contains("author") && !run.errors.contains("memory for"), "\(run.errors)")
    }

    @Test("A tracker that returns errors is told, once, and the exit code says that its output is not complete")
    func trackerErrors() async throws {
        let plugins = try PluginFolder(fixtures: ["errors-without-end"])
        let run = try await ChildProgram.replay([
            plain, TestFile.archive("interleaved"), "--plugins", "errors-without-end", "--plugin-dir", plugins.path,
        ])
        #expect(run.code == 75)
        #expect(run.errors.contains("error number 1 of this instance"))
        #expect(!run.errors.contains("error number 2 of this instance"))
        #expect(run.errors.contains("trackers returned 41 errors"))
    }

    @Test("A session that heartbeat's configuration costs is an error, told once, and the exit code says so")
    func errorState() async throws {
        let plugins = try PluginFolder(plugins: ["adobe-heartbeat"])
        let run = try await ChildProgram.replay([
            plain, "--plugins", "adobe-heartbeat", "--plugin-dir", plugins.path, "--json",
        ])
        #expect(run.code == 75)
        let summary = try run.summary()
        let sessions = summary["sessions"]?.int ?? 0
        #expect(sessions == 1 && summary["tracker_errors"] == 1)
        let lines = run.errors.split(separator: "\n").filter { $0.contains("trackingServer is missing or empty") }
        #expect(lines.count == 1, "\(run.errors)")
    }

    @Test(
        "An output does not follow a symbolic link in a folder that others can write, and does in one's own",
        arguments: ["cat", "summary", "jsonlines", "sqlite", "http"]
    )
    func foreignLink(output: String) async throws {
        let plugins = try PluginFolder(fixtures: ["witness"], plugins: ["jsonlines", "sqlite", "http"])
        for (folder, mode, isFollowed) in [("shared", mode_t(0o777), false), ("own", 0o700, true)] {
            let target = files.write("target-\(folder)", "")
            #expect(files.makeFolder(folder))
            #expect(unsafe chmod(files.file(folder), mode) == 0)
            #expect(files.link("\(folder)/link", to: target))
            let link = files.file("\(folder)/link")
            let (key, tracker) = output == "http" ? ("spool", "") : ("path", "witness,")
            let words =
                switch output {
                case "cat": ["cat", plain, "-o", link]
                case "summary": [plain, "--summary", link]
                default:
                    [plain, "--plugins", tracker + output, "--plugin-dir", plugins.path]
                        + ["--set", "plugins.\(output).config.\(key)=\(link)"]
                }
            let run = try await ChildProgram.replay(words)
            #expect((run.code == 73) != isFollowed, "\(run.errors)")
            #expect(run.errors.contains("it is a symbolic link in a folder that others can write") != isFollowed)
            #expect(try TestFile.bytes(target).isEmpty != isFollowed)
        }
    }

    @Test("Outputs that a reporter could not write are counted and told with the reason")
    func fullDisk() async throws {
        let plugins = try PluginFolder(fixtures: ["witness"], plugins: ["jsonlines"])
        let arguments = [plain, "--plugins", "witness,jsonlines", "--plugin-dir", plugins.path, "--json"]
        let run = try await ChildProgram.replay(arguments + ["--set", "plugins.jsonlines.config.path=/dev/full"])
        #expect(run.code == 74)
        #expect(run.errors.contains("No space left on device"))
        let summary = try run.summary()
        let outputs = (summary["records"]?.int ?? 0) + (summary["beacons"]?.int ?? 0)
        #expect(outputs > 0)
        #expect(summary["reporters"]?.array?.map { $0["lost"] } == [.int(outputs)])
        #expect(try await ChildProgram.replay(arguments, stdout: "/dev/full").code == 74)
    }

    @Test("A reporter that takes nothing any more is left behind, and that is told")
    func stuck() async throws {
        let plugins = try PluginFolder(fixtures: ["witness", "slow-reporter"])
        let run = try await ChildProgram.replay([
            plain, "--plugins", "witness,slow-reporter", "--plugin-dir", plugins.path, "--patience", "1",
            "--set", "plugins.slow-reporter.config.milliseconds=600000",
        ])
        #expect(run.code == 74)
        #expect(run.errors.contains("slow-reporter did not end and was left behind"))
    }

    @Test("A reporter that refuses outputs at first gets them all in the end")
    func refusing() async throws {
        let plugins = try PluginFolder(fixtures: ["witness", "refusing-reporter"])
        let run = try await ChildProgram.replay([
            plain, "--plugins", "witness,refusing-reporter", "--plugin-dir", plugins.path,
            "--set", "plugins.refusing-reporter.config.ready=1",
        ])
        #expect(run.code == 0)
        #expect(run.errors.contains("\"disordered\":0"))
    }

    @Test("An output that cannot be created is told before the work, one that cannot be written after it")
    func summary() async throws {
        let missing = files.file("missing/summary.json")
        let cannotCreate = try await ChildProgram.replay([plain, "--summary", missing])
        #expect(cannotCreate.code == 73)
        #expect(cannotCreate.errors.contains("cannot create \(missing): No such file or directory"))
        #expect(!cannotCreate.errors.contains("events"))
        let cannotWrite = try await ChildProgram.replay([plain, "--summary", "/dev/full"])
        #expect(cannotWrite.code == 74)
        #expect(cannotWrite.errors.contains("cannot write to /dev/full: No space left on device"))
    }

    @Test("Nothing that a replay writes may be what it reads")
    func overwritten() async throws {
        let plugins = try PluginFolder(fixtures: ["witness"], plugins: ["jsonlines"])
        let text = try TestFile.text(plain)
        let archive = files.write("a.tally", text)
        let baseline = files.write("b.jsonl", "{}\n")
        let configuration = files.write("tally.json5", "{}\n")
        let common = ["--plugins", "witness,jsonlines", "--plugin-dir", plugins.path, "--quiet"]
        let path = "plugins.jsonlines.config.path="
        for (arguments, what) in [
            ([archive, "--set", path + archive], "one of the archives that are read"),
            (["-", "--set", path + archive], "one of the archives that are read"),
            ([archive, "--summary", archive], "one of the archives that are read"),
            ([archive, "--baseline", baseline, "--junit", archive], "one of the archives that are read"),
            ([archive, "--baseline", baseline, "--set", path + baseline], "the baseline"),
            ([archive, "--config", configuration, "--summary", configuration], "the configuration file"),
        ] {
            let run = try await ChildProgram.replay(arguments + common, input: archive)
            #expect(run.code == 73, "\(run.errors)")
            #expect(run.errors.contains(": it is \(what); name another file"), "\(run.errors)")
            #expect(try TestFile.text(archive) == text)
            #expect(try TestFile.text(baseline) == "{}\n")
            #expect(try TestFile.text(configuration) == "{}\n")
        }
        let diff = try await ChildProgram.replay(["diff", baseline, archive, "--junit", baseline])
        #expect(diff.code == 73)
        #expect(diff.errors.contains("it is one of the outputs that are compared"))
    }

    @Test("A comparison's result is the exit code of the summary too")
    func comparedSummary() async throws {
        let plugins = try PluginFolder(fixtures: ["witness"], plugins: ["jsonlines"])
        let run = try await ChildProgram.replay([
            plain, "--plugins", "witness", "--plugin-dir", plugins.path, "--json",
            "--baseline", files.write("b.jsonl", ""),
        ])
        #expect(run.code == 1, "\(run.errors)")
        #expect(try run.summary()["exit_code"] == 1)
    }

    @Test("The reason for a file that cannot be read is its own")
    func reason() async throws {
        let missing = files.file("missing")
        let run = try await ChildProgram.replay(["diff", missing, plain])
        #expect(run.errors.contains("\(missing): cannot read it: No such file or directory"))
    }
}
