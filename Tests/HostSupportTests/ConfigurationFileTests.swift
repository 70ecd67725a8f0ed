import HostSupport
import Testing
import TextEncoding

struct ConfigurationFileTests {
    private let folder = TemporaryFolder()
    private enum StreamType: String, CaseIterable { case vod, live, linear }
    private let reader = ConfigurationFile([
        Setting(nil, .word("TYPE", of: StreamType.allCases), key: "streamType", "What kind of stream it is.")
    ])

    private func load(
        _ text: String,
        plugins: [String]? = nil,
        set: [String] = []
    ) throws(ConfigurationError) -> HostConfiguration {
        try reader.load(path: folder.write("tally.json5", text), chosenPlugins: plugins, overrides: set)
    }

    /// The message of the error, with `DIR` for the test's folder.
    private func message(_ text: String, plugins: [String]? = nil, set: [String] = []) -> String? {
        do throws(ConfigurationError) {
            _ = try load(text, plugins: plugins, set: set)
            return nil
        } catch {
            return error.message.replacing(folder.path, with: "DIR")
        }
    }

    @Test("Plugins are given as an array or as an object by name, with the same result")
    func plugins() throws {
        let expected = [
            PluginConfiguration(name: "main", pluginID: "new-relic-video", config: ["heartbeatSeconds": 10]),
            PluginConfiguration(name: "jsonlines", pluginID: "jsonlines", enabled: false),
        ]
        let array = try load(
            """
            {plugins: [
              {name: "main", plugin: "new-relic-video", config: {heartbeatSeconds: 10}},
              {plugin: "jsonlines", enabled: false},
            ]}
            """
        )
        #expect(array.plugins == expected)
        let object = try load(
            """
            {plugins: {
              main: {plugin: "new-relic-video", config: {heartbeatSeconds: 10}},
              jsonlines: {enabled: false},
            }}
            """
        )
        #expect(object.plugins == expected)
    }

