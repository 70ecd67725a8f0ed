internal import Metrics

/// What a metric of sessions is in Prometheus, said once: its name, kind, unit and buckets.
package struct MetricFamily: Sendable {
    /// How sessions are counted.
    enum Kind: Sendable {
        /// A sum.
        case counter
        /// Values in buckets, by their upper bounds in the unit.
        case histogram([Double])
    }

    private static let short: [Double] = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 8, 15, 30, 60]
    private static let long: [Double] = [1, 10, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 14_400]
    private static let small: [Double] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]
    private static let parts: [Double] = [0.1, 0.25, 0.5, 0.75, 0.9, 1]
    private static let rates: [Double] = [0.25, 0.5, 1, 2, 3, 4, 5, 6, 8, 12, 20, 40].map { $0 * 1e6 }

    /// All families, in the order of the metrics.
    package static let all = Metric.all.map(MetricFamily.init)

    /// The metric that it is made of.
    let metric: Metric
    /// The name, without what a kind adds.
    package let name: String
    /// The unit that ends the name; empty where there is none.
    let unit: String
    let kind: Kind
    /// What one of the unit is in the metric's whole numbers.
    private let scale: Double

    private init(_ metric: Metric) {
        self.metric = metric
        switch metric.unit {
        case .truth: (name, unit, scale) = ("tally_sessions_\(metric.name)", "", 1)
        case .count:
            let name =
                metric.name.hasSuffix("_count") ? metric.name.dropLast("_count".count) + "s" : Substring(metric.name)
            (self.name, unit, scale) = ("tally_\(name)", "", 1)
        case .time: (name, unit, scale) = ("tally_\(metric.name.dropLast("_ms".count))_seconds", "seconds", 1_000_000)
        case .milliseconds:
            (name, unit, scale) = ("tally_\(metric.name.dropLast("_ms".count))_seconds", "seconds", 1_000)
        case .bitrate: (name, unit, scale) = ("tally_\(metric.name.dropLast("_bps".count))_bits_per_second", "", 1)
        case .ratio:
            let name = metric.name.hasSuffix("_ratio") ? metric.name : "\(metric.name)_ratio"
            (self.name, unit, scale) = ("tally_\(name)", "ratio", Double(Metric.one))
        }
        switch metric.unit {
        case .bitrate: kind = .histogram(Self.rates)
        case .ratio: kind = .histogram(metric.name == "progress" ? Self.parts : Self.small)
        case .time where metric.isDistribution, .milliseconds where metric.isDistribution:
            let isShort = metric.name.hasPrefix("startup") || metric.name.hasPrefix("live")
            kind = .histogram(isShort ? Self.short : Self.long)
        default: kind = .counter
        }
    }

    /// What Prometheus calls the kind.
    package var kindName: String { if case .histogram = kind { "histogram" } else { "counter" } }

    /// The value of a session in the unit; nil where it does not count.
    func value(_ session: SessionMetrics) -> Double? { metric.counted(session).map { Double($0) / scale } }
}
