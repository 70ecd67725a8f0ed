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
        let quarantine = try PluginQuarantine(folder: folder.file("state"), program: "tally-player")
        let entry = try #require(quarantine.entries.first)
        #expect(entry.plugin == ControlledRun.patched)
        #expect(entry.reason.contains(reason), "\(entry.reason)")
        let admission = PluginAdmission(quarantine: quarantine)
        let error = #expect(throws: PluginError.self) { try admission.load(file) }
        let hash = entry.sha256.prefix(12)
        let advice = "Replace it, or say \"tally-player plugin release \(hash)\" to have it loaded again."
        #expect(error?.description == "\(file): in quarantine: \(entry.reason). \(advice)")

        // A newer file of the same plugin is another file.
        _ = try admission.load(folder.make("other.tallyplugin.so"))

        let telemetry = try Telemetry(plugins: [], catalog: PluginCatalog(admission: admission))
        let listed = try #require(telemetry.pluginStatuses().first)
        #expect(listed.state == .quarantined && listed.sha256 == entry.sha256 && listed.reason.contains(reason))
        #expect(try telemetry.release(sha256: String(hash)) == entry)
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

    @Test("What a release lacks is said with what there is: too few digits, none such, several, none at all")
    func unreleased() throws {
        let folder = PluginFolder()
        let hashes = ["0123456789ab", "012345678900", "ffff00001111"].map { $0 + String(repeating: "0", count: 52) }
        let entries = hashes.map { hash in
            #"{"sha256":"\#(hash)","plugin":"org.example.\#(hash.prefix(2))","reason":"it crashed"}"#
        }
        try #require(Files.folder(folder.file("state")))
        folder.write(Array("[\(entries.joined(separator: ","))]".utf8), to: "state/quarantine.json")
        let quarantine = try PluginQuarantine(folder: folder.file("state"))
        let telemetry = try Telemetry(
            plugins: [],
            catalog: PluginCatalog(admission: PluginAdmission(quarantine: quarantine))
        )
        func refusal(_ hash: String) -> String? {
            do throws(ControlError) { try telemetry.release(sha256: hash) } catch { return error.description }
            return nil
        }
        let (one, other) = ("org.example.01 (SHA-256 0123456789ab)", "org.example.01 (SHA-256 012345678900)")
        let last = "org.example.ff (SHA-256 ffff00001111)"
        #expect(
            refusal("0123456")
                == "\"0123456\" has fewer than 8 digits of a hash; in the quarantine: \(one), \(other), \(last)"
        )
        #expect(
            refusal("123456789")
                == "no file in the quarantine has a SHA-256 that begins with 123456789; in it: \(one), \(other), \(last)"
        )
        #expect(
            refusal("0123456789")
                == "2 files in the quarantine have a SHA-256 that begins with 0123456789: \(one), \(other); give more digits"
        )
        for hash in [hashes[0], "01234567890", "FFFF0000"] { #expect(refusal(hash) == nil) }
        #expect(refusal("ffff0000") == "the quarantine is empty: no file has to be released")
        let without = try Telemetry(plugins: [], catalog: PluginCatalog())
        let none = #expect(throws: ControlError.self) { try without.release(sha256: "ffff0000") }
        #expect(none?.kind == .unavailable)
    }

    @Test("Two processes that live at once keep what the other has put in, and what it has released")
    func shared() throws {
        let folder = PluginFolder()
        let state = folder.file("state")
        let (one, other) = (try PluginQuarantine(folder: state), try PluginQuarantine(folder: state))
        let plugins = try (1...2).map { number in
            let file = try folder.make("lib\(number).tallyplugin.so", number: number)
            return try #require(PluginAdmission().load(file).plugins.first)
        }
        one.add(plugins[0], reason: "it crashed")
        other.add(plugins[1], reason: "it hung")
        #expect(try PluginQuarantine(folder: state).entries.map(\.sha256) == plugins.map(\.sha256))
        try one.release(#require(other.entries.first))
        #expect(one.entries.map(\.reason) == ["it hung"])
        #expect(try PluginQuarantine(folder: state).entries.map(\.reason) == ["it hung"])
    }

    /// Runs a player that loads a file; gives how it ended.
    private static func run(_ folder: String, _ file: String) async throws -> Int32 {
        try await ChildProgram("crashing-host", [folder, file]).end()
    }
}
