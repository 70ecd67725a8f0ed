/// The clock of a player's device, as far as its reports show how wrong it is.
///
/// A report does not say when it was sent. The smallest difference between its coming and its time is nearest to the
/// truth, for it was on its way the shortest. What is looked at first fixes the correction: the times of a run must not
/// bend in its midst, unless the device's clock was set.
struct DeviceClock {
    /// A time before 2015 is none, ms since 1970.
    static let earliest: Int64 = 1_420_070_400_000
    /// How far ahead of its coming a report's time may be, us.
    static let furthestAhead: Int64 = 86_400_000_000
    /// How much a clock may be wrong, us.
    ///
    /// Ways and batches take seconds, and look like a clock that is wrong or was set.
    static let tolerance: Int64 = 5_000_000

    /// What is added to the reports' times, us.
    private(set) var correction: Int64 = 0
    private var isFixed = false
    /// The smallest way that reports seem to have had, us; steps of the clock are in it.
    private var shortestWay: Int64?
    /// The report with the greatest number so far, and its time.
    private var newest: (number: Int64, time: Int64)?

    /// Whether a report's time can be one.
    static func isPlausible(_ milliseconds: Int64, received: Int64) -> Bool {
        milliseconds >= earliest && milliseconds <= (received + furthestAhead) / 1000
    }

    /// Ends the time in which the clock is looked at.
    ///
    /// - Returns: by how much the times of the reports so far are to be corrected, us.
    mutating func fix() -> Int64 {
        guard !isFixed else { return 0 }
        isFixed = true
        guard let shortestWay, abs(shortestWay) > Self.tolerance else { return 0 }
        correction = shortestWay
        return correction
    }

    /// Looks at a report's time, us since 1970, of what happened last in it.
    ///
    /// - Returns: by how much the device's clock was set before it, us; nil when it was not.
    mutating func observe(_ time: Int64, number: Int64?, isResponse: Bool, received: Int64) -> Int64? {
        let way = received - time
        defer {
            if let number, !isResponse, number > newest?.number ?? -1 { newest = (number, time) }
        }
        guard isFixed, let shortest = shortestWay else {
            shortestWay = min(shortestWay ?? way, way)
            return nil
        }
        // Set forward: it came before it was sent, or nearly so.
        let isAhead = way < shortest - Self.tolerance
        // Set back: a later report is dated before an earlier one. One without a number may have been long on its way.
        let isBehind =
            if let number, let newest, !isResponse {
                number > newest.number && time < newest.time - Self.tolerance && way > shortest + Self.tolerance
            } else {
                false
            }
        guard isAhead || isBehind else { return nil }
        let step = shortest - way
        shortestWay = way
        correction -= step
        return step
    }
}
