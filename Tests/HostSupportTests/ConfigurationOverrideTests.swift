import HostSupport
import Testing
import TextEncoding

struct ConfigurationOverrideTests {
    private let folder = TemporaryFolder()
    private let reader = ConfigurationFile()
    private let text = """
        {plugins: [
          {name: "nr.1", plugin: "new-relic-video", config: {"a.b": 1, list: [1, {x: 2}]}},
          {name: "nr", plugin: "new-relic-video"},
          {plugin: "0"},
        ]}
        """

    private func load(set: [String], plugins: [String]? = nil) throws(ConfigurationError) -> HostConfiguration {
        try reader.load(path: folder.write("tally.json5", text), chosenPlugins: plugins, overrides: set)
    }

    private func message(set: [String]) -> String? {
        do throws(ConfigurationError) {
            _ = try load(set: set)
            return nil
        } catch {
            return error.message
        }
    }

    @Test(
        "An override's value is JSON5, or else the text itself",
        arguments: [
            ("10", 10), ("1.5", 1.5), ("true", true), ("null", nil), ("'a'", "a"), ("[1,]", [1]), ("{k:1}", ["k": 1]),
            ("plain text", "plain text"), ("1.2.3", "1.2.3"), ("", ""), ("a=b", "a=b"), ("0x10", 16),
            ("http://h/?a", "http://h/?a"),
        ] as [(String, JSONValue)]
    )
    func values(text: String, value: JSONValue) throws {
        let found = try load(set: ["plugins.nr.config.key=" + text])
        #expect(found.plugins[1].config["key"] == value)
    }

    @Test("An override reaches instances by name, dotted keys, elements and new objects")
    func paths() throws {
        let found = try load(set: [
            "plugins.nr.1.config.a.b=2", "plugins.nr.1.config.list.1.x=3", "plugins.nr.config.new.deep=4",
            "plugins.0.enabled=false", "plugins.nr.1.plugin=other",
        ])
        #expect(
            found.plugins == [
                PluginConfiguration(name: "nr.1", pluginID: "other", config: ["a.b": 2, "list": [1, ["x": 3]]]),
                PluginConfiguration(name: "nr", pluginID: "new-relic-video", config: ["new": ["deep": 4]]),
                PluginConfiguration(name: "0", pluginID: "0", enabled: false),
            ]
        )
        #expect(
            found.places.place(of: "plugins.nr.config.new.deep").description == "--set plugins.nr.config.new.deep=4"
        )
        #expect(found.places.place(of: "plugins.nr.1.config.list.0").description == folder.path + "/tally.json5:2:71")
    }

    @Test("A whole list of plugins can be set, and changed by what follows")
    func wholeList() throws {
        let found = try load(set: ["plugins=[{plugin:'p', name: 'n'}]", "plugins.n.config.k=1"])
        #expect(found.plugins == [PluginConfiguration(name: "n", pluginID: "p", config: ["k": 1])])
    }

    @Test("Plugins are chosen by instance name or by plugin id, in the order asked for; a new one is added")
    func choice() throws {
        let found = try load(set: ["plugins.console.config.k=1"], plugins: ["console", "new-relic-video", "0"])
        #expect(found.plugins.map(\.name) == ["console", "nr.1", "nr", "0"])
        #expect(found.plugins[0] == PluginConfiguration(name: "console", pluginID: "console", config: ["k": 1]))
        #expect(try load(set: [], plugins: []).plugins.isEmpty)
        let alone = try reader.load(path: nil, chosenPlugins: ["a"], overrides: ["plugins.a.plugin=b"])
        #expect(alone.plugins == [PluginConfiguration(name: "a", pluginID: "b")])
    }

    @Test(
        "A wrong override is named as it was given",
        arguments: [
            ("x", "--set x: expected KEY=VALUE, for example plugins.NAME.enabled=false"),
            ("=1", "--set =1: expected KEY=VALUE, for example plugins.NAME.enabled=false"),
            ("archve=a", "--set archve=a: archve: the key \"archve\" is not known; did you mean \"archive\"?"),
            ("archive={a", "--set archive={a: expected a value in JSON5 behind the =: the text ends inside an object"),
            (
                "plugins.nrr.enabled=false",
                "--set plugins.nrr.enabled=false: no plugin \"nrr\" is configured; did you mean \"nr\"?"
            ),
            (
                "plugins.console.enabled=false",
                "--set plugins.console.enabled=false: no plugin \"console\" is configured "
                    + "(configured: nr.1, nr, 0); add it to the plugins first"
            ),
            (
                "plugins.nr.enabled=off",
                "--set plugins.nr.enabled=off: plugins.nr.enabled: found a string \"off\", expected true or false"
            ),
            (
                "plugins.nr.plugin.x=1",
                "--set plugins.nr.plugin.x=1: \"plugins.nr.plugin\" is a string and has no parts that could be set"
            ),
            (
                "plugins.nr.1.config.list.7=1",
                "--set plugins.nr.1.config.list.7=1: \"plugins.nr.1.config.list\" has 2 elements, "
                    + "and none with the index \"7\""
            ),
        ]
    )
    func wrong(override: String, expected: String) {
        #expect(message(set: [override]) == expected)
    }
}
