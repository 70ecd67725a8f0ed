import PluginLoading
import Reporting
import TallyTesting
import Testing

/// A file or a plugin that breaks the ABI is refused with what, where and what to do; nothing of it is called.
@Suite struct PluginRefusalTests {
    @Test("A library without an entry is told from a plugin, with the symbol that it lacks")
    func noEntry() throws {
        let path = PluginFiles.fixture("no-entry")
        let error = try #require(Fixture.loadError(path))
        #expect(error == .noEntry(path: path))
        #expect("\(error)".contains("tally_plugin_entry_v1"))
    }

    @Test("A library of another major version is refused with both versions and never called")
    func wrongMajor() throws {
        let path = PluginFiles.fixture("wrong-major")
        let error = try #require(Fixture.loadError(path))
        #expect(error == .wrongMajor(path: path, found: 2))
        #expect("\(error)".contains("ABI 2") && "\(error)".contains("ABI 1"))
    }

    @Test(
        "A descriptor that breaks a rule is refused with what is wrong in it",
        arguments: [
            ("null-descriptor", "descriptor 0 of 2 is NULL"),
            ("tiny-descriptor", "tally_descriptor is smaller than that of ABI 1.0"),
            ("bad-id", "the id \"My Tracker\" is not reverse-DNS"),
            ("bad-version-text", "the version \"1.0-final\" is not MAJOR.MINOR.MICRO"),
        ]
    )
    func descriptor(fixture: String, reason: String) throws {
        let path = PluginFiles.fixture(fixture)
        let error = try #require(Fixture.loadError(path))
        guard case .invalid(path, let told) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(told.contains(reason))
        #expect("\(error)".contains(path))
    }

    @Test("A plugin that needs an extension of a newer host is refused with the extension's name")
    func requiresUnknown() throws {
        let path = PluginFiles.fixture("requires-unknown")
        let error = try #require(Fixture.loadError(path))
        let id = "org.tally.fixture.requires-unknown"
        #expect(error == .missingExtension(path: path, id: id, extensionID: "tally.teleport/1"))
        #expect("\(error)".contains("tally.teleport/1"))
    }

    @Test("A function that has to be there and is NULL is named, and nothing is called")
    func nullFunctions() throws {
        let error = try #require(
            try Fixture.runError("null-functions", id: "org.tally.fixture.null-functions")
        )
        #expect("\(error)".contains("tally_tracker.on_event is NULL"))
        #expect("\(error)".contains(PluginFiles.fixture("null-functions")))
    }

    @Test(
        "Tables that end before their functions are refused without reading on",
        arguments: [
            ("org.tally.fixture.tiny-plugin", "tally_plugin is smaller"),
            ("org.tally.fixture.tiny-tracker", "tally_tracker is smaller"),
        ]
    )
    func tinyStructures(id: String, reason: String) throws {
        let error = try #require(try Fixture.runError("tiny-structs", id: id))
        #expect("\(error)".contains(reason))
    }

    @Test("A failed init is told with the instance, the status and the plugin's own words")
    func initFails() throws {
        let error = try #require(try Fixture.runError("init-fails", id: "org.tally.fixture.init-fails"))
        #expect(
            error == .failed(instance: "mine", call: "init", status: -4, reason: "the tracking server has no name")
        )
        #expect("\(error)".contains("the tracking server has no name"))
    }

    @Test("A tracker cannot serve as a reporter, and the other way round")
    func wrongKind() throws {
        let catalog = PluginCatalog()
        try catalog.add(LoadedLibrary(path: PluginFiles.fixture("witness")))
        try catalog.add(LoadedLibrary(path: PluginFiles.fixture("slow-reporter")))
        #expect(
            throws: PluginError.noTable(path: PluginFiles.fixture("witness"), extensionID: "tally.reporter/1")
        ) {
            _ = try ReporterInstance(
                name: "mine",
                entry: catalog.find("witness"),
                configuration: "{}",
                policy: .wait,
                log: .silent
            )
        }
        let error = try Fixture.runError("slow-reporter", id: "org.tally.fixture.slow-reporter")
        #expect(
            error == .noTable(path: PluginFiles.fixture("slow-reporter"), extensionID: "tally.tracker/1")
        )
    }
}
