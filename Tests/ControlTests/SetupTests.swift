import Glibc
import HostSupport
import Tally
import TestFiles
import Testing
import TextEncoding

/// Configurations in a folder of a test's own: explained, and read again in a run.
final class SetupTests {
    private let files = TemporaryFolder()
    private var folder: String { files.path }
    private let syntax = CommandLineSyntax(program: "host", summary: "Tests.", settings: HostSettings.options)
    private static let buffer = Setting(nil, .number("SECONDS", 1...9), key: "player.bufferSeconds", "How much.")
        .unlessGiven(5)

    private func write(_ text: String, _ name: String = "tally.json5") {
        files.write(name, text)
    }

    private func setup(_ text: String, _ options: [String] = []) throws -> HostSetup {
        write(text)
        let all = ["--config", folder + "/tally.json5", "--plugin-dir", TestFile.products] + options
        guard case .run(let arguments) = try syntax.parse(all) else { preconditionFailure("the options ask for help") }
        return try HostSetup(arguments, section: .player, settings: [Self.buffer])
    }

    private func explained(_ setup: HostSetup, options: [EffectiveSetting] = []) -> String {
        EffectiveConfiguration(setup, options: options, canEnable: false)
            .text(on: Terminal(isTerminal: false, hasColour: false))
            .replacing(folder, with: "DIR")
    }

    @Test("The explanation has every value with its place")
    func explanation() throws {
        let setup = try setup(
            """
            {
              plugins: [
                { plugin: "example-c", config: { interval_seconds: 5 } },
                { plugin: "jsonlines", config: { path: "a.jsonl" } },
              ],
              player: { bufferSeconds: 3 },
            }
            """,
            ["--set", "plugins.jsonlines.config.events=true"]
        )
        let expected = """
            Effective configuration:
              plugins.example-c.plugin                   =  "example-c"  (DIR/tally.json5:3:7)
              plugins.example-c.enabled                  =  true         (default)
              plugins.example-c.required                 =  false        (default)
              plugins.example-c.config.interval_seconds  =  5            (DIR/tally.json5:3:38)
              plugins.jsonlines.plugin                   =  "jsonlines"  (DIR/tally.json5:4:7)
              plugins.jsonlines.enabled                  =  true         (default)
              plugins.jsonlines.required                 =  true         (default)
              plugins.jsonlines.config.path              =  "a.jsonl"    (DIR/tally.json5:4:38)
              plugins.jsonlines.config.events            =  true         (--set plugins.jsonlines.config.events=true)
              plugins.jsonlines.config.records           =  true         (default)
              plugins.jsonlines.config.beacons           =  true         (default)
              plugins.jsonlines.config.json_bodies       =  false        (default)
              plugins.jsonlines.config.append            =  false        (default)
              plugins.jsonlines.config.rotate_bytes      =  0            (default)
              plugins.jsonlines.config.rotate_s          =  0            (default)
              plugins.jsonlines.config.compress          =  "none"       (default)
              plugins.jsonlines.config.fsync             =  "never"      (default)
              plugins.fixed                              =  false        (default)
              keptMebibytes                              =  64           (default)
              longestSilenceSeconds                      =  21600        (default)
              pluginDirectories                          =  []           (default)
              recover                                    =  true         (default)
              store                                      =  null         (default)
              control.socket                             =  null         (default)
              control.answerLimitSeconds                 =  60           (default)
              calls.limitSeconds                         =  null         (default)
              calls.budgetMs                             =  5            (default)
              calls.disableAfter                         =  0            (default)
              isolation.all                              =  false        (default)
              isolation.memoryMebibytes                  =  512          (default)
              isolation.holdMs                           =  500          (default)
              dropIn                                     =  "load"       (default)
              player.bufferSeconds                       =  3            (DIR/tally.json5:6:13)
              archive                                    =  "run.tally"  (--archive)

            What cannot work:
              nothing was found

            """
        #expect(explained(setup, options: [EffectiveSetting("archive", "run.tally", "--archive")]) == expected)
    }

