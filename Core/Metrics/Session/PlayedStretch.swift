/// Playing without a break and without a step back: what of its time the content can have played.
///
/// A stretch that lasts longer than to the content's end, or to the place that the player reports next, lags behind
/// the clock. Half a second, two sample intervals, is how exactly players report.
struct PlayedStretch {
    private static let tolerance: Int128 = 500_000_000
    /// Place where it began, ms.
    private let begin: Int64
    /// How much content its time would be, ns.
    private var length: Int128 = 0
    /// How much of that is lost, ns.
    private var lost: Int128 = 0

    init(begin: Int64) { self.begin = begin }

    /// Adds a span of us at a rate in thousandths, and gives how much of it counts as played, us.
    ///
    /// `bound` is the furthest place that the content can have come to, ms; nil where it has no length.
    mutating func add(span: Int64, rateMilli: Int64, bound: Int64?) -> Int64 {
        length += Int128(span) * Int128(rateMilli)
        guard let bound else { return span }
        let lag = length - 1_000_000 * (Int128(bound) - Int128(begin))
        guard lag > Self.tolerance, lag > lost else { return span }
        let more = lag - lost
        lost = lag
        let missing = (more + Int128(rateMilli) - 1) / Int128(rateMilli)
        return Int64(max(Int128(span) - missing, 0))
    }
}
