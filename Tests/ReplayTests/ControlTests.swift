import ChildPrograms
import Glibc
import HostSupport
import Testing
import TextEncoding

/// The real program under control, while it replays.
struct ControlTests {
    private let files = TemporaryFolder()
    private var socket: String { files.path + "/socket" }
    private let state: TemporaryFolder = TemporaryFolder()

    private func plugins(_ fixtures: [String] = ["witness"]) throws -> PluginFolder {
        try PluginFolder(fixtures: fixtures, plugins: ["example-c", "jsonlines", "discard"])
    }

    /// Starts a replay that waits before its first event, and waits until it takes commands.
    private func start(_ folder: PluginFolder, _ arguments: [String]) async throws -> ChildProgram {
        let process = try ChildProgram.startReplay(
            arguments + ["--control", socket, "--paused", "--plugin-dir", folder.path, "--json"],
            environment: ["TALLY_STATE": state.path]
        )
        #expect(await eventually { unsafe access(socket, F_OK) == 0 })
        // On a busy machine the first answers may come after the program's own limit.
        #expect(try await eventually { try await ctl("stats").code == 0 })
        return process
    }

    private func ctl(_ words: String...) async throws -> ChildProgram.Outcome {
        try await ctl(words)
    }

    private func ctl(_ words: [String]) async throws -> ChildProgram.Outcome {
        try await ChildProgram.replay(["ctl", "--timeout", "300", "--control", socket] + words)
    }

    private func data(_ words: String...) async throws -> JSONValue {
        let run = try await ctl(["--json"] + words)
        #expect(run.code == 0, "\(words): \(run.errors)")
        return try JSONParser().parse(run.output)["data"] ?? .null
    }

    @Test("All commands for plugins work while a replay goes on, and say so as JSON")
    func pluginCommands() async throws {
        let folder = try plugins()
        let out = files.path + "/out.jsonl"
        let process = try await start(
            folder,
            [
                TestFile.archive("plain"), "--plugins", "example-c,jsonlines",
                "--set", "plugins.jsonlines.config.path=\(out)",
            ]
        )
        let listed = try await data("plugin", "list")["plugins"]?.array ?? []
        let states = Dictionary(
            listed.map { ($0["name"]?.string ?? "", $0["state"]?.string ?? "") },
            uniquingKeysWith: { first, _ in first }
        )
        #expect(states["example-c"] == "enabled" && states["discard"] == "loaded" && states["witness"] == "loaded")
        #expect(try await data("plugin", "show", "witness")["plugin"]?["schema"] != nil)
        #expect(try await data("step", "4")["changed"] == true)
        #expect(try await data("plugin", "stats", "example-c")["plugins"]?[0]?["events"] == .int(4))
        #expect(try await data("plugin", "disable", "example-c")["changed"] == true)
        #expect(try await data("plugin", "disable", "example-c")["changed"] == false)
        #expect(try await data("plugin", "enable", "witness")["note"] == "witness is enabled")
        #expect(try await data("plugin", "load", "discard", "second")["note"] == "second is enabled")
        #expect(try await data("plugin", "enable", "example-c")["changed"] == true)
        let bytes = try TestFile.bytes(TestFile.products + "/libpatched.fixture.so")
        let path = files.write("dropped/libpatched.tallyplugin.so", bytes: bytes)
        #expect(try await data("plugin", "load", path)["changed"] == true)
        #expect(try await data("plugin", "enable", "patched")["changed"] == true)
        let changed = bytes + [0]
        let other = files.write("newer/libpatched.tallyplugin.so", bytes: changed)
        #expect(try await data("plugin", "replace", other)["note"] == "replaced patched")
        #expect(try await data("plugin", "list")["plugins"]?.array?.contains { $0["state"] == "retired" } == true)
        let release = try await ctl("plugin", "release", "0123456789")
        #expect(release.code == 1 && release.errors.contains("the quarantine is empty"))
        #expect(try await data("stats")["replay"]?["events"] == .int(4))
        #expect(try await data("drain")["lost"] == .int(0))
        #expect(try await data("resume")["changed"] == true)
        let run = try await process.outcome()
        #expect(run.code == 0, "\(run.errors)")
        #expect(try run.summary()["stopped"] == .null)
        let lines = try TestFile.text(out)
        #expect(lines.contains("\"witness\"") && lines.contains("\"patched\""))
        #expect(unsafe access(socket, F_OK) != 0)
    }

