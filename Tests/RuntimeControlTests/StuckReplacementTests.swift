import CLinux
import ChildPrograms
import Tally
import TallyTesting
import Testing

/// Files that take the place of others, where a call into one or the other does not come back.
@Suite(.enabled(if: tally_can_give_up_calls(), "calls cannot be given up in this build"))
struct StuckReplacementTests {
    /// A run on the real clock with one tracker, and a quarantine of its own.
    private struct Stage {
        let folder = PluginFolder()
        let memory = MemoryReporter()
        let quarantine: PluginQuarantine
        let telemetry: Telemetry
        let run: PlayerRun

        init(mode: String) throws {
            let file = try folder.make("libcounter.tallyplugin.so", mode: mode)
            quarantine = try PluginQuarantine(folder: folder.file("state"), program: "tally-player")
            let catalog = PluginCatalog(admission: PluginAdmission(quarantine: quarantine))
            try catalog.add(catalog.library(file))
            var options = Telemetry.Options()
            options.callLimit = 300
            telemetry = try Telemetry(
                plugins: [PluginSelection(ControlledRun.patched, name: "mine")],
                catalog: catalog,
                options: options,
                extraConsumers: [memory]
            )
            run = try telemetry.startRun()
            run.trackVideoLoad()
            run.trackCustomEvent("now")
        }

        var rows: [PluginStatus] { run.plugins() }
        var state: PluginStatus.State? { rows.first { $0.name == "mine" }?.state }

        func end() {
            run.destroy()
            telemetry.close()
        }
    }

    @Test("A tracker that is stuck has one row, which says what has its file loaded again; so has the one behind it")
    func mended() async throws {
        let stage = try Stage(mode: "hang-event")
        #expect(await eventually { stage.state == .stuck })
        let hash = try #require(stage.quarantine.entries.first).sha256.prefix(12)
        #expect(stage.rows.count == 1, "\(stage.rows)")
        let advice = "start leaves the file out: replace it, or say \"tally-player plugin release \(hash)\" to "
        #expect(stage.rows.first?.reason.contains(advice) == true, "\(stage.rows)")

        // A disabled tracker stays disabled, and whoever mended the file learns what puts it to work.
        try stage.telemetry.replace(file: stage.folder.make("libcounter.tallyplugin.so", number: 2))
        let waiting = try #require(stage.rows.first)
        #expect(waiting.state == .disabled)
        #expect(
            waiting.reason
                == "it has taken the place of one that failed, and waits: plugin enable mine puts it to work"
        )
        #expect(stage.rows.map(\.state) == [.disabled, .retired], "\(stage.rows)")
        #expect(stage.run.enable(plugin: "mine") == .requested)
        #expect(await eventually { stage.state == .enabled })
        #expect(stage.rows.first?.reason == "")
        #expect(stage.run.disable(plugin: "mine") == .requested)
        #expect(await eventually { stage.state == .disabled })
        #expect(stage.rows.first?.reason == "")
        stage.end()
    }

    @Test("A newer file that does not come back as it catches up is refused and kept out, and the old one goes on")
    func stuckAsItCatchesUp() async throws {
        let stage = try Stage(mode: "good")
        let newer = try stage.folder.make("libcounter.tallyplugin.so", mode: "hang-event")
        let error = #expect(throws: ControlError.self) { try stage.telemetry.replace(file: newer) }
        #expect(error?.description.contains("\(newer): in quarantine: on_event did not come back") == true)
        #expect(stage.quarantine.entries.map(\.reason) == ["on_event did not come back"])
        #expect(stage.state == .enabled)
        stage.run.trackPlay()
        #expect(await eventually { stage.memory.contents.lines.count == 4 })
        stage.end()
    }

    @Test("A replay as recorded gives up a call into a tracker that joined the run, too")
    func joined() throws {
        let folder = PluginFolder()
        let run = try ControlledRun()
        let file = try folder.make("libcounter.tallyplugin.so")
        try run.telemetry.load(file: file)
        try run.telemetry.load(PluginSelection(ControlledRun.patched, name: "mine"))
        run.perform(.load)
        run.perform(.custom(name: "now", value: .int(1)))
        run.perform(.play)
        let recorded = run.end()
        // The same version, and another file.
        let catalog = PluginCatalog()
        try catalog.add(PluginSource.file(PluginFiles.fixture("witness")).library())
        try catalog.add(catalog.library(folder.make("libcounter.tallyplugin.so", mode: "hang-event")))
        let lines = Thread.perform(name: "replay") {
            Result { try run.replayAsRecorded(recorded.archive, catalog: catalog, callLimit: 300).lines }
        }
        let said = try lines.get().filter { $0.instance == "mine" }
        #expect(said.map(\.kind) == ["begin", "event"])
    }
}
