/// What headline figures are, of a group.
extension Headline {
    /// A figure as two whole numbers: the first by the second.
    typealias Figure = (value: Int128, divisor: Int128)

    /// The figure of a group; nil where it has none.
    func value(of group: MetricGroup) -> Figure? {
        switch formula {
        case .sessions: return (Int128(group.sessions), 1)
        case .openSessions: return (Int128(group.openSessions), 1)
        case .total(let name): return (group.sum(name).sum, Self.divisor(name))
        case .mean(let name):
            let sum = group.sum(name)
            return sum.count > 0 ? (sum.sum, Int128(sum.count) * Self.divisor(name)) : nil
        case .quantile(let name, let hundredths):
            return Self.nearestRank(group.sum(name), hundredths, Metric.all[Metric.place(of: name)].unit)
        case .fraction(let part, let whole):
            let all = whole.reduce(0) { $0 + group.sum($1).sum }
            return all > 0 ? (group.sum(part).sum, all) : nil
        case .bitrate:
            let rated = group.sum("rated_ms").sum
            return rated > 0 ? (group.bits, rated) : nil
        }
    }

    /// A quantile of what the buckets hold, in hundredths; within 0.54 % of the true one.
    static func nearestRank(_ sum: MetricGroup.Sum, _ hundredths: Int64, _ unit: Metric.Unit) -> Figure? {
        sum.histogram.quantileMilli(hundredths, 100).map { (Int128($0), 1000 * Int128(unit.bucketDivisor)) }
    }

    private static func divisor(_ name: String) -> Int128 { Int128(Metric.all[Metric.place(of: name)].unit.divisor) }
}
