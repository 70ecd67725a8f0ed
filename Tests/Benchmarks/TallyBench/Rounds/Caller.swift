internal import Tally

/// One of several threads that make track calls at once and time each of them.
final class Caller: @unchecked Sendable {
    private(set) var nanoseconds: [Double] = []
    private(set) var refused = 0
    private let run: PlayerRun
    private let payload: TrackCallPayload
    private let gate: Gate
    private let bursts: Int
    private let burst: Int
    private let leads: Bool

    /// Prepares; one caller of all `leads`: it lets the queue become empty between bursts.
    init(run: PlayerRun, payload: TrackCallPayload, gate: Gate, bursts: Int, burst: Int, leads: Bool) {
        self.run = run
        self.payload = payload
        self.gate = gate
        self.bursts = bursts
        self.burst = burst
        self.leads = leads
        nanoseconds.reserveCapacity(bursts * burst)
    }

    func work() {
        for _ in 0..<bursts {
            if leads {
                TrackCallRound.drain()
            }
            gate.pass()
            var last = Stopwatch.wall()
            for _ in 0..<burst {
                if payload.call(run) != .queued {
                    refused += 1
                }
                let now = Stopwatch.wall()
                nanoseconds.append(Double(now - last))
                last = now
            }
            gate.pass()
        }
    }
}
