internal import Glibc
internal import System

/// What memory a collector has while viewers come and go for an hour: it is to be flat.
enum CollectorMemoryRound {
    /// How many batches a viewer stays for: one to ten minutes.
    private static let lengths = 6...60
    /// Minutes at the begin that are not compared: until all memory was used once, and runs end as fast as they begin.
    private static let warmUp = 10
    /// By how much memory may differ between the first and the last minutes that count.
    private static let tolerance = 1.05

    static func run(_ arguments: inout Arguments) throws(BenchError) {
        let viewers = try arguments.number("--viewers", or: 5_000)
        let minutes = try arguments.number("--minutes", or: 60)
        let connections = min(viewers, try arguments.number("--connections", or: 5_000))
        let tracker = arguments.text("--tracker", or: "new-relic-video")
        let program = arguments.text("--collector", or: ".build/release/tally-collector")
        let directory = arguments.text("--plugin-dir", or: ".build/release")
        let folder = arguments.text("--folder", or: ".build/bench/collector-memory")
        try arguments.finish()
        CollectorRound.allowConnections()
        let (server, port) = try CollectorRound.collector(program, folder, tracker, directory)
        defer { server.end() }
        var crowds: [ViewerCrowd] = []
        for half in 0..<2 {
            let range = half * viewers / 2..<(half + 1) * viewers / 2
            crowds.append(
                try ViewerCrowd(port: port, viewers: range, connections: connections / 2, lengths: lengths)
            )
        }
        let begin = Stopwatch.wall() + 50_000_000
        let threads = crowds.map { $0.begin(at: begin, seconds: minutes * 60) }
        var memory: [Double] = []
        for minute in 1...minutes {
            Stopwatch.sleep(until: begin + Int64(minute) * 60_000_000_000)
            memory.append(server.memory("VmRSS"))
            let notes = [("peak", Figure.text(server.memory("VmHWM")))]
            Figure("collector-memory/\(viewers)/minute-\(minute)", memory[minute - 1], "KiB", notes).printLine()
            fflush(nil)
        }
        for thread in threads { thread.join() }
        var sum = ViewerCrowd.Outcome()
        for crowd in crowds { sum.add(try crowd.outcome()) }
        let notes = [("refused", "\(sum.refused)"), ("cuts", "\(sum.cuts)"), ("runs_ended", "\(sum.ended)")]
        Figure("collector-memory/\(viewers)/lost", Double(sum.lost), "lines", notes + [("lines", "\(sum.lines)")])
            .printLine()
        let counted = Array(memory.dropFirst(warmUp))
        guard counted.count >= 10 else { return }
        // The medians of the first and the last of what counts: a single minute may have a tide.
        let part = max(1, counted.count / 5)
        let growth = Samples(Array(counted.suffix(part))).median / Samples(Array(counted.prefix(part))).median
        Figure("collector-memory/\(viewers)/growth", (growth - 1) * 100, "%").printLine()
        guard growth <= tolerance, sum.lost == 0 else {
            throw .refused("memory is not flat, or lines were lost: see the figures above")
        }
    }
}
