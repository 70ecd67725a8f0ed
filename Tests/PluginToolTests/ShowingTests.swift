import ChildPrograms
import TestFiles
import Testing
import TextEncoding

/// `tally-plugin inspect`, `run` and `bench`, with the example in C.
struct ShowingTests {
    private static let example = "\(TestFile.products)/libexample-c.tallyplugin.so"
    private static let sample = "\(TestFile.repository)/Hosts/PluginTool/Samples/sample.tally"

    private func run(_ words: [String]) async throws -> ChildProgram.Outcome {
        try await ChildProgram.run("tally-plugin", words)
    }

    @Test("inspect has the file's part, the plugin's, and its configuration key by key")
    func inspect() async throws {
        let run = try await run(["inspect", Self.example])
        #expect(run.code == 0 && run.output.contains("exports      tally_plugin_entry_v1\n"), "\(run.output)")
        #expect(run.output.contains("org.tally.example.c") && run.output.contains("tally.tracker/1"), "\(run.output)")
        #expect(run.output.contains("  interval_seconds  integer 1 to 3600  10  Time between"), "\(run.output)")
        let json = try JSONParser().parse(try await self.run(["inspect", "--json", Self.example]).output)
        #expect(json["plugins"]?.array?.first?["id"] == "org.tally.example.c")
        #expect(json["sha256"]?.string?.count == 64 && json["exports"] == ["tally_plugin_entry_v1"])
    }

    @Test("inspect shows the file's part of a plugin that crashes when it is loaded, and says so")
    func inspectCrash() async throws {
        let plugins = try await BadPlugins()
        let path = try await plugins.file("loads", isReporter: false)
        defer { withExtendedLifetime(plugins) {} }
        let run = try await run(["inspect", path])
        #expect(run.code == 75 && run.output.contains("exports      tally_plugin_entry_v1"), "\(run.output)")
        #expect(run.errors.contains("the plugin crashed"), "\(run.errors)")
    }

    @Test("run shows what a tracker says to an archive, with a configuration, and to the sample without one")
    func runTracker() async throws {
        let plain = try await run(["run", Self.example, Self.sample])
        #expect(plain.code == 0 && plain.output.contains("00:10.020  heartbeat "), "\(plain.output)\(plain.errors)")
        #expect(plain.output.contains("00:12.400  stalled "), "\(plain.output)")
        let words = ["run", Self.example, Self.sample, "--config", "{interval_seconds: 5}"]
        let configured = try await run(words)
        #expect(configured.output.contains("00:05.020  heartbeat "), "\(configured.output)\(configured.errors)")
    }

    @Test("run shows what a reporter was given, and what it answered")
    func runReporter() async throws {
        let run = try await run(["run", "\(TestFile.products)/libdiscard.tallyplugin.so", Self.sample])
        #expect(run.code == 0 && run.output.contains("given run begin"), "\(run.output)\(run.errors)")
        #expect(run.output.contains("00:10.020  given heartbeat "), "\(run.output)")
        #expect(run.output.contains("the reporter took 93 outputs, and lost 0"), "\(run.output)")
    }

    @Test(
        "bench tells what an event of the reference archive costs, beside a plugin of Tally's own",
        arguments: [("example-swift", "example-c"), ("jsonlines", "discard")]
    )
    func bench(plugin: String, beside: String) async throws {
        let folder = TemporaryFolder()
        let words = ["--config", "{path: '\(folder.file("out.jsonl"))'}"]
        let run = try await run(
            ["bench", "\(TestFile.products)/lib\(plugin).tallyplugin.so", "--events", "2000", "--json"]
                + (plugin == "jsonlines" ? words : [])
        )
        #expect(run.code == 0, "\(run.errors)")
        let rows = try JSONParser().parse(run.output)["plugins"]?.array ?? []
        #expect(rows.count == 2 && rows.allSatisfy { $0["events"] == 2_000 }, "\(run.output)")
        #expect(rows.last?["plugin"]?.string == beside)
        // The example in C has no memory of its own; discard takes more than jsonlines does.
        let allocations = rows.compactMap { $0["allocations"]?.double }
        #expect(allocations.count == 2 && (allocations[0] > allocations[1] || beside == "discard"), "\(run.output)")
    }

    @Test("bench replays an archive that is named")
    func benchOfArchive() async throws {
        let run = try await run(["bench", Self.example, Self.sample])
        #expect(run.code == 0 && run.output.contains(" of 69 events: "), "\(run.output)\(run.errors)")
        #expect(run.output.contains("times the time of example-c"), "\(run.output)")
    }

    @Test("What cannot be used is refused with what to do, and an exit code")
    func refused() async throws {
        for (words, code, text) in [
            (["check", "/nowhere.tallyplugin.so"], 66, "name one that is there"), (["check"], 64, "FILE is missing"),
            (["run", Self.example, "/nowhere.tally"], 66, "name one that is there"), ([], 64, "COMMAND"),
            (["run", Self.example, "/etc/passwd"], 65, "no player run"),
            (["inspect", "/etc/passwd"], 65, "it is no ELF file"),
            (["bench", Self.example, "--events", "0"], 64, "events"),
            (["check", Self.example, "--config", "{"], 78, "no JSON"),
            (["check", Self.example, "--config", "/nowhere"], 66, "cannot read"),
        ] as [([String], Int32, String)] {
            let run = try await run(words)
            #expect(run.code == code && run.errors.contains(text), "\(words): \(run.code) \(run.errors)")
        }
    }

    @Test("What plugins and paths say never reaches a terminal as it is")
    func escapes() async throws {
        let hostile = TemporaryFolder().file("x\u{1B}[2J.tallyplugin.so")
        let plugins = try await BadPlugins()
        let path = try await plugins.file("names", isReporter: false)
        defer { withExtendedLifetime(plugins) {} }
        for words in [
            ["check", hostile], ["inspect", hostile], ["run", hostile], ["bench", hostile], ["inspect", path],
        ] {
            let run = try await run(words)
            let text = run.output + run.errors
            #expect(
                !text.contains("\u{1B}") && (words[1] == path ? run.code == 0 : text.contains("u{1b}")),
                "\(words): \(text)"
            )
        }
    }

    @Test("new makes a project of the templates, with its names in all of it, and never over what is there")
    func new() async throws {
        let files = TemporaryFolder()
        let folder = files.file("project")
        let words = ["new", "org.example.watch-time", "--lang", "c", "--folder", folder]
        let made = try await run(words)
        #expect(made.code == 0 && made.output.contains("make test"), "\(made.errors)")
        let source = try TestFile.text(folder + "/watch_time.c")
        #expect(source.contains("\"org.example.watch-time\"") && source.contains("\"Watch time\""))
        let placeholders = try await ChildProgram.run("/usr/bin/env", ["grep", "-rlE", "@[A-Z]+@", folder])
        #expect(placeholders.output.isEmpty)
        #expect(try TestFile.text(folder + "/tests/sample.tally") == TestFile.text(Self.sample))
        let again = try await run(words)
        #expect(again.code == 73 && again.errors.contains("--folder"), "\(again.errors)")
        for (words, text) in [
            (["new", "org.example.x"], "--lang"), (["new", "Watch", "--lang", "c"], "reverse-DNS"),
            (["new", "org.example.x", "--lang", "cobol"], "c, cpp, rust, go, zig, swift"),
        ] {
            let refused = try await run(words)
            #expect(refused.code == 64 && refused.errors.contains(text), "\(refused.errors)")
        }
    }
}
