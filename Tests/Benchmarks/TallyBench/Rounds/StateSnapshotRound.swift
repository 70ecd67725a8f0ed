internal import Coordinator
internal import EventModel
internal import PluginABI

/// What the state that a tracker's timer gets costs.
enum StateSnapshotRound {
    static func run(_ arguments: inout Arguments) throws(BenchError) {
        let calls = try arguments.number("--calls", or: 20_000_000)
        try arguments.finish()
        var machine = playingMachine()
        var state = tally_state()
        var sum: Int64 = 0
        let begin = Stopwatch.wall()
        for number in 0..<Int64(calls) {
            // The time differs from call to call, so that nothing can be computed ahead.
            unsafe withUnsafeMutablePointer(to: &state) {
                unsafe machine.write(to: $0, at: 2_000_000 + (number & 0xFFFF))
            }
            sum &+= state.playhead_ms
        }
        let nanoseconds = Double(Stopwatch.wall() - begin) / Double(calls)
        machine.endSession(at: 3_000_000)
        Figure("state/snapshot", nanoseconds, "ns/call", [("check", "\(sum)")]).printLine()
    }

    /// A machine in the midst of playback, with everything known.
    private static func playingMachine() -> PlayerStateMachine {
        var machine = PlayerStateMachine()
        var report = tally_state()
        report.known = 0x1_FFFF
        report.rate_milli = 1000
        report.duration_ms = 3_600_000
        report.playhead_ms = 10
        for (time, type) in [EventType.videoLoad, .play, .firstFrame, .playheadSample].enumerated() {
            report.playhead_ms += 250
            _ = unsafe withUnsafePointer(to: &report) { report in
                unsafe machine.apply(type, report: report, at: 1_000_000 + Int64(time) * 250_000)
            }
        }
        return machine
    }
}