    @Test("An empty file of an object, an empty list and no file at all give no plugins")
    func empty() throws {
        #expect(try load("{}").plugins.isEmpty)
        #expect(try load("{plugins: []}").plugins.isEmpty)
        let nothing = try reader.load(path: nil)
        #expect(
            nothing.plugins.isEmpty && nothing[HostSettings.archive] == nil
                && nothing[HostSettings.pluginDirectories].isEmpty
        )
    }

    @Test("Paths are relative to the file that they stand in")
    func paths() throws {
        folder.write("part/dirs.json5", "['near', '/absolute']")
        let found = try load("{archive: 'out', pluginDirectories: {$file: 'part/dirs.json5'}, streamType: 'live'}")
        #expect(found[HostSettings.archive] == folder.path + "/out")
        #expect(found[HostSettings.pluginDirectories] == [folder.path + "/part/near", "/absolute"])
        #expect(found.value["streamType"] == "live")
        #expect(try load("{archive: 'out'}", set: ["archive=here"])[HostSettings.archive] == "here")
        #expect(try load("{archive: 'out'}", set: ["archive=null"])[HostSettings.archive] == nil)
    }

    @Test(
        "A wrong configuration says file, line, column, key, what is wrong and what to do",
        arguments: [
            ("{", "DIR/tally.json5:1:2: the text ends inside an object"),
            (
                "{\n  plugin: []\n}",
                "DIR/tally.json5:2:3: plugin: the key \"plugin\" is not known; did you mean \"plugins\"?"
            ),
            (
                "{zzzzzzzz: 1}",
                "DIR/tally.json5:1:2: zzzzzzzz: the key \"zzzzzzzz\" is not known; "
                    + "allowed are plugins, fixed, keptMebibytes, longestSilenceSeconds, pluginDirectories, shared, "
                    + "delivery, archive, recover, store, control, calls, isolation, dropIn, "
                    + "streamType"
            ),
            ("[]", "DIR/tally.json5:1:1: found an array, expected an object"),
            ("{plugins: 'a'}", "DIR/tally.json5:1:2: plugins: found a string \"a\", expected an array or an object"),
            ("{plugins: [\n {name: 'a'}]}", "DIR/tally.json5:2:2: plugins.0: the key \"plugin\" is missing; add it"),
            (
                "{plugins: [{plugin: 'a',\n   enabled: 'yes'}]}",
                "DIR/tally.json5:2:4: plugins.0.enabled: found a string \"yes\", expected true or false"
            ),
            (
                "{plugins: {a: {enable: true}}}",
                "DIR/tally.json5:1:16: plugins.a.enable: the key \"enable\" is not known; did you mean \"enabled\"?"
            ),
            (
                "{plugins: [{plugin: 'a'},\n {plugin: 'b'},\n {plugin: 'a'}]}",
                "DIR/tally.json5:3:2: the instance name \"a\" is taken at DIR/tally.json5:1:12; "
                    + "give one of the two another \"name\""
            ),
            (
                "{plugins: [{name: '', plugin: 'a'}]}",
                "DIR/tally.json5:1:12: the instance name \"\" cannot be used; "
                    + "it needs 1 to 255 bytes, no control characters and no comma"
            ),
            ("{archive: 3}", "DIR/tally.json5:1:2: archive: found an integer 3, expected a string or null"),
            (
                "{pluginDirectories: ['a', 1]}",
                "DIR/tally.json5:1:27: pluginDirectories.1: found an integer 1, expected a string"
            ),
            (
                "{streamType: 'dvr'}",
                "DIR/tally.json5:1:2: streamType: found a string \"dvr\", expected one of \"vod\", \"live\", \"linear\""
            ),
            (
                "{archive: 'a', archive: 'b'}",
                "DIR/tally.json5:1:16: the key \"archive\" is given twice in one object; keep one of them"
            ),
        ]
    )
    func wrong(text: String, expected: String) {
        #expect(message(text) == expected)
    }

    @Test("A file that is not there is missing input, one that is named in a file is bad configuration")
    func missingFiles() {
        let path = folder.path + "/none.json5"
        do throws(ConfigurationError) {
            _ = try reader.load(path: path)
            Issue.record("no error")
        } catch {
            #expect(error.message == "cannot read the configuration file \(path): No such file or directory")
            #expect(error.exitCode == .noInput)
        }
        do throws(ConfigurationError) {
            _ = try load("{plugins: {\n a: {config: {$file: 'none.json5'}}}}")
            Issue.record("no error")
        } catch {
            let place = folder.path + "/tally.json5:2:15: "
            #expect(error.message == place + "cannot read the configuration file \(path): No such file or directory")
            #expect(error.exitCode == .badConfiguration)
        }
    }

    @Test("A part can stand in a file of its own, and errors in it name that file")
    func includes() throws {
        folder.write("parts/nr.json5", "{\n  url: 'x',\n  deeper: {$file: 'deep.json'}}")
        folder.write("parts/deep.json", "[1, 2]")
        let text = "{plugins: [{plugin: 'nr', config: {$file: 'parts/nr.json5'}}]}"
        let found = try load(text)
        #expect(found.plugins[0].config == ["url": "x", "deeper": [1, 2]])
        let schema = ConfigSchemaCheck([
            "properties": ["url": ["type": "integer"], "deeper": ["items": ["maximum": 1]]]
        ])
        #expect(
            found.violations(of: schema, in: found.plugins[0]).map { $0.message.replacing(folder.path, with: "DIR") }
                == [
                    "DIR/parts/nr.json5:2:3: plugins.nr.config.url: found a string \"x\", expected an integer",
                    "DIR/parts/deep.json:1:5: plugins.nr.config.deeper.1: found an integer 2, expected 1 or less",
                ]
        )
        folder.write("parts/nr.json5", "{\n  url: }")
        #expect(message(text) == "DIR/parts/nr.json5:2:8: found \"}\" where a value is expected")
    }

    @Test("Files that include one another are refused, however they are named")
    func cycles() {
        folder.write("a.json5", "{$file: './b.json5'}")
        folder.write("b.json5", "[{$file: '../\(folder.path.split(separator: "/").last ?? "")/a.json5'}]")
        let expected = "these files include one another in a circle: DIR/a.json5 -> DIR/b.json5 -> DIR/a.json5"
        #expect(message("{plugins: {$file: 'a.json5'}}")?.hasSuffix(expected) == true)
        #expect(
            message("{plugins: {$file: 'tally.json5'}}")?.contains("in a circle: DIR/tally.json5 -> DIR/tally.json5")
                == true
        )
    }

    @Test("An include stands alone in its object and names a file")
    func includeForm() {
        #expect(
            message("{plugins: {$file: 'x', other: 1}}")
                == "DIR/tally.json5:1:12: an object with \"$file\" is replaced by that file; remove the key \"other\" from it"
        )
        #expect(
            message("{plugins: {$file: 3}}")
                == "DIR/tally.json5:1:12: plugins.$file: found an integer, expected the path of a file"
        )
    }

    @Test("A file may be used twice in different places")
    func sharedInclude() throws {
        folder.write("c.json5", "{x: 1}")
        let found = try load("{plugins: {a: {config: {$file: 'c.json5'}}, b: {config: {$file: 'c.json5'}}}}")
        #expect(found.plugins.map(\.config) == [["x": 1], ["x": 1]])
    }
}
