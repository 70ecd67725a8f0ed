import ChildPrograms
import Glibc
import Tally
import TallyTesting
import TestFiles
import Testing

/// A process that a plugin ends says which one it was, and in which call; the next one knows it too.
@Suite struct LastWordsTests {
    /// A way in which a plugin ends the process.
    struct Death: Sendable, CustomTestStringConvertible {
        let mode: String
        /// The exit code, or the signal as a negative number.
        let code: Int32
        let says: String
        let reason: String

        var testDescription: String { mode }
    }

    static let deaths = [
        Death(
            mode: "crash-event",
            code: -SIGILL,
            says: ") crashed in on_event (SIGILL at 0x",
            reason: "on_event crashed with signal 4 (SIGILL)"
        ),
        Death(
            mode: "address-event",
            code: -SIGSEGV,
            says: ") crashed in on_event (SIGSEGV at 0xbad0); it will be quarantined",
            reason: "on_event crashed with signal 11 (SIGSEGV)"
        ),
        Death(
            mode: "stack-event",
            code: -SIGSEGV,
            says: ") crashed in on_event (SIGSEGV at 0x",
            reason: "on_event crashed with signal 11 (SIGSEGV)"
        ),
        Death(
            mode: "abort-event",
            code: -SIGABRT,
            says: ") crashed in on_event (SIGABRT); it will be quarantined",
            reason: "on_event crashed with signal 6 (SIGABRT)"
        ),
        Death(
            mode: "exit-event",
            code: 70,
            says: ") called exit(3) in on_event, which ends the program with code 70; it will be quarantined",
            reason: "on_event ended the process"
        ),
        Death(
            mode: "leave-event",
            code: 70,
            says: ") called _exit(0) in on_event, which ends the program with code 70; it will be quarantined",
            reason: "on_event ended the process"
        ),
        Death(
            mode: "crash-load",
            code: -SIGILL,
            says: ") crashed in load (SIGILL at 0x",
            reason: "load crashed with signal 4 (SIGILL)"
        ),
        Death(
            mode: "exit-load",
            code: 70,
            says: ") called exit(3) in load",
            reason: "load ended the process"
        ),
    ]

    @Test(
        "The last line of a process names plugin, file, call and cause, and the next one keeps the file out",
        arguments: deaths
    )
    func named(death: Death) async throws {
        // A sanitizer has functions of its own in the place of these.
        if Self.isSanitized, ["leave-event", "stack-event"].contains(death.mode) { return }
        let folder = PluginFolder()
        let file = try folder.make("libcounter.tallyplugin.so", mode: death.mode)
        let outcome = try await Self.host(folder, file)
        #expect(outcome.code == death.code)
        let isLoading = death.mode.hasSuffix("load")
        let who = isLoading ? "plugin counter (\(file)" : "tracker mine (\(file)"
        #expect(outcome.errors.contains("crashing-host: error: \(who)\(death.says)"), "\(outcome.errors)")
        if death.mode == "stack-event" { #expect(outcome.errors.contains(", its stack is full); it will be")) }
        let entry = try #require(try PluginQuarantine(folder: folder.file("state")).entries.first)
        #expect(entry.reason == death.reason)
    }

    @Test("A process that ended in a call without a word accuses from the second time in a row on")
    func withoutAWord() async throws {
        let folder = PluginFolder()
        let file = try folder.make("libcounter.tallyplugin.so", mode: "vanish-event")
        #expect(try await Self.host(folder, file).code == 0)
        #expect(try await Self.host(folder, file).code == 0)
        let refused = try await Self.host(folder, file)
        #expect(refused.errors.contains("in quarantine: a process ended in on_event twice in a row, without a word"))
        let entries = try PluginQuarantine(folder: folder.file("state")).entries
        #expect(entries.map(\.plugin) == [ControlledRun.patched])
    }

    @Test("A process that ends well takes the suspicion away")
    func redeemed() async throws {
        let folder = PluginFolder()
        let file = try folder.make("libcounter.tallyplugin.so", mode: "told-event")
        for round in 0..<3 {
            let vanished = try await Self.host(folder, file, ["TALLY_FIXTURE_VANISHES": "1"])
            #expect(vanished.code == 0 && vanished.errors.isEmpty, "round \(round): \(vanished.errors)")
            let well = try await Self.host(folder, file)
            #expect(well.code == 0 && well.errors.isEmpty, "round \(round): \(well.errors)")
        }
        #expect(try PluginQuarantine(folder: folder.file("state")).entries.isEmpty)
    }

    @Test("A process that is killed outside of every call accuses nobody, however often")
    func killed() async throws {
        let folder = PluginFolder()
        let file = try folder.make("libcounter.tallyplugin.so", mode: "good")
        for _ in 0..<3 {
            let host = try ChildProgram("crashing-host", [folder.file("state"), file, "-", "wait"])
            #expect(await host.firstLine() == "waiting")
            #expect(try await host.killed())
        }
        #expect(try PluginQuarantine(folder: folder.file("state")).entries.isEmpty)
        #expect(TemporaryFolder.names(in: folder.file("state")).filter { $0.hasSuffix(".calls") }.count <= 1)
    }

    @Test(
        "Listings load no plugin in their own process; a file whose first lines fail only in the host is named, then kept out"
    )
    func onlyInTheHost() async throws {
        let folder = PluginFolder()
        let file = try folder.make("libcounter.tallyplugin.so", mode: "crash-host")
        let environment = ["TALLY_STATE": folder.file("state")]
        for arguments in [["--list-plugins"], ["plugin", "list"]] {
            let listing = try await ChildProgram.run(
                "tally-player",
                arguments + ["--plugin-dir", folder.path],
                environment: environment
            )
            #expect(listing.code == 0, "\(arguments): \(listing.errors)")
            #expect(listing.output.contains(ControlledRun.patched), "\(arguments): \(listing.output)")
        }
        let probe = PluginFiles.folder + "/tally-probe"
        let first = try await ChildProgram.run("crashing-host", [folder.file("state"), file, probe])
        #expect(first.code == -SIGILL)
        #expect(first.errors.contains("plugin counter (\(file)) crashed in load"))
        let second = try await ChildProgram.run("crashing-host", [folder.file("state"), file, probe])
        #expect(second.errors.contains("\(file): in quarantine: load crashed with signal 4 (SIGILL)"))
    }

    private static let isSanitized = ["__asan_init", "__tsan_init"].contains { (name: String) in
        unsafe dlsym(nil, name) != nil
    }

    /// Runs a player that loads a file and gives it an event.
    private static func host(
        _ folder: PluginFolder,
        _ file: String,
        _ environment: [String: String] = [:]
    ) async throws -> ChildProgram.Outcome {
        try await ChildProgram.run("crashing-host", [folder.file("state"), file], environment: environment)
    }
}
