internal import Metrics

/// What was measured of the sessions that ended, by their labels.
///
/// The labels' values are bounded: what is beyond counts for `other`, so that nothing is lost of the sums.
struct Exposition {
    /// What a family has counted of one combination of labels.
    struct Counted {
        var sum = 0.0
        /// In a histogram how many values lie in each bucket, the last of which has no bound.
        var buckets: [UInt64] = []
        /// A run with a value in each bucket, and when it was seen.
        var exemplars: [Exemplar?] = []
    }

    /// A run that a bucket has a value of.
    struct Exemplar {
        let run: String
        let value: Double
        /// Seconds since 1970.
        let time: Double
    }

    /// What stands for values that are not told apart.
    static let other = "other"

    let labels: [String]
    private let mostValues: Int
    private let mostSeries: Int
    private var values: [Set<String>]
    /// By the labels' values.
    private(set) var series: [[String]: [Counted]] = [:]
    /// How many sessions have ended, by the labels' values.
    private(set) var ended: [[String]: UInt64] = [:]
    /// How many sessions counted for `other` in each label.
    private(set) var folded: [UInt64]

    init(_ configuration: PrometheusConfiguration) {
        labels = configuration.labels
        mostValues = configuration.mostValues
        mostSeries = configuration.mostSeries
        values = labels.map { _ in [] }
        folded = labels.map { _ in 0 }
    }

    /// Counts a session that has ended; `time` is the wall clock then, in seconds since 1970.
    mutating func add(_ session: SessionMetrics, at time: Double) {
        let key = key(of: session, counting: true)
        ended[key, default: 0] += 1
        var counted =
            series[key]
            ?? MetricFamily.all.map { family in
                guard case .histogram(let bounds) = family.kind else { return Counted() }
                return Counted(
                    buckets: Array(repeating: 0, count: bounds.count + 1),
                    exemplars: Array(repeating: nil, count: bounds.count + 1)
                )
            }
        for (place, family) in MetricFamily.all.enumerated() {
            guard let value = family.value(session), value.isFinite else { continue }
            // A counter never goes down, whatever a player says.
            guard case .histogram(let bounds) = family.kind else {
                counted[place].sum += max(value, 0)
                continue
            }
            let bucket = bounds.firstIndex { value <= $0 } ?? bounds.count
            counted[place].sum += max(value, 0)
            counted[place].buckets[bucket] += 1
            counted[place].exemplars[bucket] = Exemplar(run: session.run.description, value: value, time: time)
        }
        series[key] = counted
    }

    /// The values of a session's labels, as they are told apart; with `counting` what is folded is counted.
    mutating func key(of session: SessionMetrics, counting: Bool) -> [String] {
        var key: [String] = []
        for (place, label) in labels.enumerated() {
            // Longer than any name of a CDN or a country, and short enough for a line.
            let value = String((session.attributes[label]?.description ?? "").prefix(128))
            if values[place].contains(value) || values[place].count < mostValues {
                values[place].insert(value)
                key.append(value)
            } else {
                if counting { folded[place] += 1 }
                key.append(Self.other)
            }
        }
        guard series[key] == nil, ended[key] == nil, ended.count >= mostSeries else { return key }
        if counting { for place in labels.indices { folded[place] += 1 } }
        return labels.map { _ in Self.other }
    }
}
