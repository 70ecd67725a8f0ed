/// The sudden end of a program that was delivering.
struct Kill {
    /// How much later than it was sent an answer may be noted, s.
    private static let slack = 1.0

    /// When the program was ended, and when the next one was about to be started, s of the monotonic clock.
    let time: Double
    let restarted: Double
    /// The beacons that were in the spool in between.
    let waiting: Set<Int>

    /// Whether it lies between two answers to one beacon.
    func explains(_ first: Double, _ second: Double) -> Bool {
        first <= restarted + Self.slack && second >= time
    }
}
