/// A report that waits for those before it.
struct HeldReport {
    /// What it says.
    let record: CMCDRecord
    /// When it came, us since 1970.
    let received: Int64
    /// The how many of its run it is.
    let arrival: Int
    /// When it happened by the collector's clock, us since 1970; of a response, when the answer was there.
    var time: Int64
    /// Whether its own time is none, and it is dated by its coming.
    let isDatedByComing: Bool
    /// By how much the device's clock was set before it, us.
    let clockStep: Int64?
    /// Whether another report's call says what this one means.
    var isAbsorbed = false
    /// Whether its time is not the player's.
    var isShifted = false
}

/// Reports in the order in which they happened, until they have waited long enough.
struct ReportQueue {
    private(set) var reports: [HeldReport] = []
    /// The place of the report that is played.
    private(set) var current = 0

    /// Puts a report in its place: by time, then number, then coming.
    mutating func insert(_ report: HeldReport) {
        var low = 0
        var high = reports.count
        while low < high {
            let middle = (low + high) / 2
            if Self.isBefore(report, reports[middle]) { high = middle } else { low = middle + 1 }
        }
        reports.insert(report, at: low)
    }

    /// Moves all that have a time of the player's own.
    mutating func shift(by correction: Int64) {
        guard correction != 0 else { return }
        for place in reports.indices where !reports[place].isDatedByComing {
            reports[place].time += correction
            reports[place].isShifted = true
        }
        reports.sort(by: Self.isBefore)
    }

    /// When the first report has waited long enough, us since 1970; nil when none waits.
    func due(after holdBack: Int64) -> Int64? {
        reports.lazy.map { $0.received + holdBack }.min()
    }

    /// How many reports are to be played: up to the last that has waited long enough.
    func countDue(at now: Int64, after holdBack: Int64?) -> Int {
        guard let holdBack else { return 0 }
        return (reports.lastIndex { $0.received + holdBack <= now } ?? -1) + 1
    }

    /// Plays the first reports, each with a look at those that follow.
    mutating func play(_ count: Int, _ body: (HeldReport, inout ReportQueue) -> Void) {
        for place in 0..<count {
            current = place
            body(reports[place], &self)
        }
        reports.removeFirst(count)
        current = 0
    }

    /// The place of the next report, at most `span` us behind the one that is played, for which something holds.
    func next(within span: Int64, where holds: (HeldReport) -> Bool) -> Int? {
        guard current < reports.count else { return nil }
        let end = reports[current].time + span
        return reports[(current + 1)...].prefix { $0.time <= end }.firstIndex(where: holds)
    }

    /// Lets a report's call be made by the one that is played.
    mutating func absorb(_ place: Int) {
        reports[place].isAbsorbed = true
    }

    private static func isBefore(_ left: HeldReport, _ right: HeldReport) -> Bool {
        (left.time, left.record.integer(.sn) ?? .max, left.arrival)
            < (right.time, right.record.integer(.sn) ?? .max, right.arrival)
    }
}
