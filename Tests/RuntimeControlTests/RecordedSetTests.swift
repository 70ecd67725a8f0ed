import Tally
import TallyTesting
import Testing

/// Which plugins a replay as recorded takes.
@Suite struct RecordedSetTests {
    /// A run with a counter, recorded with file number 1.
    private static func recorded(_ folder: PluginFolder) throws -> (ControlledRun, RecordedRun) {
        let file = try folder.make("libcounter.tallyplugin.so", number: 1)
        let run = try ControlledRun([PluginSelection(ControlledRun.patched, name: "counter")], files: [file])
        run.perform(.load)
        run.perform(.play)
        return (run, run.end())
    }

    private static func catalog(_ files: [String]) throws -> PluginCatalog {
        let catalog = try RecordedRun.catalog([.file(PluginFiles.fixture("witness"))])
        for file in files {
            catalog.search(String(file.prefix(upTo: file.lastIndex(of: "/") ?? file.endIndex)))
        }
        return catalog
    }

    @Test("The file with the recorded hash is taken, although another version of it is found first")
    func byHash() throws {
        let folder = PluginFolder()
        let (run, recorded) = try Self.recorded(folder)
        let other = PluginFolder()
        try other.make("libcounter.tallyplugin.so", mode: "no-state", number: 2)
        let catalog = try Self.catalog([other.file("x"), folder.file("x")])
        let log = LogNotes()
        let replayed = try run.replayAsRecorded(recorded.archive, catalog: catalog, log: log)
        #expect(replayed.lines == recorded.live.lines)
        #expect(!log.contains("another file"))
    }

    @Test("Without it one of the same version is taken, and that is noted")
    func byVersion() throws {
        let folder = PluginFolder()
        let (run, recorded) = try Self.recorded(folder)
        let other = PluginFolder()
        try other.make("libcounter.tallyplugin.so", number: 2)
        let log = LogNotes()
        let replayed = try run.replayAsRecorded(
            recorded.archive,
            catalog: Self.catalog([other.file("x")]),
            log: log
        )
        #expect(replayed.lines == recorded.live.lines)
        #expect(log.contains("has the recorded version 1.0.0, but is another file"))
    }

    @Test(
        "In a recovery a file that went on stands for one before it that is gone, and one that joined is noted",
        arguments: [("good", false), ("other", true)]
    )
    func successor(mode: String, isNoted: Bool) throws {
        let (folder, newer, newest) = (PluginFolder(), PluginFolder(), PluginFolder())
        let file = try folder.make("libcounter.tallyplugin.so", number: 1)
        let run = try ControlledRun([PluginSelection(ControlledRun.patched, name: "counter")], files: [file])
        run.perform(.load)
        try run.telemetry.replace(file: newer.make("libcounter.tallyplugin.so", mode: mode, number: 2))
        run.perform(.play)
        try run.telemetry.replace(file: newest.make("libcounter.tallyplugin.so", mode: mode, number: 3))
        let recorded = run.end()
        #expect(try TestFile.text(recorded.archive).contains(#""plugin_replacement":"joined""#) == isNoted)
        for recovers in [true, false] {
            let log = LogNotes()
            _ = try run.replayAsRecorded(
                recorded.archive,
                catalog: Self.catalog([newest.file("x")]),
                recovers: recovers,
                log: log
            )
            #expect(log.contains("but is another file") == (isNoted || !recovers))
        }
    }

    @Test("When none is there the replay ends with what is missing, unless a substitute is named")
    func missing() throws {
        let folder = PluginFolder()
        let (run, recorded) = try Self.recorded(folder)
        let catalog = try Self.catalog([])
        let error = #expect(throws: TelemetryError.self) {
            try run.replayAsRecorded(recorded.archive, catalog: catalog)
        }
        #expect(error?.description.contains("recorded with org.tally.fixture.patched 1.0.0") == true)
        #expect(error?.description.contains("--substitute") == true)
        let replayed = try run.replayAsRecorded(
            recorded.archive,
            catalog: catalog,
            substitutes: ["counter": "org.tally.fixture.witness"]
        )
        #expect(replayed.lines(of: "witness") == recorded.live.lines(of: "witness"))
        #expect(!replayed.lines(of: "counter").isEmpty)
    }

    @Test("A plugin that joined the recorded run and is missing ends the replay where it joined")
    func missingLater() throws {
        let folder = PluginFolder()
        let run = try ControlledRun()
        run.perform(.load)
        try run.telemetry.load(file: folder.make("libcounter.tallyplugin.so"))
        try run.telemetry.load(PluginSelection(ControlledRun.patched, name: "late"))
        let recorded = run.end()
        let error = #expect(throws: TelemetryError.self) {
            try run.replayAsRecorded(recorded.archive, catalog: Self.catalog([]))
        }
        #expect(error?.description.hasPrefix("late: the run was recorded with") == true)
    }
}