    @Test("Each command that only another program has is refused, with where it belongs")
    func refused() async throws {
        let folder = try plugins()
        let process = try await start(folder, [TestFile.archive("plain"), "--plugins", "discard"])
        let arguments = [
            "seek": ["3"], "rate": ["2"], "mute": ["on"], "volume": ["1"], "pin": ["auto"], "audio": ["de"],
            "subtitles": ["off"],
            "fullscreen": ["on"], "size": ["1x1"], "load": ["a"], "connection": ["wifi"], "audio-only": ["on"],
            "interrupt": ["call"], "custom": ["a"], "consent": ["out"], "show": ["a"],
        ]
        let others = ControlVocabulary.entries.filter { !$0.hosts.contains(.replay) }.map { $0.words[0] }
        #expect(others.count > 12)
        for name in others {
            let reply = try await ctl(["--json", name] + (arguments[name] ?? []))
            #expect(reply.code == 1, "\(name)")
            #expect(try JSONParser().parse(reply.output)["error"] == "unavailable", "\(name)")
        }
        let help = try await data("help")["commands"]?.array?.compactMap { $0["usage"]?.string } ?? []
        #expect(help.contains("step [N]") && !help.contains("seek SECONDS"))
        #expect(try await ctl("quit").code == 0)
        let run = try await process.outcome()
        #expect(run.code == 0 && run.errors.contains("ended early: a command says so"))
        #expect(try run.summary()["events"] == .int(0))
    }

    @Test("Configuration and its reload change plugins in mid-replay, a tap shows what they say")
    func configure() async throws {
        let config = files.write("tally.json5", "{plugins: {'example-c': {}, patched: {}, discard: {}}}")
        let folder = try plugins(["patched"])
        let process = try await start(folder, [TestFile.archive("plain"), "--config", config])
        #expect(try await data("configure", "patched", "{step: 5}")["changed"] == true)
        let unable = try await ctl("configure", "example-c", "{interval_seconds: 5}")
        #expect(unable.code == 1 && unable.errors.contains("does not offer tally.configure/1"))
        let wrong = try await ctl("configure", "example-c", "{interval_seconds: 'often'}")
        #expect(wrong.code == 1 && wrong.errors.contains("interval_seconds"))
        let tap = try ChildProgram.startReplay([
            "ctl", "--timeout", "300", "--control", socket, "tap", "events", "--count", "3",
        ])
        #expect(try await eventually { try await data("stats")["control"]?["clients"]?.int ?? 0 > 1 })
        #expect(try await data("step", "6")["changed"] == true)
        let shown = try await tap.outcome()
        #expect(shown.code == 0 && shown.lines.count == 3)
        _ = files.write("tally.json5", "{plugins: {patched: {}, discard: {}}}")
        process.send(SIGHUP)
        #expect(await eventually { process.errors.contains("example-c disabled") }, "\(process.errors)")
        _ = files.write("tally.json5", "{plugins: {'example-c': {enabled: 1}}}")
        let refused = try await ctl("reload")
        #expect(refused.code == 1 && refused.errors.contains("nothing was changed"))
        #expect(try await ctl("play").code == 0)
        #expect(try await process.outcome().code == 0)
    }

    @Test("A fixed list of plugins is fixed in a replay too")
    func fixed() async throws {
        let folder = try plugins()
        let process = try await start(
            folder,
            [TestFile.archive("plain"), "--plugins", "example-c,discard", "--set", "plugins.fixed=true"]
        )
        for words in [
            ["plugin", "load", "witness"], ["plugin", "replace", folder.path + "/libwitness.tallyplugin.so"],
        ] {
            let reply = try await ctl(["--json"] + words)
            #expect(try JSONParser().parse(reply.output)["error"] == "fixed", "\(words)")
        }
        #expect(try await ctl("disable", "example-c").code == 0)
        #expect(try await ctl("enable", "example-c").code == 0)
        #expect(try await ctl("stop").code == 0)
        #expect(try await process.outcome().code == 0)
    }

    @Test("A signal ends a replay between two lines, with what the reporters have, and 130")
    func signals() async throws {
        let folder = try plugins()
        let process = try await start(folder, [TestFile.archive("plain"), "--plugins", "example-c,jsonlines"])
        #expect(try await ctl("step", "5").code == 0)
        process.send(SIGTERM)
        let run = try await process.outcome()
        #expect(run.code == 130, "\(run.errors)")
        let summary = try run.summary()
        #expect(summary["events"] == .int(5) && summary["open_runs"] == .int(1))
        #expect(summary["reporters"]?[0]?["ended"] == true)
    }

