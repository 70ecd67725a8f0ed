/// The one throttled link that all connections send over.
///
/// A sender reserves a span of the link's time for each piece and waits until the span has passed, so that pieces of
/// several connections alternate and together never exceed the schedule.
struct SharedLink {
    private static let pieceSeconds = 0.05
    private static let pieceBytes = 256.0...65_536.0
    /// How late a sender may wake without loss of bandwidth.
    private static let slack = 0.1

    private let schedule: ThrottleSchedule?
    private var start: MonotonicTime?
    private var freeFrom = 0.0

    init(schedule: ThrottleSchedule?) {
        self.schedule = schedule
    }

    /// Starts the schedule's clock unless it runs.
    mutating func startClock(at time: MonotonicTime) {
        start = start ?? time
    }

    /// Reserves the link for a part of the given bytes; returns how many may be sent and when.
    mutating func reserve(upTo bytes: Int, at now: MonotonicTime) -> (bytes: Int, at: MonotonicTime) {
        guard let schedule, let start else {
            return (min(bytes, Int(Self.pieceBytes.upperBound)), now)
        }
        let second = now.seconds - start.seconds
        let from = max(freeFrom, second - Self.slack, 0)
        let wished = schedule.rate(at: from) * Self.pieceSeconds / 8
        let piece = min(bytes, Int(min(max(wished, Self.pieceBytes.lowerBound), Self.pieceBytes.upperBound)))
        freeFrom = schedule.end(ofBits: Double(piece) * 8, from: from)
        return (piece, start.advanced(by: freeFrom))
    }
}
