import Tally
import TallyTesting
import Testing

/// Plugins that change while a replay goes on.
@Suite struct ReplayChangeTests {
    /// What is done to the plugins, in a run as in a replay; each takes its turn behind an event.
    private static func change(
        _ number: Int,
        _ playback: any ControlledPlayback,
        _ telemetry: Telemetry,
        _ file: String
    ) throws {
        switch number {
        case 0: #expect(playback.disable(plugin: "counter", cause: .operator) == .requested)
        case 1: #expect(playback.enable(plugin: "counter", cause: .operator) == .requested)
        case 2: try playback.configure(plugin: "counter", ["step": 10], cause: .operator)
        case 3:
            let answer = try playback.command(plugin: "counter", "add", ["n": 40], cause: .operator, limit: 60_000)
            #expect(answer["count"] != nil)
        case 4: try telemetry.load(PluginSelection(ControlledRun.patched, name: "late"))
        default: #expect(try telemetry.replace(file: file).count == 1)
        }
    }

    @Test(
        "A change made to a replay at the place where a player made it gives the player's output",
        arguments: [
            "good", "no-state",
        ]
    )
    func samePlace(mode: String) throws {
        let (folder, newer) = (PluginFolder(), PluginFolder())
        let first = try folder.make("libcounter.tallyplugin.so")
        let second = try newer.make("libcounter.tallyplugin.so", mode: mode, number: 2)
        let counter = PluginSelection(ControlledRun.patched, name: "counter")
        let run = try ControlledRun([counter], files: [first])
        run.perform(.load, after: 137)
        run.perform(.play, after: 137)
        for number in 0..<6 {
            try Self.change(number, run.run, run.telemetry, second)
            run.run.pump()
            run.perform(.pause, after: 137)
            run.perform(.play, after: 137)
        }
        let recorded = run.end()

        let places = try ControlledReplay.changes(in: recorded.archive)
        let catalog = PluginCatalog()
        try catalog.add(PluginSource.file(PluginFiles.fixture("witness")).library())
        try catalog.add(catalog.library(first))
        let replay = try ControlledReplay(recorded.archive, [counter], catalog: catalog)
        var passed = 0
        // The replacement changes two trackers, and so is two events.
        for number in 0..<6 {
            replay.step(places[number] - passed)
            passed = places[number]
            try Self.change(number, replay.plugins, replay.telemetry, second)
        }
        let output = try replay.end()
        #expect(recorded.live.lines.count > 30)
        let said = [output.lines, recorded.live.lines].map { lines in
            var transcript = OutputTranscript()
            transcript.lines = lines
            return transcript
        }
        #expect(OutputTranscript.difference(said[0], said[1]) == nil)
        #expect(output.lines(of: "witness") == (try ControlledRun.witnessAlone(recorded.archive)))
    }

    /// An archive of one run with a counter, and a catalog with its file.
    private static func recording(_ folder: PluginFolder) throws -> (recorded: RecordedRun, catalog: PluginCatalog) {
        let file = try folder.make("libcounter.tallyplugin.so")
        let run = try ControlledRun([PluginSelection(ControlledRun.patched, name: "counter")], files: [file])
        for action in [PlayerAction.load, .play, .pause, .play] { run.perform(action, after: 137) }
        return (run.end(), run.catalog)
    }

