import ChildPrograms
import Tally
import TallyTesting
import Testing
import TextEncoding

/// Many changes while a run goes on: the others say what they would have said without, and a replay says it again.
@Suite struct ChangeCampaignTests {
    private static let actions: [PlayerAction] = [.play, .sample, .sample, .pause, .play, .sample, .chapterStart(1)]

    @Test("1,000 times enabled and disabled, another tracker says the same byte for byte")
    func switching() throws {
        let folder = PluginFolder()
        let file = try folder.make("libcounter.tallyplugin.so")
        let run = try ControlledRun([PluginSelection(ControlledRun.patched, name: "counter")], files: [file])
        run.perform(.load)
        for round in 0..<1_000 {
            #expect(run.run.disable(plugin: "counter") == .requested)
            run.perform(Self.actions[round % Self.actions.count], after: 40)
            #expect(run.run.enable(plugin: "counter") == .requested)
            run.perform(.sample, after: 40)
        }
        let recorded = run.end()
        #expect(recorded.live.events.count { $0.contains("plugin_enabled") } == 1_000)
        #expect(try ControlledRun.witnessAlone(recorded.archive) == recorded.live.lines(of: "witness"))
        #expect(try run.replayAsRecorded(recorded.archive).lines == recorded.live.lines)
    }

    @Test("200 times replaced, a part of them in vain, another tracker says the same byte for byte")
    func replacing() throws {
        let folder = PluginFolder()
        let file = try folder.make("libcounter.tallyplugin.so")
        let run = try ControlledRun([PluginSelection(ControlledRun.patched, name: "counter")], files: [file])
        run.perform(.load)
        var random = SplitMix64(seed: 11)
        let modes = [
            "good", "good", "state-2", "no-state", "loud", "fail-create", "fail-init", "fail-enable", "fail-state",
        ]
        var succeeded = 0
        var failed = 0
        for round in 1...200 {
            let mode = modes[Int(random.next() % UInt64(modes.count))]
            let file = try folder.make("libcounter.tallyplugin.so", mode: mode, number: round)
            do {
                _ = try run.telemetry.replace(file: file)
                succeeded += 1
            } catch {
                failed += 1
            }
            run.perform(Self.actions[round % Self.actions.count], after: Int64(random.next() % 400))
        }
        #expect(succeeded > 60 && failed > 40)
        let recorded = run.end()
        #expect(recorded.live.events.count { $0.contains("plugin_replaced") } == succeeded)
        #expect(try ControlledRun.witnessAlone(recorded.archive) == recorded.live.lines(of: "witness"))
        #expect(try run.replayAsRecorded(recorded.archive).lines == recorded.live.lines)
    }

    @Test("50 files dropped in while a real player goes on, another tracker says the same byte for byte")
    func dropping() async throws {
        let folder = PluginFolder()
        let memory = MemoryReporter()
        let catalog = try RecordedRun.catalog([.file(PluginFiles.fixture("witness"))])
        let telemetry = try Telemetry(
            plugins: [ControlledRun.witness],
            catalog: catalog,
            options: Telemetry.Options(),
            extraConsumers: [memory]
        )
        let reports = Lock<[String]>([])
        let watch = PluginWatch(
            telemetry: telemetry,
            directories: [folder.path],
            onDrop: .enable,
            report: { report in
                let text =
                    switch report {
                    case .loaded: "loaded"
                    case .replaced: "replaced"
                    case .refused: "refused"
                    case .removed: "removed"
                    }
                reports.with { $0.append(text) }
            }
        )
        let archive = RecordedRun.temporaryArchive()
        let player = SyntheticPlayer()
        let run = try telemetry.startRun(delegate: player, archive: archive)
        player.perform(.load, on: run)
        var random = SplitMix64(seed: 5)
        for round in 1...50 {
            let before = reports.with { $0.count }
            let mode = round % 5 == 0 ? "fail-enable" : round % 7 == 0 ? "no-state" : "good"
            let bytes = try PluginFolder.patched(mode: round == 1 ? "good" : mode, number: round)
            try folder.install(bytes, as: "libcounter.tallyplugin.so")
            let told = await eventually {
                player.perform(random.next() % 2 == 0 ? .play : .pause, on: run)
                player.perform(.sample, on: run)
                return reports.with { $0.count } > before
            }
            #expect(told)
        }
        watch.close()
        let report = run.destroy()
        telemetry.close()
        let recorded = RecordedRun(live: memory.contents, archive: archive, report: report)
        #expect(reports.with { $0.count { $0 == "loaded" } } == 1)
        #expect(reports.with { $0.count { $0 == "refused" } } == 10)
        #expect(reports.with { $0.count { $0 == "replaced" } } == 39)
        #expect(recorded.live.lines(of: "counter").count > 100)
        #expect(try ControlledRun.witnessAlone(recorded.archive) == recorded.live.lines(of: "witness"))
        let again = try ControlledRun(options: Telemetry.Options())
        #expect(try again.replayAsRecorded(recorded.archive, catalog: catalog).lines == recorded.live.lines)
    }
}
