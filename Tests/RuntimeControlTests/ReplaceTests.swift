import ChildPrograms
import Glibc
import Tally
import TallyTesting
import TestFiles
import Testing

/// A newer file takes the place of a loaded one.
@Suite struct ReplaceTests {
    private static func run(
        _ folder: PluginFolder,
        mode: String = "good",
        options: Telemetry.Options = Telemetry.Options(),
        isArchived: Bool = true
    ) throws -> ControlledRun {
        let file = try folder.make("libcounter.tallyplugin.so", mode: mode)
        let run = try ControlledRun(
            [
                PluginSelection(ControlledRun.patched, name: "first"),
                PluginSelection(ControlledRun.patched, name: "second", configuration: ["step": 100]),
            ],
            files: [file],
            options: options,
            isArchived: isArchived
        )
        run.perform(.load)
        return run
    }

    @Test("It knows what was, and says on what the old one would have: no session ends, the count goes on")
    func replayed() throws {
        let folder = PluginFolder()
        let run = try Self.run(folder)
        try run.telemetry.replace(file: folder.make("libcounter.tallyplugin.so", number: 2))
        run.perform(.play)
        #expect(run.said("first") == ["begin 0", "event 1", "event 2"])
        #expect(run.said("second") == ["begin 0", "event 100", "event 200"])
        let recorded = run.end()
        #expect(recorded.live.events.count { $0.contains("plugin_replaced") } == 2)
        #expect(try TestFile.text(recorded.archive).ranges(of: #""plugin_replacement":"replayed""#).count == 2)
        #expect(try run.replayAsRecorded(recorded.archive).lines == recorded.live.lines)
    }

    @Test("One that said something else in the open session does not: the session ends and begins anew")
    func joined() throws {
        let folder = PluginFolder()
        let run = try Self.run(folder)
        try run.telemetry.replace(file: folder.make("libcounter.tallyplugin.so", mode: "other"))
        run.perform(.play)
        #expect(run.said("first") == ["begin 0", "event 1", "end-replace 1", "opened 0", "event 1"])
        let recorded = run.end()
        #expect(try TestFile.text(recorded.archive).ranges(of: #""plugin_replacement":"joined""#).count == 2)
        #expect(try run.replayAsRecorded(recorded.archive).lines == recorded.live.lines)
    }

    @Test("One that says something else now, and the same in the open session, goes on")
    func otherSession() throws {
        let folder = PluginFolder()
        let run = try Self.run(folder, mode: "other")
        run.perform(.unload)
        try run.telemetry.replace(file: folder.make("libcounter.tallyplugin.so"))
        run.perform(.load)
        #expect(run.said("first") == ["opened 0", "event 1", "event 2", "end 2", "begin 2", "event 3"])
        let recorded = run.end()
        #expect(try run.replayAsRecorded(recorded.archive).lines == recorded.live.lines)
    }

