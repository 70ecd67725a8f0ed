internal import AllocationCounter
internal import Tally

/// How often memory is asked for while track calls go on: by the calling thread, and by the core's.
enum AllocationRound {
    static func run(_ arguments: inout Arguments) throws(BenchError) {
        let calls = try arguments.number("--calls", or: 100_000)
        try arguments.finish()
        guard tally_can_count_allocations() else { throw .refused("a build with a sanitizer counts no allocations") }
        tally_count_as_caller()
        let delegate = SteadyPlayer()
        let run = try TrackCallRound.startRun(delegate, keepsLines: true)
        var refused = 0
        refused += make(20_000, run)
        tally_count_allocations(true)
        refused += make(calls, run)
        tally_count_allocations(false)
        run.destroy()
        withExtendedLifetime(delegate) {}
        guard refused == 0 else { throw .invalidRound("the queue refused \(refused) calls") }
        Figure("allocations/caller", Double(tally_allocations_by_callers()), "allocations", [("calls", "\(calls)")])
            .printLine()
        Figure("allocations/core", Double(tally_allocations_by_others()), "allocations", [("calls", "\(calls)")])
            .printLine()
    }

    /// Makes calls of all kinds that come often, in bursts; returns how many were refused.
    private static func make(_ calls: Int, _ run: PlayerRun) -> Int {
        var refused = 0
        for number in 0..<calls {
            if number % 1_000 == 0 {
                TrackCallRound.drain()
            }
            let result =
                switch number % 4 {
                case 0: TrackCallPayload.oneString.call(run)
                case 1: TrackCallPayload.stateAndTwenty.call(run)
                case 2: run.trackQoSUpdateInfo()
                default: run.trackPlayhead()
                }
            if result != .queued {
                refused += 1
            }
        }
        TrackCallRound.drain()
        return refused
    }
}
