import Glibc
import Tally
import TallyTesting
import Testing
import TextEncoding

/// Changes from many threads at once, while others make track calls.
@Suite struct ConcurrentControlTests {
    @Test("Whatever threads ask for at once, a replay as recorded says what was said", arguments: 0..<5)
    func threads(seed: Int) throws {
        let folder = PluginFolder()
        let file = try folder.make("libcounter.tallyplugin.so")
        let memory = MemoryReporter()
        let catalog = try RecordedRun.catalog([.file(PluginFiles.fixture("witness"))])
        try catalog.add(catalog.library(file))
        let telemetry = try Telemetry(
            plugins: [
                ControlledRun.witness, PluginSelection(ControlledRun.patched, name: "a"),
                PluginSelection(ControlledRun.patched, name: "b"),
                PluginSelection("org.tally.reporter.discard", name: "discard"),
            ],
            catalog: {
                try catalog.add(catalog.library(PluginFiles.plugin("discard")))
                return catalog
            }(),
            options: Telemetry.Options(),
            extraConsumers: [memory]
        )
        let files = try (0..<4).map { number in
            try folder.make(
                "next-\(number).tallyplugin.so",
                mode: ["good", "no-state", "fail-init", "loud"][number],
                number: number + 10
            )
        }
        let archive = RecordedRun.temporaryArchive()
        let player = SyntheticPlayer()
        let run = try telemetry.startRun(delegate: player, archive: archive)
        player.perform(.load, on: run)
        let done = Lock(0)
        let callers = (0..<4).map { caller in
            Thread(name: "caller-\(caller)") {
                var random = SplitMix64(seed: UInt64(seed * 100 + caller))
                for round in 0..<40 {
                    let name = random.next() % 2 == 0 ? "a" : "b"
                    switch random.next() % 9 {
                    case 0: run.enable(plugin: name)
                    case 1: run.disable(plugin: name)
                    case 2: try? run.configure(plugin: name, ["step": .int(Int64(round % 4))])
                    case 3: _ = try? run.command(plugin: name, "add", ["n": .int(Int64(round))])
                    case 4: _ = try? run.command(plugin: name, "count")
                    case 5: _ = try? telemetry.replace(file: files[Int(random.next() % 4)])
                    case 6 where round % 6 == 0:
                        try? telemetry.load(PluginSelection(ControlledRun.patched, name: "new-\(caller)-\(round)"))
                    case 7: run.disable(plugin: "discard")
                    default:
                        run.enable(plugin: "discard")
                        _ = run.plugins()
                    }
                    usleep(UInt32(random.next() % 2_000))
                }
                done.with { $0 += 1 }
            }
        }
        while done.with({ $0 }) < callers.count {
            player.perform(.sample, on: run)
            player.perform(.play, on: run)
            player.perform(.pause, on: run)
            usleep(4_000)
        }
        for caller in callers {
            caller.join()
        }
        player.perform(.unload, on: run)
        let report = run.destroy()
        telemetry.close()
        let recorded = RecordedRun(live: memory.contents, archive: archive, report: report)
        #expect(recorded.live.events.contains { $0.contains("plugin_loaded") })
        #expect(recorded.live.events.contains { $0.contains("plugin_replaced") })
        let replayed = try ControlledRun().replayAsRecorded(archive, catalog: catalog)
        #expect(OutputTranscript.difference(recorded.live, replayed) == nil)
        #expect(try ControlledRun.witnessAlone(archive) == recorded.live.lines(of: "witness"))
    }
}