    @Test("An archive that does not say how is replayed the same, where both said the same")
    func olderArchive() throws {
        for (mode, kind) in [("good", "replayed"), ("other", "joined")] {
            let folder = PluginFolder()
            let run = try Self.run(folder)
            try run.telemetry.replace(file: folder.make("libcounter.tallyplugin.so", mode: mode, number: 2))
            run.perform(.play)
            let recorded = run.end()
            let text = try TestFile.text(recorded.archive)
            let older = text.replacing(#","plugin_replacement":"\#(kind)""#, with: "")
            #expect(older != text)
            let path = folder.write(Array(older.utf8), to: "older.ndjson")
            // The line without the attribute is the one event that differs.
            #expect(try run.replayAsRecorded(path).lines == recorded.live.lines)
        }
    }

    @Test("A run without an archive has its lines in an unnamed file, up to its limit", arguments: [64 << 20, 0, 4096])
    func withoutArchive(limit: Int) throws {
        let folder = PluginFolder()
        var options = Telemetry.Options()
        options.keptBytes = limit
        let run = try Self.run(folder, options: options, isArchived: false)
        for _ in 0..<40 { run.perform(.play) }
        try run.telemetry.replace(file: folder.make("libcounter.tallyplugin.so", number: 2))
        run.perform(.play)
        #expect(run.said("first").last == (limit > 4096 ? "event 42" : "event 1"))
        _ = run.end()
    }

    @Test("What was erased nobody is told: the new one joins", arguments: [true, false])
    func erased(isArchived: Bool) throws {
        let folder = PluginFolder()
        let run = try Self.run(folder, isArchived: isArchived)
        try run.run.eraseArchive()
        run.perform(.play)
        try run.telemetry.replace(file: folder.make("libcounter.tallyplugin.so", number: 2))
        run.perform(.play)
        #expect(run.said("first").suffix(3) == ["end-replace 2", "begin 0", "event 1"])
        _ = run.end()
    }

    @Test("It catches up while the run goes on")
    func offTheRunsThread() async throws {
        let folder = PluginFolder()
        let file = try folder.make("libcounter.tallyplugin.so")
        let gate = folder.file("gate")
        let memory = MemoryReporter()
        let catalog = PluginCatalog()
        try catalog.add(catalog.library(file))
        var options = Telemetry.Options()
        // However long the gate stays shut.
        options.callLimit = 0
        let telemetry = try Telemetry(
            plugins: [PluginSelection(ControlledRun.patched, name: "first", configuration: ["gate": .string(gate)])],
            catalog: catalog,
            options: options,
            extraConsumers: [memory]
        )
        func said() -> Int { memory.contents.lines.count }
        let run = try telemetry.startRun()
        run.trackVideoLoad()
        #expect(await eventually { said() == 2 })
        let newer = try folder.make("libcounter.tallyplugin.so", mode: "gated")
        async let replaced = Task.detached { try telemetry.replace(file: newer) }.value
        #expect(await eventually { unsafe access(gate, F_OK) == 0 })
        // The new one is held up in its first event, and the old one goes on with what comes.
        for number in 3...5 {
            run.trackPlay()
            #expect(await eventually { said() == number })
        }
        unsafe unlink(gate)
        #expect(try await replaced.count == 1)
        run.trackPlay()
        #expect(await eventually { said() == 6 })
        let counts = memory.contents.lines.map { $0.attributes["count"] }
        #expect(counts == [0, 1, 2, 3, 4, 5].map { .int($0) })
        run.destroy()
        telemetry.close()
    }

    @Test("The new one has the configuration that the run gave to the old one", arguments: ["good", "other"])
    func configured(mode: String) throws {
        let folder = PluginFolder()
        let run = try Self.run(folder)
        try run.run.configure(plugin: "first", ["step": 10])
        try run.telemetry.replace(file: folder.make("libcounter.tallyplugin.so", mode: mode, number: 2))
        run.perform(.play)
        #expect(run.said("first").last == (mode == "good" ? "event 11" : "event 10"))
        #expect(run.said("second").last == (mode == "good" ? "event 200" : "event 100"))
        let recorded = run.end()
        #expect(try run.replayAsRecorded(recorded.archive).lines == recorded.live.lines)
    }

    @Test("Records count on through a replacement, also those that the new one says while it is enabled")
    func ordinals() throws {
        let folder = PluginFolder()
        let run = try Self.run(folder, mode: "other")
        try run.telemetry.replace(file: folder.make("libcounter.tallyplugin.so", mode: "loud"))
        run.perform(.play)
        #expect(
            run.said("first") == ["opened 0", "event 1", "enabled 0", "end-replace 1", "begin 0", "event 1"]
        )
        #expect(run.run.plugins().first { $0.name == "first" }?.tracker?.records == 6)
        let recorded = run.end()
        #expect(try run.replayAsRecorded(recorded.archive).lines == recorded.live.lines)
    }

