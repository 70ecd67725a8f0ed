import ChildPrograms
import Testing
import TextEncoding

/// Where plugins are found, and which of two with the same id.
struct PluginSearchTests {
    private let files = TemporaryFolder()

    private func list(_ arguments: [String], environment: [String: String] = [:]) async throws -> JSONValue {
        let run = try await ChildProgram.replay(["--list-plugins", "--json"] + arguments, environment: environment)
        #expect(run.code == 0, "\(run.errors)")
        return try JSONParser().parse(run.output)
    }

    private func path(of id: String, in listing: JSONValue) -> String? {
        listing["plugins"]?.array?.first { $0["id"]?.string == id }?["path"]?.string
    }

    @Test("The first folder that has an id wins: option, configuration, environment, user")
    func order() async throws {
        let witness = "org.tally.fixture.witness"
        let folders = try (0..<3).map { _ in try PluginFolder(fixtures: ["witness"]) }
        let home = TemporaryFolder()
        let file = "libwitness.fixture.so"
        let ofUser = home.write(
            ".local/lib/tally/plugins/libwitness.tallyplugin.so",
            bytes: try TestFile.bytes(TestFile.products + "/" + file)
        )
        let config = files.write("tally.json5", "{pluginDirectories: [\"\(folders[1].path)\"]}")
        let options = [["--plugin-dir", folders[0].path], ["--config", config], [], []]
        let environments = [1, 2, 3, 4].map { count -> [String: String] in
            count == 4 ? ["HOME": home.path] : ["HOME": home.path, "TALLY_PLUGIN_PATH": ":\(folders[2].path):"]
        }
        let expected = folders.map { $0.path + "/libwitness.tallyplugin.so" } + [ofUser]
        for step in 0..<4 {
            let listing = try await list(Array(options[step...].joined()), environment: environments[step])
            #expect(path(of: witness, in: listing) == expected[step])
            let shadowed = listing["shadowed"]?.array?.filter { $0["id"]?.string == witness } ?? []
            #expect(shadowed.map { $0["path"]?.string } == Array(expected[(step + 1)...]))
            #expect(shadowed.allSatisfy { $0["used"]?.string == expected[step] })
            #expect(listing["rejected"] == [])
        }
    }

    @Test("Plugins are found beside the program")
    func besideProgram() async throws {
        let listing = try await list([])
        #expect(path(of: "org.tally.reporter.jsonlines", in: listing)?.hasPrefix(TestFile.products) == true)
        let origins = listing["directories"]?.array?.compactMap { $0["origin"]?.string } ?? []
        #expect(origins == ["system", "system", "beside the program"])
    }

    @Test("Two files of one folder with the same id are an error of the second, which names the first")
    func duplicate() async throws {
        let folder = try PluginFolder(fixtures: ["frozen-v1", "duplicate-id"])
        let listing = try await list(["--plugin-dir", folder.path])
        let first = folder.path + "/libduplicate-id.tallyplugin.so"
        let second = folder.path + "/libfrozen-v1.tallyplugin.so"
        #expect(path(of: "org.tally.fixture.frozen-v1", in: listing) == first)
        #expect(listing["rejected"]?.array?.map { $0["path"]?.string } == [second])
        #expect(listing["rejected"]?.array?.first?["problem"]?.string?.contains(first) == true)
        #expect(listing["shadowed"] == [])
    }

    @Test("A file that cannot be used does not hide a good one in a later folder")
    func brokenBefore() async throws {
        let broken = try PluginFolder()
        let text = broken.add(text: "", as: "witness")
        let good = try PluginFolder(fixtures: ["witness"])
        let listing = try await list(["--plugin-dir", broken.path, "--plugin-dir", good.path])
        #expect(path(of: "org.tally.fixture.witness", in: listing) == good.path + "/libwitness.tallyplugin.so")
        #expect(listing["rejected"]?.array?.map { $0["path"]?.string } == [text])
    }

    @Test("A folder that is named and not there is an error; one of the environment is not")
    func missingFolder() async throws {
        let missing = files.file("missing")
        let option = try await ChildProgram.replay(["--list-plugins", "--plugin-dir", missing])
        #expect(option.code == 66)
        #expect(option.errors.contains("--plugin-dir \(missing): cannot look for plugins in \(missing): No such"))
        let config = files.write("tally.json5", "{\n  pluginDirectories: ['\(missing)']}")
        let configured = try await ChildProgram.replay(["--list-plugins", "--config", config])
        #expect(configured.code == 78)
        #expect(configured.errors.contains("\(config):2:"))
        _ = try await list([], environment: ["TALLY_PLUGIN_PATH": missing])
    }

    @Test("The list for people has kind, version, id and file of each plugin, and what cannot be used")
    func people() async throws {
        let folder = try PluginFolder(fixtures: ["witness", "no-entry"])
        let run = try await ChildProgram.replay(["--list-plugins", "--plugin-dir", folder.path])
        #expect(run.code == 0 && run.errors.isEmpty)
        let row = run.lines.first { $0.hasPrefix("witness ") }
        let cells = row?.split(separator: " ").map(String.init)
        let file = folder.path + "/libwitness.tallyplugin.so"
        #expect(cells == ["witness", "tracker", "1.0.0", "org.tally.fixture.witness", file])
        #expect(run.output.contains("Cannot be used:\n  \(folder.path)/libno-entry.tallyplugin.so: not a Tally plugin"))
    }

    @Test("Without plugins to run, no plugin file is touched")
    func nothingLoaded() async throws {
        let folder = try PluginFolder(fixtures: ["no-entry"])
        let run = try await ChildProgram.replay([TestFile.archive("plain"), "--plugin-dir", folder.path])
        #expect(run.code == 0)
        #expect(!run.errors.contains("no-entry"))
    }
}
