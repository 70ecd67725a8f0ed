import ChildPrograms
import Coordinator
import Glibc
import PluginABI
import Setup
import System
import Tally
import TallyTesting
import Testing

/// A tracker in a process of its own that does not come back, and that nobody has given up yet.
///
/// `TALLY_HANG_SECONDS=30` lets it last that long; what is printed is the longest track call meanwhile, and how long
/// after they were said others' records came.
struct IsolatedHangTests {
    /// How long after they were said records come.
    private final class Arrivals: OutputConsumer, @unchecked Sendable {
        let wanted: UInt32 = 1 << TALLY_OUTPUT_RECORD
        /// When the run began, us of the boot clock, and the latest arrivals, us, by instance.
        let latest = Lock<(start: Int64?, late: [String: Int64])>((nil, [:]))

        func consume(_ output: Output) {
            latest.with { latest in
                guard let start = latest.start else { return }
                let late = SystemTime.boot() - start - output.time
                latest.late[output.instanceName] = max(latest.late[output.instanceName] ?? 0, late)
            }
        }

        func flush(runID: String, session: UInt32, budget: Int64, done: @escaping @Sendable (FlushAnswer) -> Void) {
            done(FlushAnswer())
        }
    }

    @Test("While a tracker does not come back, track calls are taken and others' records come")
    func hang() throws {
        let plugins = [
            IsolatedTrackerTests.witness("first", .none, seed: 1), IsolatedTrackerTests.hostile("sleep"),
            IsolatedTrackerTests.three[3],
        ]
        let (memory, arrivals) = (MemoryReporter(), Arrivals())
        let telemetry = try Telemetry(
            plugins: plugins,
            catalog: RecordedRun.catalog(IsolatedTrackerTests.sources),
            options: IsolatedTrackerTests.options(hold: 100),
            extraConsumers: [memory, arrivals]
        )
        let archive = RecordedRun.temporaryArchive()
        let player = SyntheticPlayer()
        let run = try telemetry.startRun(delegate: player, archive: archive)
        arrivals.latest.with { $0.start = SystemTime.boot() - run.time }
        func status() -> PluginStatus? { run.plugins().first { $0.name == "hostile" } }
        player.perform(.load, on: run)
        player.perform(.play, on: run)
        let seconds = unsafe getenv("TALLY_HANG_SECONDS").flatMap { unsafe Double(String(cString: $0)) } ?? 0.3
        var steps = 0
        var calls: [Int64] = []
        while steps < 12 || run.time < Int64(seconds * 1_000_000) {
            usleep(20_000)
            for action in [PlayerAction.sample, .custom(name: "step_of_test", value: .int(Int64(steps)))] {
                let begin = SystemTime.monotonic()
                player.perform(action, on: run)
                calls.append(SystemTime.monotonic() - begin)
            }
            steps += 1
        }
        let away = try #require(status()?.process)
        // The witnesses say a record for each event; the hostile one is in its third.
        for name in ["first", "fourth"] {
            #expect(blocked { memory.contents.lines(of: name).count >= 2 * steps }, "\(name)")
        }
        #expect(status()?.process == away && status()?.state == .enabled)
        print(
            "hang of \(run.time / 1000) ms: longest track calls \(Array(calls.sorted().suffix(5))) us, median",
            "\(calls.sorted()[calls.count / 2]), the longest is number \(calls.firstIndex(of: calls.max() ?? 0) ?? 0);",
            "latest us: \(arrivals.latest.with { $0.late })"
        )
        var ended: Set<Int32> = []
        while ended.count < 3 {
            var process: Int32?
            #expect(
                blocked {
                    process = status()?.process
                    return process.map { !ended.contains($0) } == true
                }
            )
            kill(try #require(process), SIGKILL)
            ended.insert(try #require(process))
        }
        #expect(blocked { status()?.state == .failed })
        player.perform(.unload, on: run)
        let statuses = run.plugins()
        let report = run.destroy(.drain(limit: 60_000))
        telemetry.close()
        #expect(report.droppedEvents == 0)
        let recorded = RecordedRun(live: memory.contents, archive: archive, report: report)
        #expect(!recorded.live.events.contains { $0.contains("\"gap_") })
        try IsolatedTrackerTests.expectOthers(
            of: StuckTrackerTests.PlayedRun(recorded: recorded, statuses: statuses)
        )
    }
}
