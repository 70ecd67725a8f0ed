internal import Coordinator
internal import Reporting
internal import Setup
internal import System

/// One of several coordinators at work: replays the runs that it is dealt, on a thread of its own.
@safe final class ReplayWorker: @unchecked Sendable {
    let lines: DealtLines
    let replay: Replay
    /// Archives that it could not replay to their end.
    private(set) var failures: [(archive: Int, error: TelemetryError)] = []

    private let lane: OutputLane?
    private let isStopped: Flag
    private let shared = Lock(ReplayProgress())
    private let ended = Condition(false)

    init(
        lines: DealtLines,
        lane: OutputLane?,
        telemetry: Telemetry,
        options: ReplayOptions,
        recorded: RecordedPlugins,
        isStopped: Flag
    ) {
        self.lines = lines
        self.lane = lane
        self.isStopped = isStopped
        let consumers: [any OutputConsumer] = lane.map { [$0] } ?? options.makesConsumers?() ?? telemetry.consumers
        replay = Replay(telemetry: telemetry, options: options, consumers: consumers, recorded: recorded, lines: lines)
        unsafe lane?.begin(Unmanaged.passUnretained(lines).toOpaque()) { lines in
            unsafe Unmanaged<DealtLines>.fromOpaque(lines)._withUnsafeGuaranteedRef { $0.position }
        }
        lines.onBlock = { [unowned self] in
            let now = ReplayProgress(runs: replay.summary.runs, events: replay.summary.events)
            shared.with { $0 = now }
        }
    }

    /// How far it has come; for any thread.
    var progress: ReplayProgress { shared.with { $0 } }

    /// Replays until nothing is dealt any more.
    func run(_ dealer: LineDealer?) {
        lines.dealer = dealer
        while lines.beginArchive() {
            do throws(TelemetryError) {
                try replay.replayDealtLines()
            } catch {
                failures.append((lines.archive?.index ?? 0, error))
                // What concerns a plugin would be the same with every archive.
                if error.kind == .plugin || error.kind == .configuration { isStopped.set() }
            }
            lines.endArchive()
        }
        lane?.close()
        ended.change { $0 = true }
    }

    /// Waits for the end of ``run(_:)``; whether it has come.
    func waitUntilEnded(milliseconds: Int64) -> Bool {
        ended.wait(until: SystemTime.monotonic() + milliseconds * 1000) { $0 ? true : nil } ?? false
    }
}
