import HostSupport
import Tally
import Testing
import TextEncoding

/// What people read when a plugin's configuration cannot be used, for all plugins and each of their keys.
struct RefusedConfigurationTests {
    private let folder = TemporaryFolder()
    private let syntax = CommandLineSyntax(program: "host", summary: "Tests.", settings: HostSettings.options)

    /// The plugins, with what they cannot do without.
    private static let plugins: [(name: String, least: JSONValue)] = [
        ("new-relic-video", ["delivery": ["accountId": 1]]), ("nielsen-dcr", [:]),
        ("mux-data", ["environmentKey": "key"]), ("adobe-heartbeat", [:]), ("adobe-analytics", [:]), ("http", [:]),
        ("jsonlines", ["path": "out.jsonl"]), ("sqlite", ["path": "out.db"]), ("console", [:]), ("discard", [:]),
        ("example-c", [:]), ("example-swift", [:]),
    ]

    /// Values of which each key refuses some: by their kind, their size or what the plugin makes of them.
    private static let values: [JSONValue] = [
        true, 0, -1, 7_000_000_000, 0.5, "", "no", "(", "a b\n", "http://example.com/a", "://",
        .string(String(repeating: "x", count: 5000)), ["no"], [7], [:], ["eventType": "x"], ["a": ["is": 1]],
        ["actionName": "eventType"], ["": 1], .array(Array(repeating: [:], count: 65)),
        .object((0..<65).reduce(into: JSONObject()) { $0["key\($1)"] = 1 }),
    ]

    @Test("Each is told with place, instance and key, and no word stands there twice", arguments: plugins)
    func everyKey(plugin: (name: String, least: JSONValue)) throws {
        folder.write("AdobeMobile/ADBMobileConfig.json", #"{"analytics": {"rsids": "suite", "server": "example.com"}}"#)
        let files = try PluginFolder(plugins: [plugin.name])
        let setup = try setup(plugin.name, plugin.least, files)
        #expect(refusals(setup, plugin.name, plugin.least) == [])
        let keys = try Self.keys(of: plugin.name, files)
        var refused: Set<[String]> = []
        for key in keys {
            for value in Self.values {
                let messages = refusals(setup, plugin.name, plugin.least.setting(key[...], to: value))
                if !messages.isEmpty { refused.insert(key) }
                for message in messages {
                    #expect(message.hasPrefix("DIR/tally.json5:1:"), "\(message)")
                    #expect(message.contains(": plugins.\(plugin.name)"), "\(message)")
                    #expect(!message.contains("init failed"), "\(message)")
                    #expect(Self.doubledWord(in: message) == nil, "\(message)")
                    // What lies at a path is no matter of its key.
                    guard message.contains("plugins.\(plugin.name).config") else { continue }
                    #expect(key.contains { message.contains($0) }, "\(key): \(message)")
                }
            }
        }
        #expect(refused == Set(keys))
    }

    @Test("A doubled word is found where it stands, with a colon between or without")
    func doubled() {
        #expect(Self.doubledWord(in: "give it it another name") == "it it")
        #expect(Self.doubledWord(in: "--plugins nr: nr: init failed") == "nr: nr")
        #expect(Self.doubledWord(in: "give it its name: it is this: this-one") == nil)
    }

    // MARK: - Parts

    private func write(_ plugin: String, _ config: JSONValue) {
        var config = config
        // Reporters would make files wherever tests run.
        for key in ["path", "spool"] {
            if let path = config[key]?.string, !path.isEmpty {
                config = config.setting([key], to: .string(folder.file(String(path.filter { $0 != "/" }))))
            }
        }
        folder.write("tally.json5", #"{"plugins": [{"plugin": "\#(plugin)", "config": \#(config.canonicalText)}]}"#)
    }

    private func setup(_ plugin: String, _ config: JSONValue, _ files: PluginFolder) throws -> HostSetup {
        write(plugin, config)
        let options = ["--config", folder.file("tally.json5"), "--plugin-dir", files.path]
        guard case .run(let arguments) = try syntax.parse(options) else {
            preconditionFailure("the options ask for help")
        }
        return try HostSetup(arguments, section: .replay)
    }

    /// What is said when a run begins with the configuration, with `DIR` for the test's folder.
    private func refusals(_ setup: HostSetup, _ plugin: String, _ config: JSONValue) -> [String] {
        write(plugin, config)
        do {
            let setup = try setup.readAgain()
            let telemetry = try setup.telemetry(Telemetry.Options())
            defer { telemetry.close() }
            do throws(TelemetryError) {
                try telemetry.startRun().destroy()
                return []
            } catch {
                throw setup.located(error)
            }
        } catch let error as HostError {
            return error.messages.map { $0.replacing(folder.path, with: "DIR") }
        } catch {
            return ["\(error)"]
        }
    }

    /// The paths of all keys that a plugin's schema has; 0 stands for an element.
    private static func keys(of plugin: String, _ files: PluginFolder) throws -> [[String]] {
        let catalog = PluginCatalog()
        catalog.search(files.path)
        let schema = try #require(catalog.plugin(named: plugin)?.configurationSchema)
        // The settings file has a place of its own.
        return keys(try JSONParser().parse(schema)).filter { $0.count > 0 && $0 != ["ADBMobileConfig"] }
    }

    private static func keys(_ schema: JSONValue) -> [[String]] {
        let members = (schema["properties"]?.object ?? [:]).map { ($0.key, $0.value) }
        let elements = schema["items"].map { [("0", $0)] } ?? []
        return [[]] + (members + elements).flatMap { step, part in keys(part).map { [step] + $0 } }
    }

    /// The first word that follows itself.
    private static func doubledWord(in text: String) -> String? {
        (try? Regex(#"(?:^|[\s"(])(([\w.-]+):? \2)(?=$|[\s:;,.)"])"#))
            .flatMap { text.firstMatch(of: $0)?.output[1].substring }.map { String($0) }
    }
}

extension JSONValue {
    /// The value with another one at a path; what is missing on the way is made.
    fileprivate func setting(_ path: ArraySlice<String>, to value: JSONValue) -> JSONValue {
        guard let step = path.first else { return value }
        if step == "0" { return [(self[0] ?? [:]).setting(path.dropFirst(), to: value)] }
        var members = object ?? [:]
        members[step] = (members[step] ?? [:]).setting(path.dropFirst(), to: value)
        return .object(members)
    }
}
