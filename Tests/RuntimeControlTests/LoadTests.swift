import ChildPrograms
import Glibc
import Tally
import TallyTesting
import Testing

/// Plugins that join a run.
@Suite struct LoadTests {
    @Test("A tracker that is loaded in mid-session begins with a snapshot, and a replay as recorded says the same")
    func joins() throws {
        let folder = PluginFolder()
        let run = try ControlledRun()
        run.perform(.load)
        run.perform(.play)
        let loaded = try run.telemetry.load(file: folder.make("libcounter.tallyplugin.so"))
        #expect(loaded.map(\.state) == [.loaded])
        try run.telemetry.load(PluginSelection(ControlledRun.patched, name: "late", configuration: ["step": 5]))
        #expect(run.said("late") == ["begin 0"])
        run.perform(.pause)
        run.perform(.unload)
        #expect(run.said("late") == ["begin 0", "event 5", "event 10", "end 10"])
        let recorded = run.end()
        #expect(recorded.live.events.count { $0.contains("plugin_loaded") } == 1)
        #expect(try run.replayAsRecorded(recorded.archive).lines == recorded.live.lines)
        #expect(try ControlledRun.witnessAlone(recorded.archive) == recorded.live.lines(of: "witness"))
    }

    @Test("One that is loaded as disabled waits, and is in runs that begin later from their start")
    func waits() throws {
        let folder = PluginFolder()
        let run = try ControlledRun()
        run.perform(.load)
        try run.telemetry.load(file: folder.make("libcounter.tallyplugin.so"))
        try run.telemetry.load(PluginSelection(ControlledRun.patched, name: "late", enabled: false))
        run.perform(.play)
        #expect(run.said("late") == [])
        #expect(run.run.enable(plugin: "late") == .requested)
        run.perform(.pause)
        #expect(run.said("late") == ["begin 0", "event 1"])
        let second = try run.telemetry.startRun()
        #expect(second.plugins().first { $0.name == "late" }?.state == .disabled)
        second.destroy()
    }

    @Test(
        "A tracker that refuses leaves no trace: nothing is archived, nothing is put out",
        arguments: ["fail-create", "fail-init", "fail-enable"]
    )
    func refuses(mode: String) throws {
        let folder = PluginFolder()
        let run = try ControlledRun()
        run.perform(.load)
        try run.telemetry.load(file: folder.make("libcounter.tallyplugin.so", mode: mode))
        let error = #expect(throws: ControlError.self) {
            try run.telemetry.load(PluginSelection(ControlledRun.patched, name: "late"))
        }
        #expect(error?.kind == .refused)
        #expect(!run.run.plugins().contains { $0.name == "late" })
        let recorded = run.end()
        #expect(!recorded.live.events.contains { $0.contains("plugin_loaded") })
        #expect(recorded.live.lines(of: "late") == [])
    }

    @Test("A name or an id that is there already is refused")
    func duplicates() throws {
        let folder = PluginFolder()
        let run = try ControlledRun()
        try run.telemetry.load(file: folder.make("liba.tallyplugin.so"))
        let name = #expect(throws: ControlError.self) {
            try run.telemetry.load(PluginSelection(ControlledRun.patched, name: "witness"))
        }
        #expect(name?.kind == .duplicate)
        let id = #expect(throws: ControlError.self) {
            try run.telemetry.load(file: folder.make("libb.tallyplugin.so", number: 2))
        }
        #expect(id?.kind == .duplicate && id?.description.contains("liba.tallyplugin.so") == true)
    }

    @Test("With a fixed list nothing is loaded or replaced, and enabling and disabling still work")
    func fixed() throws {
        let folder = PluginFolder()
        var options = Telemetry.Options()
        options.fixed = true
        let run = try ControlledRun(options: options)
        run.perform(.load)
        for action in [
            { (file: String) throws in _ = try run.telemetry.load(file: file) },
            { (file: String) throws in _ = try run.telemetry.replace(file: file) },
        ] {
            let error = #expect(throws: ControlError.self) {
                try action(folder.make("libcounter.tallyplugin.so"))
            }
            #expect(error?.kind == .fixed)
        }
        #expect(!PluginWatch(telemetry: run.telemetry, directories: [folder.path]).isWatching)
        #expect(run.run.disable(plugin: "witness") == .requested)
        #expect(run.run.enable(plugin: "witness") == .requested)
    }

    @Test("A tracker that the core has disabled is listed as failed with the reason, and can be enabled again")
    func failed() throws {
        let run = try ControlledRun(
            [PluginSelection("org.tally.fixture.errors-without-end", name: "faulty")],
            files: [PluginFiles.fixture("errors-without-end")]
        )
        run.perform(.load)
        for _ in 0..<20 {
            run.perform(.sample)
        }
        let listed = try #require(run.run.plugins().first { $0.name == "faulty" })
        #expect(listed.state == .failed && listed.reason.contains("20 errors in a row"))
        #expect(run.run.enable(plugin: "faulty") == .requested)
        run.run.pump()
        #expect(run.run.plugins().first { $0.name == "faulty" }?.state == .enabled)
    }

    @Test("A tracker that joins while consent is refused or pending is held to that")
    func consent() throws {
        let folder = PluginFolder()
        let run = try ControlledRun()
        run.perform(.load)
        run.run.trackConsent(.refused)
        run.run.pump()
        try run.telemetry.load(file: folder.make("libcounter.tallyplugin.so"))
        try run.telemetry.load(PluginSelection(ControlledRun.patched, name: "late"))
        run.perform(.play)
        #expect(run.said("late") == [])
        #expect(run.run.plugins().first { $0.name == "late" }?.tracker?.withheld == 2)
        run.run.trackConsent(.given)
        run.run.pump()
        run.perform(.pause)
        #expect(run.said("late").last == "event 3")
        let recorded = run.end()
        #expect(try run.replayAsRecorded(recorded.archive).lines == recorded.live.lines)
    }

    @Test("While a tracker holds its run up, trackers are listed as the run began with them")
    func held() async throws {
        let folder = PluginFolder()
        let catalog = PluginCatalog()
        try catalog.add(catalog.library(folder.make("libcounter.tallyplugin.so", mode: "gated")))
        var options = Telemetry.Options()
        options.answerLimit = 1
        // However long it is held.
        options.callLimit = 0
        let gate = folder.file("gate")
        let held = PluginSelection(ControlledRun.patched, name: "held", configuration: ["gate": .string(gate)])
        let telemetry = try Telemetry(plugins: [held], catalog: catalog, options: options)
        let run = try telemetry.startRun()
        run.trackVideoLoad()
        #expect(await eventually { unsafe access(gate, F_OK) == 0 })
        #expect(run.plugins().map(\.state) == [.enabled])
        Files.remove(gate)
        run.destroy()
        telemetry.close()
    }
}
