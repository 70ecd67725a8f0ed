import HostSupport
import Tally
import Testing
import TextEncoding

struct HostSetupTests {
    private let folder = TemporaryFolder()
    private let syntax = CommandLineSyntax(program: "host", summary: "Tests.", settings: HostSettings.options)

    private func setup(_ text: String, _ options: [String] = []) throws -> HostSetup {
        let config = folder.write("tally.json5", text)
        guard case .run(let arguments) = try syntax.parse(["--config", config] + options) else {
            preconditionFailure("the options ask for help")
        }
        return try HostSetup(
            arguments,
            section: .replay,
            settings: [Setting(nil, .number("N", 1...9), key: "replay.speed", "How fast.")]
        )
    }

    /// The exit code and the messages of the error, with `DIR` for the test's folder.
    private func failure(_ text: String, _ options: [String] = []) throws -> (ExitCode, [String])? {
        do {
            _ = try setup(text, options).telemetry(Telemetry.Options())
            return nil
        } catch let error as HostError {
            return (error.exitCode, error.messages.map { $0.replacing(folder.path, with: "DIR") })
        }
    }

    @Test("Each host reads its own section, and leaves the others' alone")
    func sections() throws {
        let setup = try setup("{player: {anything: [1]}, replay: {speed: 2}}", ["--set", "replay.speed=3"])
        #expect(setup.settings == ["speed": 3])
        #expect(try self.setup("{}").settings.isEmpty)
    }

    @Test("An unknown key of the own section is an error with its place")
    func unknownKey() throws {
        let found = try failure("{replay: {sped: 2}}")
        #expect(found?.0 == .badConfiguration)
        #expect(
            found?.1 == ["DIR/tally.json5:1:11: replay.sped: the key \"sped\" is not known; did you mean \"speed\"?"]
        )
    }

    @Test("A configured folder that is not there is an error with its place, one of the command line a missing input")
    func missingFolder() throws {
        let configured = try failure("{pluginDirectories: ['none']}")
        #expect(configured?.0 == .badConfiguration)
        #expect(
            configured?.1 == [
                "DIR/tally.json5:1:2: cannot look for plugins in DIR/none: No such file or directory"
            ]
        )
        let missing = TemporaryFolder().file("missing")
        let option = try failure("{}", ["--plugin-dir", missing])
        #expect(option?.0 == .noInput)
        #expect(
            option?.1 == [
                "--plugin-dir \(missing): cannot look for plugins in \(missing): No such file or directory"
            ]
        )
    }

    @Test("A plugin that nobody has is an error where it is configured")
    func unknownPlugin() throws {
        let found = try failure("{plugins: [\n  {plugin: 'org.example.none'},\n]}")
        #expect(found?.0 == .pluginFailed)
        #expect(found?.1.first?.hasPrefix("DIR/tally.json5:2:3: no plugin org.example.none in ") == true)
    }

    @Test("Without plugins there is telemetry that has none")
    func noPlugins() throws {
        let setup = try setup("{}")
        #expect(try setup.telemetry(Telemetry.Options()).selections.isEmpty)
        #expect(setup.warnings.isEmpty && !setup.hasReporter)
    }
}