    @Test("The command plugin gives its orders to a replay with --control, and answers for a run to come without")
    func pluginCommand() async throws {
        let folder = try plugins()
        let process = try await start(folder, [TestFile.archive("plain"), "--plugins", "example-c,discard"])
        func plugin(_ words: String...) async throws -> ChildProgram.Outcome {
            try await ChildProgram.replay(["plugin"] + words, environment: ["TALLY_STATE": state.path])
        }
        let disabled = try await plugin("disable", "example-c", "--control", socket)
        #expect(disabled.code == 0 && disabled.output == "example-c is disabled\n")
        #expect(try await ctl("quit").code == 0)
        #expect(try await process.outcome().code == 0)

        let found = ["--plugin-dir", folder.path]
        #expect(try await ChildProgram.replay(["plugin", "list", "--json"] + found).output.contains("\"loaded\""))
        #expect(
            try await ChildProgram.replay(["plugin", "stats", "--plugins", "example-c"] + found).output.contains(
                "example-c"
            )
        )
        let bytes = try TestFile.bytes(TestFile.products + "/libpatched.fixture.so")
        let path = files.write("dropped/libpatched.tallyplugin.so", bytes: bytes)
        let loaded = try await ChildProgram.replay(["plugin", "load", path] + found)
        #expect(loaded.code == 0 && loaded.output.contains("patched") && loaded.output.contains("can be loaded"))
        let nothing = try await ChildProgram.replay(["plugin", "replace", path] + found)
        #expect(nothing.code == 1 && nothing.errors.contains("there is nothing to replace"))
        let changed = try TestFile.bytes(folder.path + "/libwitness.tallyplugin.so") + [0]
        let other = files.write("newer/libwitness.tallyplugin.so", bytes: changed)
        #expect(try await ChildProgram.replay(["plugin", "replace", other] + found).output.contains("can replace"))
        for words in [["enable", "example-c"], ["disable", "example-c"], ["load", "witness"]] {
            let refused = try await ChildProgram.replay(["plugin"] + words + found)
            #expect(refused.code == 1 && refused.errors.contains("--control"), "\(words)")
        }
    }

    @Test(
        "Without a run a plugin's file says which commands it has, and nothing of it is started",
        arguments: [true, false]
    )
    func commandsOfFile(isConfigured: Bool) async throws {
        let folder = try PluginFolder(plugins: ["nielsen-dcr", "http", "discard"])
        let spool = files.file("spool.db")
        let configured =
            isConfigured ? ["--plugins", "nielsen-dcr,http", "--set", "plugins.http.config.spool=\(spool)"] : []
        for (name, command) in [("nielsen-dcr", "optOutStatus"), ("http", "stats")] {
            let run = try await ChildProgram.replay(
                ["plugin", "show", name, "--json", "--plugin-dir", folder.path] + configured
            )
            let plugin = try JSONParser().parse(run.output)["plugin"]
            let commands = plugin?["commands"]?.array ?? []
            #expect(commands.contains { $0["name"]?.string == command }, "\(run.output) \(run.errors)")
        }
        let text = try await ChildProgram.replay(["plugin", "show", "http", "--plugin-dir", folder.path]).output
        #expect(text.contains("Commands:\n"))
        #expect(throws: TestFile.Unreadable.self) { try TestFile.bytes(spool) }
    }

    @Test("For the name of no plugin the nearest is proposed, everywhere")
    func nearestPlugin() async throws {
        let folder = try PluginFolder(plugins: ["jsonlines", "discard"])
        let found = ["--plugin-dir", folder.path]
        for (arguments, code) in [
            (["plugin", "show", "jsonline"], 1), ([TestFile.archive("plain"), "--plugins", "jsonline"], 75),
            ([TestFile.archive("plain"), "--plugins", "org.tally.reporter.jsonlins"], 75),
            (["plugin", "stats", "jsonline", "--plugins", "jsonlines"], 1),
        ] as [([String], Int32)] {
            let run = try await ChildProgram.replay(arguments + found)
            #expect(run.code == code && run.errors.contains("did you mean jsonlines?"), "\(run.errors)")
        }
        let far = try await ChildProgram.replay(["plugin", "show", "zzzzzzzz"] + found)
        #expect(far.errors.contains("no plugin has the name \"zzzzzzzz\"; there are "), "\(far.errors)")
        #expect(far.errors.ranges(of: " discard").count == 1, "\(far.errors)")
    }

    @Test("A file in the quarantine is not replayed with until it is released, before a run or in one")
    func quarantine() async throws {
        let folder = try plugins()
        let listed = try JSONParser().parse(
            await ChildProgram.replay(["plugin", "show", "witness", "--json", "--plugin-dir", folder.path]).output
        )
        let hash = try #require(listed["plugin"]?["sha256"]?.string)
        state.write("crashes", "\(hash) org.tally.fixture.witness 11\n")
        let environment = ["TALLY_STATE": state.path]
        let found = ["--plugin-dir", folder.path]
        let replay = [TestFile.archive("plain"), "--plugins", "witness,discard"] + found
        let refused = try await ChildProgram.replay(replay, environment: environment)
        #expect(refused.code == 75 && refused.errors.contains("quarantine"), "\(refused.errors)")
        let released = try await ChildProgram.replay(
            ["plugin", "release", String(hash.prefix(12))] + found,
            environment: environment
        )
        #expect(released.code == 0, "\(released.errors)")
        #expect(try await ChildProgram.replay(replay, environment: environment).code == 0)

        state.write("crashes", "\(hash) org.tally.fixture.witness 11\n")
        let process = try await start(folder, [TestFile.archive("plain"), "--plugins", "discard"])
        let states = try await data("plugin", "list")["plugins"]?.array?.compactMap { $0["state"]?.string }
        #expect(states?.contains("quarantined") == true)
        #expect(try await ctl("plugin", "release", hash).code == 0)
        #expect(try await ctl("plugin", "load", folder.path + "/libwitness.tallyplugin.so").code == 0)
        #expect(try await ctl("plugin", "enable", "witness").code == 0)
        #expect(try await ctl("play").code == 0)
        #expect(try await process.outcome().code == 0)
    }
}
