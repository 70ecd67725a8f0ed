import ChildPrograms
import Tally
import TallyTesting
import TestFiles
import Testing
import TextEncoding

/// Reporters that are to have processes of their own: what `--explain` shows of them, and which starts are refused.
struct IsolatedReporterStartTests {
    private let folder = PluginFolder()

    /// Starts a player of what is not there, so that nothing is played, with plugins and further options.
    private func start(_ plugins: String, _ more: [String] = []) async throws -> ChildProgram.Outcome {
        folder.write(Array("{ plugins: \(plugins) }".utf8), to: "tally.json5")
        return try await ChildProgram.run(
            "tally-player",
            ["--plugin-dir", folder.path, "--config", folder.file("tally.json5"), folder.file("missing.mp4")] + more,
            environment: ["TALLY_STATE": folder.file("state")]
        )
    }

    private func add(fixture name: String) throws {
        folder.write(try TestFile.bytes(PluginFiles.fixture(name)), to: "lib\(name).tallyplugin.so")
    }

    /// A reporter of lines, in a folder of its own.
    private func lines(_ name: String, in folder: String) -> String {
        #""\#(name)": { plugin: "jsonlines", isolation: "process", config: { path: "\#(folder)/lines.jsonl" } }"#
    }

    @Test("What the process of a reporter may use is explained with its paths, and that no other has any")
    func explained() async throws {
        try add(fixture: "listening-reporter")
        let (own, other) = (folder.file("own"), folder.file("other"))
        for path in [own, other] { try #require(Files.folder(path)) }
        let key = "\(other)/key"
        folder.write([1], to: "other/key")
        let outcome = try await start(
            """
            {
              \(lines("apart", in: own)),
              "here": { plugin: "jsonlines", config: { path: "\(other)/lines.jsonl" } },
              "web": {
                plugin: "http", isolation: "process",
                config: { spool: "\(other)/spool.db", credentials: { one: { file: "\(key)", hosts: ["a.example"] } } },
              },
              "silent": { plugin: "org.tally.fixture.listening-reporter", isolation: "process" },
            }
            """,
            ["--explain", "--json"]
        )
        #expect(outcome.code == 0, "\(outcome.errors)")
        let settings = try JSONParser().parse(outcome.output)["settings"]?.array ?? []
        func allowed(_ name: String) -> [String]? {
            settings.first { $0["key"]?.string == "plugins.\(name).isolation.allows" }?["value"]?.array?
                .compactMap(\.string)
        }
        #expect(allowed("apart") == ["writes \(own)", "standard streams"])
        #expect(allowed("here") == nil)
        #expect(allowed("web") == ["reads \(key)", "writes \(other)", "connects", "threads"])
        #expect(allowed("silent") == ["listens"])
    }

    @Test("A reporter whose instances share state has no process of its own: the start says so with the place")
    func sharing() async throws {
        try add(fixture: "sharing-reporter")
        let plugin = "org.tally.fixture.sharing-reporter"
        let outcome = try await start(#"{ "a": { plugin: "\#(plugin)", isolation: "process" } }"#)
        #expect(outcome.code == 78, "\(outcome.errors)")
        let problem = "the plugin says that its instances share state and need one process: remove the key"
        #expect(outcome.errors.contains("tally.json5:1:"), "\(outcome.errors)")
        #expect(outcome.errors.contains("plugins.a.isolation: \(problem)"), "\(outcome.errors)")
    }

    @Test(
        "No such process may write where the player's archive or its persistent values are; beside them it may",
        arguments: [["--archive", "run.tally"], ["--store", "values.json"]]
    )
    func kept(_ option: [String]) async throws {
        let own = folder.file("own")
        try #require(Files.folder(own))
        let kept = folder.file(option[1])
        let within = try await start("{ \(lines("apart", in: folder.path)) }", [option[0], kept])
        #expect(within.code == 78, "\(within.errors)")
        #expect(within.errors.contains("plugins.apart.isolation: its process may write in all of "), "\(within.errors)")
        #expect(within.errors.contains("'\(kept)' is: put one of them into a folder of its own"), "\(within.errors)")
        // Nothing is there to be played, which is found out later.
        let beside = try await start("{ \(lines("apart", in: own)) }", [option[0], kept])
        #expect(beside.code == 66, "\(beside.errors)")
    }
}
