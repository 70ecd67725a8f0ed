internal import Glibc
internal import Tally

/// What a track call costs its caller, while the run's own thread takes the events out of the queue.
///
/// Calls come in bursts that the queue can hold, with pauses in which it is emptied: only the calls are timed.
enum TrackCallRound {
    /// Calls of all threads together before the queue is given time to become empty.
    static let burst = 2_000

    static func run(_ arguments: inout Arguments) throws(BenchError) {
        let words = TrackCallPayload.allCases.map(\.rawValue)
        let word = try arguments.word("--variant", of: words, or: words[0])
        let threads = try arguments.number("--threads", or: 1)
        let calls = try arguments.number("--calls", or: 200_000)
        let keeps = try arguments.word("--lines", of: ["dropped", "kept"], or: "dropped") == "kept"
        try arguments.finish()
        let payload = TrackCallPayload(rawValue: word) ?? .oneString
        let bursts = max(2, calls / burst)
        if threads == 1 {
            try oneThread(payload, bursts: bursts, keepsLines: keeps)
        } else {
            try manyThreads(payload, threads: threads, bursts: bursts)
        }
    }

    /// A run in the midst of a session, without trackers, reporters or archive; with `keepsLines` it keeps what it was
    /// told for a tracker that takes another's place, as a run does unless it is told not to.
    static func startRun(_ delegate: (any PlayerDelegate)?, keepsLines: Bool = false) throws(BenchError) -> PlayerRun {
        do throws(TelemetryError) {
            var options = Telemetry.Options()
            if !keepsLines { options.keptBytes = 0 }
            let run = try Telemetry(options: options).startRun(delegate: delegate)
            run.trackVideoLoad()
            run.trackPlay()
            run.trackFirstFrame()
            return run
        } catch {
            throw .refused(error.description)
        }
    }

    /// Gives the run's thread time to empty the queue.
    static func drain() {
        Stopwatch.sleep(milliseconds: 3)
    }

    private static func oneThread(_ payload: TrackCallPayload, bursts: Int, keepsLines: Bool) throws(BenchError) {
        let delegate = payload.delegate()
        let run = try startRun(delegate, keepsLines: keepsLines)
        var nanoseconds: [Double] = []
        var refused = 0
        for number in 0..<(bursts + 10) {
            drain()
            let begin = Stopwatch.wall()
            for _ in 0..<burst where payload.call(run) != .queued {
                refused += 1
            }
            let end = Stopwatch.wall()
            if number >= 10 {
                nanoseconds.append(Double(end - begin) / Double(burst))
            }
        }
        run.destroy()
        withExtendedLifetime(delegate) {}
        guard refused == 0 else { throw .invalidRound("the queue refused \(refused) calls") }
        let samples = Samples(nanoseconds)
        Figure(
            "track/\(payload.rawValue)" + (keepsLines ? "/kept" : ""),
            samples.median,
            "ns/call",
            [
                ("mean", Figure.text(samples.mean)), ("least", Figure.text(samples.least)),
                ("greatest", Figure.text(samples.greatest)), ("calls", "\(bursts * burst)"),
            ]
        ).printLine()
    }

    private static func manyThreads(
        _ payload: TrackCallPayload,
        threads: Int,
        bursts: Int
    ) throws(BenchError) {
        let delegate = payload.delegate()
        let run = try startRun(delegate)
        let gate = Gate(parties: threads)
        let callers = (0..<threads).map { number in
            Caller(run: run, payload: payload, gate: gate, bursts: bursts, burst: burst / threads, leads: number == 0)
        }
        let running = callers.map { caller in Thread(name: "bench-caller") { caller.work() } }
        for thread in running {
            thread.join()
        }
        run.destroy()
        withExtendedLifetime(delegate) {}
        let refused = callers.reduce(0) { $0 + $1.refused }
        guard refused == 0 else { throw .invalidRound("the queue refused \(refused) calls") }
        let samples = Samples(callers.flatMap { $0.nanoseconds })
        let name = "track/\(payload.rawValue)/\(threads)-threads"
        Figure(name + "/p50", samples.median, "ns/call").printLine()
        Figure(name + "/p99.9", samples.percentile(0.999), "ns/call").printLine()
        Figure(name + "/max", samples.greatest, "ns/call").printLine()
    }
}
