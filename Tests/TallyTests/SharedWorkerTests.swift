import Glibc
import Setup
import System
import Tally
import TallyTesting
import TestFiles
import Testing

/// More runs than a process has workers for: they share threads, and each says what it would say alone.
@Suite struct SharedWorkerTests {
    private static let plugins = [StuckTrackerTests.first, StuckTrackerTests.last]

    /// A process's runs share at most so many threads.
    private static let mostThreads = 16 * max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

    private static func play(
        _ number: Int,
        _ body: (PlayerRun, SyntheticPlayer) -> Void
    ) throws -> RecordedRun {
        let memory = MemoryReporter()
        let telemetry = try Telemetry(
            plugins: plugins,
            catalog: RecordedRun.catalog(StuckTrackerTests.sources),
            options: Telemetry.Options(),
            extraConsumers: [memory]
        )
        let archive = RecordedRun.temporaryArchive()
        let player = SyntheticPlayer()
        let run = try telemetry.startRun(delegate: player, archive: archive)
        body(run, player)
        let report = run.destroy()
        telemetry.close()
        return RecordedRun(live: memory.contents, archive: archive, report: report)
    }

    @Test("Runs that share threads replay as they went, whatever the others did meanwhile")
    func shared() throws {
        let held = try (0..<2 * Self.mostThreads).map { _ in
            try Telemetry(plugins: [], catalog: PluginCatalog()).startRun()
        }
        defer { for run in held { run.destroy() } }
        let threads = Self.coreThreads
        let differences = Lock<[String]>([])
        let players = (0..<8).map { number in
            Thread(name: "player") {
                let played = try? Self.play(number) { run, player in
                    player.perform(.load, on: run)
                    player.perform(.play, on: run)
                    for step in 0..<20 {
                        // Some wait together, some apart.
                        let pause = (number * 7 + step * 3) % 40
                        usleep(UInt32(pause) * 1_000)
                        // Whatever thread the run shares, events of others come just before its own.
                        for other in held { other.trackVideoLoad() }
                        player.perform(.sample, on: run)
                    }
                    player.perform(.unload, on: run)
                }
                let difference = played.map(Self.difference) ?? "it did not begin"
                differences.with { $0.append(difference) }
            }
        }
        for player in players { player.join() }
        #expect(differences.with { $0 } == players.map { _ in "none" })
        // A few make what runs begin with.
        #expect(threads < Self.mostThreads + 20 && Self.coreThreads < Self.mostThreads + 20)
    }

    private static func difference(_ run: RecordedRun) -> String {
        guard run.report.droppedEvents == 0 else { return "\(run.report.droppedEvents) events were dropped" }
        guard let replay = try? run.replay(through: plugins, from: StuckTrackerTests.sources) else {
            return "no replay"
        }
        guard replay.lines.contains(where: { $0.text.contains("video_unload") }) else { return "no end" }
        return OutputTranscript.difference(run.live, replay) ?? "none"
    }

    @Test("What is asked of a run that shares a thread is done behind what it was told before")
    func order() throws {
        let held = try (0..<2 * Self.mostThreads).map { _ in
            try Telemetry(plugins: [], catalog: PluginCatalog()).startRun()
        }
        defer { for run in held { run.destroy() } }
        for _ in 0..<20 {
            let recorded = try Self.play(0) { run, player in
                let isDone = Lock(false)
                // Somebody else asks all the time, so that there is a turn under way when this one asks.
                let asking = Thread(name: "asking") {
                    while !isDone.with({ $0 }) { _ = run.plugins() }
                }
                player.perform(.load, on: run)
                for step in 1...30 {
                    for _ in 0..<10 { player.perform(.sample, on: run) }
                    let events = run.plugins().first { $0.name == "first" }?.tracker?.events
                    #expect(events == UInt64(step * 10 + 1))
                }
                isDone.with { $0 = true }
                asking.join()
            }
            #expect(recorded.report.droppedEvents == 0)
        }
    }

    @Test("A run that is cancelled drops what is queued of it, and nothing of others")
    func cancelled() throws {
        let held = try (0..<2 * Self.mostThreads).map { _ in
            try Telemetry(plugins: [], catalog: PluginCatalog()).startRun()
        }
        defer { for run in held { run.destroy() } }
        let other = try Self.play(0) { run, player in
            player.perform(.load, on: run)
            for held in held { held.trackVideoLoad() }
            for _ in 0..<50 { player.perform(.sample, on: run) }
            for held in held { held.destroy(.cancel) }
            player.perform(.unload, on: run)
        }
        #expect(other.report.droppedEvents == 0)
        #expect(other.live.events.count(where: { $0.contains("playhead_sample") }) == 50)
        #expect(held[0].trackPlay() == .ended)
    }

    /// How many threads of this process drive runs.
    private static var coreThreads: Int {
        let tasks = FileNames.names(in: "/proc/self/task", endingWith: "") ?? []
        return tasks.count { ((try? TestFile.text("/proc/self/task/\($0)/comm")) ?? "").hasPrefix("tally-core") }
    }
}
