import HostSupport
import Tally
import TallyTesting
import Testing
import TextEncoding

/// Files beside the configuration that plugins declare in their descriptors.
struct SharedFileTests {
    private let folder = TemporaryFolder()
    private let syntax = CommandLineSyntax(program: "host", summary: "Tests.", settings: HostSettings.options)
    private static let block = #"{"analytics": {"rsids": "suite", "server": "metrics.example.com"}}"#

    /// The configuration that the instance gets.
    private func configuration(_ config: String) throws -> JSONValue? {
        let path = folder.write("tally.json5", "{plugins: [{plugin: 'adobe-analytics', config: \(config)}]}")
        let options = ["--config", path, "--plugin-dir", PluginFiles.folder]
        guard case .run(let arguments) = try syntax.parse(options) else { return nil }
        let setup = try HostSetup(arguments, section: .replay)
        let telemetry = try setup.telemetry(Telemetry.Options())
        telemetry.close()
        return telemetry.selections.first?.configuration
    }

    private func failure(_ config: String) -> [String] {
        do {
            _ = try configuration(config)
            return []
        } catch let error as HostError {
            return error.messages.map { $0.replacing(folder.path, with: "DIR") }
        } catch {
            return ["\(error)"]
        }
    }

    @Test("A file in its place is handed to the plugin that declares it, under its name")
    func handedOver() throws {
        folder.write("AdobeMobile/ADBMobileConfig.json", Self.block)
        let configuration = try configuration("{channel: 'news'}")
        #expect(configuration?["ADBMobileConfig"]?["analytics"]?["rsids"] == "suite")
        #expect(configuration?["channel"] == "news")
    }

    @Test("A file in another place is refused with the rule")
    func misplaced() {
        folder.write("ADBMobileConfig.json", Self.block)
        #expect(
            failure("{}") == [
                "DIR/ADBMobileConfig.json: this file is read from AdobeMobile/ADBMobileConfig.json in the folder of the "
                    + "configuration only; move it there"
            ]
        )
    }

    @Test("What comes from the file cannot be configured in another way")
    func inline() {
        #expect(
            failure("{ADBMobileConfig: \(Self.block)}") == [
                "DIR/tally.json5:1:49: \"ADBMobileConfig\" comes from the file AdobeMobile/ADBMobileConfig.json in the "
                    + "folder of the configuration only; move it there and remove the key"
            ]
        )
    }

    @Test("Where the file is missing, the message says where it has to lie, and asks for no key that is refused then")
    func missing() throws {
        let path = folder.write("tally.json5", "{plugins: [{plugin: 'adobe-analytics'}]}")
        guard case .run(let arguments) = try syntax.parse(["--config", path, "--plugin-dir", PluginFiles.folder]) else {
            return
        }
        let error = #expect(throws: HostError.self) { try HostSetup(arguments, section: .replay).rehearse() }
        let place = "which the programs read from AdobeMobile/ADBMobileConfig.json beside the configuration file"
        #expect(error?.messages.first?.contains(place) == true, "\(error?.messages ?? [])")
    }

    @Test("A file that is broken is told with its place")
    func broken() {
        folder.write("AdobeMobile/ADBMobileConfig.json", "{\n  \"analytics\": [1,,]\n}")
        let messages = failure("{}")
        #expect(messages.count == 1)
        #expect(messages.first?.hasPrefix("DIR/AdobeMobile/ADBMobileConfig.json:2:") == true)
    }

    @Test("A file that cannot be read makes the configuration wrong, where the plugin is that wants it")
    func unreadable() throws {
        folder.write("AdobeMobile/ADBMobileConfig.json/none", "")
        let error = #expect(throws: HostError.self) { try configuration("{}") }
        #expect(error?.exitCode == .badConfiguration)
        let place = "\(folder.path)/tally.json5:1:40: cannot read the configuration file "
        #expect(error?.messages.first?.hasPrefix(place) == true, "\(error?.messages ?? [])")
    }
}