    @Test("What is so already changes nothing, who is not there is unknown, and counts are those of the replay")
    func nothingToDo() throws {
        let (recorded, catalog) = try Self.recording(PluginFolder())
        let counter = PluginSelection(ControlledRun.patched, name: "counter")
        let replay = try ControlledReplay(recorded.archive, [counter], catalog: catalog)
        let plugins = replay.plugins
        #expect(plugins.enable(plugin: "counter", cause: .operator) == .alreadyEnabled)
        #expect(plugins.disable(plugin: "counter", cause: .operator) == .requested)
        #expect(plugins.disable(plugin: "counter", cause: .operator) == .alreadyDisabled)
        #expect(plugins.disable(plugin: "nobody", cause: .operator) == .unknown(known: ["witness", "counter"]))
        #expect(plugins.plugins().first { $0.name == "counter" }?.state == .disabled)
        #expect(plugins.enable(plugin: "counter", cause: .operator) == .requested)
        replay.step(2)
        #expect(plugins.plugins().first { $0.name == "counter" }?.tracker?.events == 2)
        #expect(plugins.openRuns == ["controlled"])
        let error = #expect(throws: ControlError.self) {
            try plugins.configure(plugin: "nobody", [:], cause: .operator)
        }
        #expect(error?.kind == .unknownPlugin)
        _ = try replay.end()
        #expect(plugins.plugins().first { $0.name == "counter" }?.tracker == nil)
    }

    @Test("A change counts in the runs that begin later too")
    func laterRuns() throws {
        let folder = PluginFolder()
        let (recorded, catalog) = try Self.recording(folder)
        let text = try String(decoding: TestFile.bytes(recorded.archive), as: UTF8.self)
        let both = folder.file("both.tally")
        folder.write(Array((text + text.replacing("\"controlled\"", with: "\"second\"")).utf8), to: "both.tally")
        let counter = PluginSelection(ControlledRun.patched, name: "counter")
        let replay = try ControlledReplay(both, [counter], catalog: catalog)
        try replay.plugins.configure(plugin: "counter", ["step": 10], cause: .operator)
        try replay.telemetry.load(PluginSelection(ControlledRun.patched, name: "late"))
        #expect(replay.plugins.disable(plugin: "witness", cause: .operator) == .requested)
        let output = try replay.end()
        #expect(
            output.lines(of: "witness").isEmpty || output.lines(of: "witness").allSatisfy { !$0.contains("second") }
        )
        let counts = output.lines.filter { $0.instance == "counter" && $0.kind == "event" }
        #expect(
            counts.allSatisfy { if case .int(let count)? = $0.attributes["count"] { count % 10 == 0 } else { false } }
        )
        #expect(counts.count >= 8 && output.lines(of: "late").count >= 8)
    }

    @Test("A plugin that refuses in one run changes none, and the replay goes on")
    func refused() throws {
        let folder = PluginFolder()
        let (recorded, catalog) = try Self.recording(folder)
        let counter = PluginSelection(ControlledRun.patched, name: "counter")
        let alone = try ControlledReplay(recorded.archive, [counter], catalog: catalog).end()
        let replay = try ControlledReplay(recorded.archive, [counter], catalog: catalog)
        replay.step(2)
        let broken = try folder.make("libbroken.tallyplugin.so", mode: "fail-init", number: 3)
        #expect(throws: ControlError.self) { try replay.telemetry.replace(file: broken) }
        #expect(throws: ControlError.self) {
            try replay.telemetry.load(PluginSelection(ControlledRun.patched, name: "counter"))
        }
        #expect(try replay.end().lines == alone.lines)
    }

    @Test("With the recorded set of trackers only reporters change")
    func recordedSet() throws {
        let (recorded, catalog) = try Self.recording(PluginFolder())
        var options = ReplayOptions()
        options.asRecorded = true
        let replay = try ControlledReplay(recorded.archive, [], catalog: catalog, options: options)
        guard case .refused(let reason) = replay.plugins.disable(plugin: "counter", cause: .operator) else {
            Issue.record("it was not refused")
            return
        }
        #expect(reason.contains("--as-recorded"))
        #expect(throws: ControlError.self) {
            try replay.plugins.configure(plugin: "counter", ["step": 10], cause: .operator)
        }
        #expect(throws: ControlError.self) {
            try replay.telemetry.load(PluginSelection(ControlledRun.patched, name: "late"))
        }
        #expect(try replay.end().lines == recorded.live.lines)
    }

    @Test("Where the list of plugins is fixed nothing is loaded or replaced, and trackers are still switched")
    func fixed() throws {
        let folder = PluginFolder()
        let (recorded, catalog) = try Self.recording(folder)
        let counter = PluginSelection(ControlledRun.patched, name: "counter")
        let replay = try ControlledReplay(recorded.archive, [counter], catalog: catalog, fixed: true)
        let newer = try folder.make("libnewer.tallyplugin.so", number: 2)
        for change in [
            { _ = try replay.telemetry.replace(file: newer) }, { _ = try replay.telemetry.load(file: newer) },
            { try replay.telemetry.load(PluginSelection(ControlledRun.patched, name: "late")) },
        ] {
            let error = #expect(throws: ControlError.self) { try change() }
            #expect(error?.kind == .fixed)
        }
        #expect(replay.plugins.disable(plugin: "counter", cause: .operator) == .requested)
        #expect(replay.plugins.enable(plugin: "counter", cause: .operator) == .requested)
        _ = try replay.end()
    }

    @Test("A replay that was ended takes no further line, and says so to whoever still waits")
    func stopped() throws {
        let (recorded, catalog) = try Self.recording(PluginFolder())
        let counter = PluginSelection(ControlledRun.patched, name: "counter")
        let replay = try ControlledReplay(recorded.archive, [counter], catalog: catalog)
        replay.step(2)
        replay.control.stop("enough")
        let output = try replay.end()
        #expect(output.events.count { $0.contains("play") || $0.contains("load") } <= 2)
        #expect(replay.control.stopReason == "enough")
        #expect(throws: JobFailure.ended) { try replay.control.perform(limit: 60_000) { 1 } }
    }
}
