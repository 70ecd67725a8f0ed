internal import PluginKit

/// Counts stalls and how long they take, ms.
struct StallMeter {
    /// Stalls that began.
    var count: Int64 = 0
    /// Time of the stalls that are over.
    var duration: Int64 = 0
    /// When the stall that goes on began.
    private(set) var openSince: Int64?

    /// Whether a stall goes on.
    var isOpen: Bool { openSince != nil }

    /// A stall began.
    mutating func begin(at start: Int64) {
        count += 1
        openSince = start
    }

    /// Ends the stall that goes on; false when there is none.
    mutating func end(at time: Int64) -> Bool {
        guard let start = openSince else { return false }
        openSince = nil
        duration += max(0, time - start)
        return true
    }

    /// Leaves out a time of the stall that goes on.
    mutating func skip(_ milliseconds: Int64) { openSince = openSince.map { $0 + milliseconds } }

    /// Puts the figures into the fields of the view, with the stall that goes on.
    func write(to fields: inout FieldValues, at time: Int64, watched: Int64) {
        guard count > 0 else { return }
        let total = duration + (openSince.map { max(0, time - $0) } ?? 0)
        fields.set(.viewRebufferCount, count)
        fields.set(.viewRebufferDuration, total)
        guard watched > 0 else { return }
        fields.set(.viewRebufferFrequency, .double(Double(count) / Double(watched)))
        fields.set(.viewRebufferPercentage, .double(Double(total) / Double(watched)))
    }
}

/// Finds stalls in where the player says that its playhead stands.
///
/// The vendor looks every 25 ms. Here each report is looked at, and what it shows is dated from the reports: a stall
/// begins with the last movement. Times are whole milliseconds.
struct StallDetector {
    /// What a report shows.
    enum Finding: Equatable {
        /// Nothing.
        case none
        /// The playhead has stood still since a time: a stall that goes on.
        case started(Int64)
        /// The playhead moves again.
        case ended
        /// Between two reports the playhead stood still for a while.
        case short(start: Int64, end: Int64)
    }

    /// The playhead may stand still for so long before it is a stall.
    static let sustained: Int64 = 1000
    /// Between two reports the playhead may lag behind by so much.
    static let excess: Int64 = 250

    /// Reports are not further apart, ms.
    private static let longestGap: Int64 = 1 << 31

    /// Where the player said last that it stands, ms.
    private(set) var position: Int64?
    private var rate: Int64 = 1000
    /// When the player said it, ms.
    private var reportedAt: Int64 = 0
    /// Where the playhead stood when it moved last; nil while it is not expected to move.
    private var expectedFrom: Int64?
    private var movedAt: Int64 = 0

    /// Looks at a report of the place, ms, while the content is expected to move; the rate is in thousandths.
    mutating func look(_ reported: Int64, at time: Int64, rate: Int64, isStalled: Bool) -> Finding {
        if rate != self.rate { expect(from: reported, at: time) }
        guard let old = expectedFrom, rate > 0 else {
            expect(from: reported, at: time)
            return .none
        }
        guard reported != old else { return !isStalled && time - movedAt >= Self.sustained ? .started(movedAt) : .none }
        let start = movedAt
        expect(from: reported, at: time)
        if isStalled { return .ended }
        let behind = time - start - (reported - old) * 1000 / rate
        return reported > old && behind > Self.excess ? .short(start: start, end: start + behind) : .none
    }

    /// How far the playhead has moved since the last report, ms, if playing explains it; otherwise 0.
    ///
    /// The greater of both reports' rates holds in between. A report may come early by as much as it may come late.
    @inline(__always)
    func step(to reported: Int64, at time: Int64, rate: Int64) -> Int64 {
        guard let position, reported > position else { return 0 }
        let moved = reported - position
        let passed = min(time - reportedAt + Self.excess, Self.longestGap)
        return moved * 1000 <= passed * max(rate, self.rate) ? moved : 0
    }

    /// Keeps a report for the next one.
    @inline(__always)
    mutating func keep(_ reported: Int64, at time: Int64, rate: Int64) {
        position = reported
        reportedAt = time
        self.rate = rate
    }

    /// Begins with another place, or with none, which no movement has led to.
    mutating func begin(at reported: Int64?, at time: Int64) {
        position = reported
        reportedAt = time
    }

    /// Leaves out a time in which nothing could move.
    mutating func skip(_ milliseconds: Int64, until time: Int64) {
        reportedAt += milliseconds
        expect(from: expectedFrom, at: time)
    }

    /// Expects movement from where the player stands.
    mutating func expectMovement(at time: Int64) { expect(from: position, at: time) }

    /// Expects no movement.
    mutating func expectNone() { expectedFrom = nil }

    private mutating func expect(from playhead: Int64?, at time: Int64) {
        expectedFrom = playhead
        movedAt = time
    }
}
