import ChildPrograms
import Glibc
import Tally
import TallyTesting
import Testing

/// A plugin in whose call a process died is not loaded again until it is released.
@Suite struct QuarantineTests {
    @Test(
        "The plugin in which a process died is in quarantine at the next start",
        arguments: [("crash-event", "crashed with signal 4"), ("exit-event", "ended the process")]
    )
    func died(mode: String, reason: String) async throws {
        let folder = PluginFolder()
        let file = try folder.make("libcounter.tallyplugin.so", mode: mode)
        #expect(try await Self.run(folder.file("state"), file) != 0)
        let quarantine = try PluginQuarantine(folder: folder.file("state"))
        let entry = try #require(quarantine.entries.first)
        #expect(entry.plugin == ControlledRun.patched)
        #expect(entry.reason.contains(reason), "\(entry.reason)")
        let admission = PluginAdmission(quarantine: quarantine)
        let error = #expect(throws: PluginError.self) { try admission.load(file) }
        #expect(error?.description.contains("plugin release \(entry.sha256.prefix(12))") == true)

        // A newer file of the same plugin is another file.
        _ = try admission.load(folder.make("other.tallyplugin.so"))

        let telemetry = try Telemetry(plugins: [], catalog: PluginCatalog(admission: admission))
        let listed = try #require(telemetry.pluginStatuses().first)
        #expect(listed.state == .quarantined && listed.sha256 == entry.sha256 && listed.reason.contains(reason))
        #expect(throws: ControlError.self) { try telemetry.release(sha256: "0000000000") }
        try telemetry.release(sha256: String(entry.sha256.prefix(12)))
        _ = try admission.load(file)
        #expect(try PluginQuarantine(folder: folder.file("state")).entries.isEmpty)
    }

    @Test("A process that ends well leaves nobody in quarantine")
    func well() async throws {
        let folder = PluginFolder()
        let file = try folder.make("libcounter.tallyplugin.so")
        #expect(try await Self.run(folder.file("state"), file) == 0)
        #expect(try PluginQuarantine(folder: folder.file("state")).entries.isEmpty)
    }

    /// Runs a player that loads a file; gives how it ended.
    private static func run(_ folder: String, _ file: String) async throws -> Int32 {
        try await ChildProgram("crashing-host", [folder, file]).end()
    }
}
