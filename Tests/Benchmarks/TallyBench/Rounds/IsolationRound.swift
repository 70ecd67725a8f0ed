internal import Tally

/// What trackers cost the player in its own process and in processes of their own, an event.
///
/// Live runs without trackers, with one and with five get the same events in turns, some hundred milliseconds each: a
/// machine's speed changes more from second to second than what is measured.
enum IsolationRound {
    /// How long one run gets events before it is the next one's turn, ns.
    private static let turn: Int64 = 250_000_000
    /// How many calls come at once where as many as go come: fewer than the event queue holds.
    private static let burst = 1_000

    static func run(_ arguments: inout Arguments) throws(BenchError) {
        let rates = ["1000", "10000", "most"]
        let word = try arguments.word("--rate", of: rates, or: rates[0])
        let speaking = try arguments.word("--tracker", of: ["trivial", "speaking"], or: "trivial") == "speaking"
        let atOnce = try arguments.number("--at-once", or: 1)
        let turns = try arguments.number("--turns", or: 12)
        let folder = arguments.text("--plugin-dir", or: ".build/release")
        try arguments.finish()
        let tracker = speaking ? MeasuredRun.Tracker.speaking : .trivial
        let without = try MeasuredRun(tracker, 0, .inProcess, folder: folder)
        var runs: [MeasuredRun] = []
        for (count, place) in [(1, MeasuredRun.Place.inProcess), (1, .isolated), (5, .inProcess), (5, .isolated)] {
            runs.append(try MeasuredRun(tracker, count, place, folder: folder))
        }
        let pace = Pace(rate: Int64(word), atOnce: Int64(atOnce))
        // What comes first pays for what is there from then on.
        for run in [without] + runs { _ = try measure(run, pace) }
        var alone: [Cost] = []
        var costs = [[Cost]](repeating: [], count: runs.count)
        for _ in 0..<turns {
            alone.append(try measure(without, pace))
            for index in runs.indices { costs[index].append(try measure(runs[index], pace)) }
        }
        let name = "isolation/\(tracker.rawValue)/\(word)\(atOnce == 1 ? "" : "-by-\(atOnce)")/"
        report(name + without.name, alone, nil)
        for (run, costs) in zip(runs, costs) { report(name + run.name, costs, alone) }
        for run in [without] + runs { try run.end() }
    }

    /// How calls come.
    private struct Pace {
        /// Events a second; nil for as many as go.
        let rate: Int64?
        /// How many of them come one behind the other.
        let atOnce: Int64
    }

    /// What one turn cost, an event.
    private struct Cost {
        var events: Double
        var processor: Double
        var threads: Double
        var waits: Double
        var trackerWaits: Double
        var perSecond: Double
    }

    private static func measure(_ run: MeasuredRun, _ pace: Pace) throws(BenchError) -> Cost {
        let before = run.use()
        let begin = Stopwatch.wall()
        var events = 0
        var refused = 0
        func call() {
            events += 1
            if run.run.trackCustomEvent(TrackCallPayload.text) != .queued { refused += 1 }
        }
        while case let passed = Stopwatch.wall() - begin, passed < turn {
            if let rate = pace.rate {
                while Int64(events) * 1_000_000_000 <= passed * rate {
                    for _ in 0..<pace.atOnce { call() }
                }
                Stopwatch.sleep(until: begin + Int64(events) * 1_000_000_000 / rate)
            } else {
                for _ in 0..<burst { call() }
                TrackCallRound.drain()
            }
        }
        let seconds = Double(Stopwatch.wall() - begin) / 1e9
        // What trackers have said last is read late where much is said.
        Stopwatch.sleep(milliseconds: 60)
        let after = run.use()
        guard refused == 0 else { throw .invalidRound("the queue refused \(refused) calls") }
        let count = Double(events)
        return Cost(
            events: count,
            processor: (after.processor - before.processor) / count,
            threads: (after.threads - before.threads) / count,
            waits: (after.waits - before.waits) / count,
            trackerWaits: (after.trackerWaits - before.trackerWaits) / count,
            perSecond: count / seconds
        )
    }

    /// Prints what all turns cost, and what that is more than without trackers.
    private static func report(_ name: String, _ costs: [Cost], _ alone: [Cost]?) {
        let notes = [("events", Figure.text(costs.reduce(0) { $0 + $1.events }))]
        Figure(name, Samples(costs.map(\.processor)).median, "ns/event", notes).printLine()
        guard let alone else {
            Figure(name + "/rate", Samples(costs.map(\.perSecond)).median, "events/s").printLine()
            return Figure(name + "/waits", Samples(costs.map(\.waits)).median, "an-event").printLine()
        }
        let pairs = Array(zip(costs, alone))
        Figure(name + "/added", Samples(pairs.map { $0.processor - $1.processor }).median, "ns/event").printLine()
        Figure(name + "/threads-added", Samples(pairs.map { $0.threads - $1.threads }).median, "ns/event").printLine()
        Figure(name + "/waits", Samples(pairs.map { $0.waits - $1.waits }).median, "an-event").printLine()
        Figure(name + "/tracker-waits", Samples(costs.map(\.trackerWaits)).median, "an-event").printLine()
    }

    // MARK: - Four a second

    /// How long a record takes at four events a second, and who wakes up for it.
    static func latency(_ arguments: inout Arguments) throws(BenchError) {
        let events = try arguments.number("--events", or: 20)
        let folder = arguments.text("--plugin-dir", or: ".build/release")
        try arguments.finish()
        var alone: Double?
        for (count, place) in [(0, MeasuredRun.Place.inProcess), (1, .inProcess), (1, .isolated), (5, .isolated)] {
            let run = try MeasuredRun(.speaking, count, place, folder: folder)
            Stopwatch.sleep(milliseconds: 500)
            let before = run.use()
            var calls: [Int64] = []
            for _ in 0..<events {
                calls.append(Stopwatch.wall())
                run.run.trackCustomEvent(TrackCallPayload.text)
                Stopwatch.sleep(milliseconds: 250)
            }
            let after = run.use()
            let records = run.records.all
            try run.end()
            guard records.count == events * count else {
                throw .invalidRound("\(records.count) records came for \(events) events and \(count) trackers")
            }
            let name = "isolation/speaking/4/\(run.name)"
            let waits = (after.waits - before.waits) / Double(events)
            Figure(name + "/waits", waits - (alone ?? 0), "an-event").printLine()
            if count == 0 {
                alone = waits
                continue
            }
            Figure(name + "/tracker-waits", (after.trackerWaits - before.trackerWaits) / Double(events), "an-event")
                .printLine()
            // The last of the records that an event has.
            let times = Samples(calls.indices.map { Double(records[$0 * count + count - 1] - calls[$0]) / 1e3 })
            Figure(name + "/median", times.median, "us").printLine()
            Figure(name + "/largest", times.greatest, "us").printLine()
        }
    }
}