    @Test(
        "What cannot work is named",
        arguments: [
            ("{}", "nothing is reported: there are no plugins and no archive"),
            ("{plugins: {'example-c': {}}}", "no reporter is among the plugins"),
            ("{plugins: {'example-c': {}, discard: {enabled: false}}}", "no enabled reporter takes records or beacons"),
            (
                "{plugins: {'example-c': {}, jsonlines: {config: {records: false, beacons: false}}}}",
                "no enabled reporter takes records or beacons"
            ),
            ("{plugins: {jsonlines: {}}}", "no tracker is among the plugins"),
            ("{plugins: {'example-c': {enabled: false}, discard: {}}}", "example-c is disabled, and nothing here"),
            (
                "{archive: '/tmp/x.jsonl', plugins: {'example-c': {}, jsonlines: {config: {path: '/tmp/x.jsonl'}}}}",
                "plugins.jsonlines.config.path and archive write to the same file /tmp/x.jsonl"
            ),
            (
                "{plugins: {a: {plugin: 'jsonlines', config: {path: '/tmp/../tmp/y'}}, b: {plugin: 'jsonlines', "
                    + "config: {path: '/tmp/y'}}}}",
                "plugins.a.config.path and plugins.b.config.path write to the same file"
            ),
            ("{shared: {other: {a: 1}}, plugins: {discard: {}}}", "shared.other is read by none of the configured"),
            (
                "{plugins: {'mux-data': {}, discard: {}}}",
                "tally.json5:1:12: plugins.mux-data.config: the key \"environmentKey\" is missing; add it"
            ),
            ("{plugins: {sqlite: {config: {pth: 'x'}}}}", "the key \"pth\" is not known; did you mean \"path\"?"),
            ("{plugins: {sqlite: {config: {pth: 'x'}}}}", "plugins.sqlite.config: the key \"path\" is missing; add it"),
            ("{plugins: {'nielsen-dcr': {}, discard: {}}}", "com.nielsen.dcr needs appid in its configuration"),
            (
                "{plugins: {'nielsen-dcr': {config: {appid: ''}}, discard: {}}}",
                "com.nielsen.dcr needs appid in its configuration"
            ),
            (
                "{plugins: {'adobe-heartbeat': {config: {jobId: 'j', publisher: 'p'}}, discard: {}}}",
                "com.adobe.heartbeat needs trackingServer in its configuration, and it is not there"
            ),
            ("{plugins: {'example-sea': {}}}", "did you mean example-c?"),
        ]
    )
    func warnings(text: String, warning: String) throws {
        let warnings = EffectiveConfiguration(try setup(text), canEnable: false).warnings
        #expect(warnings.contains { $0.contains(warning) }, "\(warnings)")
    }