    @Test(
        "When any step fails the old one goes on with its whole file, and says nothing of it",
        arguments: ["fail-create", "fail-init", "fail-enable"]
    )
    func fails(mode: String) throws {
        let folder = PluginFolder()
        let run = try Self.run(folder)
        let before = run.run.plugins().first { $0.name == "first" }?.sha256
        let error = #expect(throws: ControlError.self) {
            try run.telemetry.replace(file: folder.make("libcounter.tallyplugin.so", mode: mode))
        }
        #expect(error?.kind == .refused)
        run.perform(.play)
        #expect(run.said("first") == ["begin 0", "event 1", "event 2"])
        #expect(run.run.plugins().first { $0.name == "first" }?.sha256 == before)
        let recorded = run.end()
        #expect(!recorded.live.events.contains { $0.contains("plugin_replaced") })
    }

    @Test("A disabled tracker is replaced and stays disabled; what was replaced is listed as retired")
    func disabled() throws {
        let folder = PluginFolder()
        let run = try Self.run(folder)
        run.run.disable(plugin: "first")
        run.run.pump()
        try run.telemetry.replace(file: folder.make("libcounter.tallyplugin.so", number: 2))
        let plugins = run.run.plugins()
        #expect(plugins.first { $0.name == "first" }?.state == .disabled)
        #expect(plugins.first { $0.name == "second" }?.state == .enabled)
        #expect(plugins.count { $0.state == .retired } == 1)
        #expect(run.run.enable(plugin: "first") == .requested)
        run.perform(.play)
        #expect(run.said("first").suffix(2) == ["begin 1", "event 2"])
    }

    @Test("The very same file changes nothing, and a file of other plugins has nothing to replace")
    func nothing() throws {
        let folder = PluginFolder()
        let run = try Self.run(folder)
        #expect(try run.telemetry.replace(file: folder.file("libcounter.tallyplugin.so")).isEmpty)
        let error = #expect(throws: ControlError.self) {
            try run.telemetry.replace(file: PluginFiles.plugin("example-c"))
        }
        #expect(error?.kind == .badFile && error?.description.contains("Load it instead") == true)
    }

    @Test("With several runs all change or none does")
    func severalRuns() throws {
        let folder = PluginFolder()
        let file = try folder.make("libcounter.tallyplugin.so")
        let catalog = PluginCatalog()
        try catalog.add(catalog.library(file))
        let telemetry = try Telemetry(
            plugins: [PluginSelection(ControlledRun.patched, name: "counter")],
            catalog: catalog
        )
        let runs = try (0..<3).map { _ in try telemetry.startRun() }
        for run in runs {
            run.trackVideoLoad()
        }
        func hashes(_ runs: ArraySlice<PlayerRun>) -> Set<String?> {
            Set(runs.map { run in run.plugins().first { $0.name == "counter" }?.sha256 })
        }
        let before = hashes(runs[...])
        #expect(before.count == 1)
        #expect(throws: ControlError.self) {
            try telemetry.replace(file: folder.make("libcounter.tallyplugin.so", mode: "fail-enable"))
        }
        #expect(hashes(runs[...]) == before)
        try telemetry.replace(file: folder.make("libcounter.tallyplugin.so", number: 5))
        let after = hashes(runs[...])
        #expect(after.count == 1 && after != before)
        runs[0].destroy()
        try telemetry.replace(file: folder.make("libcounter.tallyplugin.so", number: 6))
        #expect(hashes(runs[1...]).count == 1 && hashes(runs[1...]) != after)
        for run in runs[1...] {
            #expect(try run.command(plugin: "counter", "count") == ["count": 1])
            run.destroy()
        }
        telemetry.close()
    }

    @Test("Bytes that are loaded already are not loaded again, whatever their file is called")
    func sameBytes() throws {
        let folder = PluginFolder()
        let run = try Self.run(folder)
        for round in 0..<20 {
            try run.telemetry.replace(file: folder.make("other-\(round % 2).tallyplugin.so", number: round % 2 + 1))
        }
        let images = try TestFile.bytes("/proc/self/maps")
        let text = String(decoding: images, as: UTF8.self)
        #expect(text.split(separator: "\n").count { $0.contains("memfd:other-") && $0.contains("r-xp") } <= 2)
        #expect(run.run.plugins().first { $0.name == "first" }?.file.hasSuffix("other-1.tallyplugin.so") == true)
        run.perform(.play)
        #expect(run.said("first").last == "event 2")
    }
}
