import Tally
import TallyTesting
import Testing

/// A newer file takes the place of a loaded one.
@Suite struct ReplaceTests {
    private static func run(_ folder: PluginFolder, mode: String = "good") throws -> ControlledRun {
        let file = try folder.make("libcounter.tallyplugin.so", mode: mode)
        let run = try ControlledRun(
            [
                PluginSelection(ControlledRun.patched, name: "first"),
                PluginSelection(ControlledRun.patched, name: "second", configuration: ["step": 100]),
            ],
            files: [file]
        )
        run.perform(.load)
        return run
    }

    @Test("State of the same format is carried over: no session ends, the count goes on")
    func carried() throws {
        let folder = PluginFolder()
        let run = try Self.run(folder)
        try run.telemetry.replace(file: folder.make("libcounter.tallyplugin.so", number: 2))
        run.perform(.play)
        #expect(run.said("first") == ["begin 0", "event 1", "event 2"])
        #expect(run.said("second") == ["begin 0", "event 100", "event 200"])
        let recorded = run.end()
        #expect(recorded.live.events.count { $0.contains("plugin_replaced") } == 2)
        #expect(try run.replayAsRecorded(recorded.archive).lines == recorded.live.lines)
    }

    @Test("State of another format is not: the session ends and begins anew", arguments: ["state-2", "no-state"])
    func notCarried(mode: String) throws {
        let folder = PluginFolder()
        let run = try Self.run(folder)
        try run.telemetry.replace(file: folder.make("libcounter.tallyplugin.so", mode: mode))
        run.perform(.play)
        #expect(run.said("first") == ["begin 0", "event 1", "end-replace 1", "begin 0", "event 1"])
        let recorded = run.end()
        #expect(try run.replayAsRecorded(recorded.archive).lines == recorded.live.lines)
    }

    @Test("The new one has the configuration that the run gave to the old one", arguments: ["good", "no-state"])
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
        let run = try Self.run(folder, mode: "no-state")
        try run.telemetry.replace(file: folder.make("libcounter.tallyplugin.so", mode: "loud"))
        run.perform(.play)
        #expect(
            run.said("first") == ["begin 0", "event 1", "enabled 0", "end-replace 1", "begin 0", "event 1"]
        )
        #expect(run.run.plugins().first { $0.name == "first" }?.tracker?.records == 6)
        let recorded = run.end()
        #expect(try run.replayAsRecorded(recorded.archive).lines == recorded.live.lines)
    }

    @Test(
        "When any step fails the old one goes on with its whole file, and says nothing of it",
        arguments: ["fail-create", "fail-init", "fail-enable", "fail-state"]
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

    @Test("The one before may refuse to save: it goes on")
    func saveFails() throws {
        let folder = PluginFolder()
        let run = try Self.run(folder, mode: "fail-save")
        #expect(throws: ControlError.self) {
            try run.telemetry.replace(file: folder.make("libcounter.tallyplugin.so", number: 2))
        }
        run.perform(.play)
        #expect(run.said("first").last == "event 2")
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
        #expect(run.said("first").suffix(2) == ["begin 0", "event 1"])
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
