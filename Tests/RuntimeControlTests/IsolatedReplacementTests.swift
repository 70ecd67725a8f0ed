import Glibc
import Tally
import TallyTesting
import TestFiles
import Testing

/// A newer file takes the place of a tracker that has a process of its own, while the run goes on.
struct IsolatedReplacementTests {
    /// A run on the real clock with a counting tracker in a process of its own and a witness in the player's.
    private final class Stage {
        let folder = PluginFolder()
        let memory = MemoryReporter()
        let catalog = PluginCatalog()
        let telemetry: Telemetry
        let run: PlayerRun
        let player = SyntheticPlayer()
        let archive = RecordedRun.temporaryArchive()

        init(mode: String = "good") throws {
            let file = try folder.make("libcounter.tallyplugin.so", mode: mode)
            try catalog.add(catalog.library(file))
            try catalog.add(PluginSource.file(PluginFiles.fixture("witness")).library())
            var options = Telemetry.Options()
            (options.callLimit, options.trackerHold) = (60_000, 60_000)
            let counter = PluginSelection(
                ControlledRun.patched,
                name: "mine",
                isolation: .process,
                configuration: ["step": 2]
            )
            telemetry = try Telemetry(
                plugins: [counter, ControlledRun.witness],
                catalog: catalog,
                options: options,
                extraConsumers: [memory]
            )
            run = try telemetry.startRun(delegate: player, archive: archive)
            for action: PlayerAction in [.load, .play, .sample] { player.perform(action, on: run) }
        }

        var process: Int32? { run.plugins().first { $0.name == "mine" }?.process }

        func replace(mode: String = "good", number: Int = 2) throws {
            try telemetry.replace(file: folder.make("libcounter.tallyplugin.so", mode: mode, number: number))
        }

        func perform(_ actions: PlayerAction...) {
            for action in actions { player.perform(action, on: run) }
        }

        /// Ends the run, and gives what the tracker said: kinds of records and the count in each.
        ///
        /// A replay says the same; it is left out for a tracker that would end it.
        func end(isReplayed: Bool = true) throws -> [String] {
            let report = run.destroy(.drain(limit: 60_000))
            telemetry.close()
            #expect(report.inTime)
            if isReplayed {
                let difference = OutputTranscript.difference(memory.contents, try replay())
                #expect(difference == nil)
            }
            unsafe unlink(archive)
            return memory.contents.lines.filter { $0.instance == "mine" }.map { line in
                guard case .int(let count)? = line.attributes["count"] else { return line.kind }
                return "\(line.kind) \(count)"
            }
        }

        private func replay() throws -> OutputTranscript {
            let memory = MemoryReporter()
            var options = Telemetry.Options()
            options.mode = .replay
            let telemetry = try Telemetry(plugins: [], catalog: catalog, options: options, extraConsumers: [memory])
            var replaying = ReplayOptions()
            replaying.asRecorded = true
            try Replay(telemetry: telemetry, options: replaying).replay(path: archive)
            return memory.contents
        }
    }

    @Test("It says on what the one before would have, also when its process is killed behind that")
    func replayed() throws {
        let stage = try Stage()
        let before = stage.process
        try stage.replace()
        #expect(stage.process != before)
        stage.perform(.pause)
        if let process = stage.process { kill(process, SIGKILL) }
        stage.perform(.play)
        // The one that takes the place of one that has taken a place.
        try stage.replace(number: 3)
        stage.perform(.unload)
        #expect(
            try stage.end()
                == ["begin 0", "event 2", "event 4", "event 6", "event 8", "event 10", "event 12", "end 12"]
        )
        #expect(stage.memory.contents.events.count { $0.contains("replayed") } == 2)
    }

    @Test("One that said something else joins: the session of the one before ends there, and begins anew")
    func joined() throws {
        let stage = try Stage()
        try stage.replace(mode: "other")
        stage.perform(.pause)
        if let process = stage.process { kill(process, SIGKILL) }
        stage.perform(.play)
        // What has joined goes on where it stands. Who asks while no process is there is told so.
        try? stage.run.configure(plugin: "mine", ["step": 5])
        try stage.replace(mode: "other", number: 3)
        stage.perform(.unload)
        #expect(
            try stage.end()
                == [
                    "begin 0", "event 2", "event 4", "event 6", "end-replace 6", "opened 0", "event 2", "event 4",
                    "event 9", "end 9",
                ]
        )
    }

    @Test("A disabled one stays disabled, and is put to work as any")
    func disabled() throws {
        let stage = try Stage()
        #expect(stage.run.disable(plugin: "mine") == .requested)
        try stage.replace()
        stage.perform(.pause)
        #expect(stage.run.enable(plugin: "mine") == .requested)
        stage.perform(.play, .unload)
        _ = try stage.end()
    }

    @Test(
        "What cannot take the place is refused, and the one before goes on",
        arguments: [("good", "fail-init"), ("good", "crash-event"), ("other", "loud")]
    )
    func refused(mode: String, other: String) throws {
        let stage = try Stage(mode: mode)
        stage.perform(.custom(name: "now", value: .int(1)))
        #expect(throws: ControlError.self) { try stage.replace(mode: other) }
        stage.perform(.pause, .unload)
        let said = try stage.end()
        #expect(said.dropFirst() == ["event 2", "event 4", "event 6", "event 8", "event 10", "event 12", "end 12"])
        #expect(!stage.memory.contents.events.contains { $0.contains("plugin_replaced") })
    }

    @Test("A newer file takes the place of one that the run goes on without, and waits to be enabled")
    func mended() throws {
        let stage = try Stage(mode: "crash-event")
        stage.perform(.custom(name: "now", value: .int(1)))
        while stage.run.plugins().first(where: { $0.name == "mine" })?.state == .enabled { usleep(10_000) }
        #expect(stage.run.enable(plugin: "mine") == .requested)
        stage.perform(.pause)
        try stage.replace()
        let status = stage.run.plugins().first { $0.name == "mine" }
        #expect(status?.state == .disabled)
        #expect(status?.reason.contains("plugin enable mine puts it to work") == true)
        #expect(stage.run.enable(plugin: "mine") == .requested)
        while stage.run.plugins().first(where: { $0.name == "mine" })?.state == .disabled { usleep(10_000) }
        stage.perform(.play, .unload)
        let said = try stage.end(isReplayed: false)
        #expect(said.suffix(4) == ["begin 0", "event 2", "event 4", "end 4"])
        // What was refused to the one that was out is not in the archive.
        #expect(stage.memory.contents.events.count { $0.contains(" plugin_enabled plugin=") } == 1)
    }
}