    @Test(
        "The order of the Adobe set-up is checked: Analytics settings, adobe-analytics, adobe-heartbeat",
        arguments: [
            (true, "'adobe-analytics': {}, 'adobe-heartbeat': {config: {compatibility: '1.3.1', MANDATORY}}", []),
            (false, "'adobe-heartbeat': {config: {MANDATORY}}", []),
            (
                true, "'adobe-heartbeat': {config: {MANDATORY}}, 'adobe-analytics': {}",
                ["com.adobe.heartbeat has to be set up after com.adobe.analytics: put adobe-analytics before it"]
            ),
            (
                true,
                "'adobe-analytics': {enabled: false}, 'adobe-heartbeat': {config: {compatibility: '1.3.1', MANDATORY}}",
                [
                    "com.adobe.heartbeat as compatibility \"1.3.1\" needs com.adobe.analytics beside it: configure an "
                        + "instance and enable it"
                ]
            ),
            (
                false, "'adobe-analytics': {}, 'adobe-heartbeat': {config: {compatibility: '1.3.1', MANDATORY}}",
                [
                    "com.adobe.analytics needs the file AdobeMobile/ADBMobileConfig.json beside the configuration, and it "
                        + "is not there",
                    "com.adobe.heartbeat as compatibility \"1.3.1\" needs the file AdobeMobile/ADBMobileConfig.json beside "
                        + "the configuration, and it is not there",
                ]
            ),
        ] as [(Bool, String, [String])]
    )
    func adobeOrder(hasSettings: Bool, plugins: String, expected: [String]) throws {
        if hasSettings {
            write(#"{"analytics": {"rsids": "a", "server": "b.example"}}"#, "AdobeMobile/ADBMobileConfig.json")
        }
        let mandatory = "trackingServer: 'a.example', jobId: 'j', publisher: 'p'"
        let setup = try setup("{plugins: {\(plugins.replacing("MANDATORY", with: mandatory)), discard: {}}}")
        let warnings = EffectiveConfiguration(setup, canEnable: true).warnings
        #expect(warnings.map { $0.split(separator: ": ", maxSplits: 1).last.map(String.init) ?? "" } == expected)
    }

    @Test("plugins.fixed is no instance, in an object, beside an array, and on the command line")
    func fixed() throws {
        let inObject = try setup("{plugins: {fixed: true, discard: {}}}").configuration
        #expect(inObject.isFixed && inObject.plugins.map(\.name) == ["discard"])
        #expect(try setup("{fixed: true, plugins: [{plugin: 'discard'}]}").configuration.isFixed)
        let options = ["--set", "plugins.fixed=true"]
        #expect(try setup("{plugins: [{plugin: 'discard'}]}", options).configuration.isFixed)
        let instance = try setup("{plugins: {fixed: {plugin: 'discard'}}}").configuration
        #expect(!instance.isFixed && instance.plugins.map(\.name) == ["fixed"])
    }

    @Test("A shared block comes from the configuration or from a file, relative to it")
    func sharedBlocks() throws {
        write("{\"a\": 1}", "block.json")
        let setup = try setup("{shared: {one: 'block.json', two: {b: 2}}}")
        #expect(setup.configuration.shared == ["one": ["a": 1], "two": ["b": 2]])
        #expect(throws: HostError.self) { try self.setup("{shared: {one: 'none.json'}}") }
    }

    @Test("A configuration that is read again changes what differs, and a wrong one changes nothing")
    func reload() throws {
        let out = "jsonlines: {config: {path: '\(folder)/out.jsonl'}}"
        let old = try setup("{plugins: {'example-c': {}, 'example-swift': {enabled: false}, \(out)}, archive: 'a'}")
        let telemetry = try old.telemetry(Telemetry.Options())
        let run = try telemetry.startRun()
        defer {
            run.destroy()
            telemetry.close()
        }
        let control = PluginControl(run: run, telemetry: telemetry) { old }
        func states() -> [String] {
            run.plugins().filter { $0.state != .loaded }.map { "\($0.name) \($0.state.rawValue)" }
        }
        #expect(states() == ["example-c enabled", "example-swift disabled", "jsonlines enabled"])

        write("{plugins: {'example-c': {enabled: 7}}}")
        #expect(throws: HostError.self) { try old.readAgain() }
        write("{plugins: {jsonlines: {config: {path: 7}}}}")
        #expect(throws: HostError.self) { try old.readAgain() }
        #expect(states() == ["example-c enabled", "example-swift disabled", "jsonlines enabled"])

        write("{plugins: {'example-swift': {}, \(out), more: {plugin: 'discard'}}, archive: 'b'}")
        let new = try old.readAgain()
        let reply = control.apply(from: old, to: new)
        guard case .success(let data) = reply else {
            Issue.record("\(reply)")
            return
        }
        #expect(data["done"] == ["example-c disabled", "example-swift enabled", "more added"])
        #expect(data["restart"] == ["archive"])
        #expect(
            states() == ["example-c disabled", "example-swift enabled", "jsonlines enabled", "more enabled"]
        )

        // The same file again is no change.
        #expect(
            control.apply(from: new, to: try new.readAgain())
                == .success([
                    "changed": false, "note": "the configuration was read again: no plugin changed", "done": [],
                    "restart": [],
                ])
        )
    }

    @Test("A settings file that has changed counts at the next start, and says so when the configuration is read again")
    func changedFile() throws {
        write(#"{"analytics": {"rsids": "a", "server": "b.example"}}"#, "AdobeMobile/ADBMobileConfig.json")
        let old = try setup("{plugins: {'adobe-analytics': {}, discard: {}}}")
        let telemetry = try old.telemetry(Telemetry.Options())
        let run = try telemetry.startRun()
        defer {
            run.destroy()
            telemetry.close()
        }
        let control = PluginControl(run: run, telemetry: telemetry) { old }
        write(#"{"analytics": {"rsids": "other", "server": "b.example"}}"#, "AdobeMobile/ADBMobileConfig.json")
        let expected = JSONValue.array(["AdobeMobile/ADBMobileConfig.json"])
        guard case .success(let data) = control.apply(from: old, to: try old.readAgain()) else {
            Issue.record("the configuration was refused")
            return
        }
        #expect(data["changed"] == false && data["restart"] == expected)
    }

    @Test("Orders to plugins are carried out or refused with a reason, and what is so already is said")
    func orders() throws {
        let setup = try setup("{plugins: {'example-c': {}, discard: {}}}")
        let telemetry = try setup.telemetry(Telemetry.Options())
        let run = try telemetry.startRun()
        defer {
            run.destroy()
            telemetry.close()
        }
        let control = PluginControl(run: run, telemetry: telemetry) { setup }
        func say(_ words: String...) throws -> String {
            guard case .plugin(let order) = try ControlCommand(words: words) else { return "no order" }
            switch control.perform(order) {
            case .success(let data): return data["note"]?.string ?? "done"
            case .failure(let problem): return problem.kind.rawValue
            }
        }
        #expect(try say("enable", "example-c") == "example-c is enabled already")
        #expect(try say("disable", "example-c") == "example-c is disabled")
        #expect(try say("disable", "example-c") == "example-c is disabled already")
        #expect(try say("enable", "example-c") == "example-c is enabled")
        #expect(try say("disable", "discard") == "discard is disabled")
        #expect(try say("enable", "discard") == "discard is enabled")
        #expect(try say("enable", "example-swift") == "example-swift is enabled")
        #expect(try say("plugin", "load", "discard", "second") == "second is enabled")
        #expect(try say("plugin", "load", "discard", "second") == "duplicate")
        #expect(try say("plugin", "load", "nothing") == "unknown_plugin")
        #expect(try say("plugin", "load", folder + "/libx.tallyplugin.so") == "bad_file")
        let (file, link) = (TestFile.products + "/libexample-c.tallyplugin.so", folder + "/libother.tallyplugin.so")
        #expect(unsafe symlink(file, link) == 0)
        for path in [file, link] {
            let said = try say("plugin", "load", path)
            #expect(said == "the very same file is loaded already", "\(path)")
        }
        #expect(try say("plugin", "replace", folder + "/libx.tallyplugin.so") == "bad_file")
        #expect(try say("plugin", "release", "00112233") == "unavailable")
        #expect(try say("plugin", "command", "example-c", "dance") == "not_offered")
        #expect(try say("configure", "nobody", "{}") == "unknown_plugin")
        #expect(try say("configure", "example-c", "{interval_seconds: 'x'}") == "invalid_configuration")
        #expect(try say("plugin", "show", "nobody") == "unknown_plugin")
        #expect(try say("plugin", "show", "example-c") == "done")
        guard case .success(let drained) = ReporterDrain.reply(run: run, telemetry: telemetry, limit: 10_000) else {
            Issue.record("the reporters did not answer")
            return
        }
        #expect(drained["lost"]?.int == 0)
    }
}
