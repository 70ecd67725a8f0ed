internal import Metrics

/// A metric of the registry: one of ``Metric/all`` by its name there.
package struct MediaMetric: Sendable {
    /// Its name.
    package let name: String
    /// Its unit, as UCUM writes it.
    package let unit: String
    /// Whether it is a sum of sessions that something is true of; otherwise it is a histogram.
    package let isSum: Bool
    /// What it means.
    package let meaning: String
    /// Of which sessions it counts, as the page says it.
    package let population: String
    /// The metric's name in Tally.
    package let source: String
    /// What a value is divided by when it is told.
    let divisor: Double
    /// By how many doublings a value in buckets was made whole.
    let shift: Int32
    /// Whether values are us, which are whole ms in buckets.
    let isTime: Bool

    /// Makes one of Tally's: the name is without the unit, which has a place of its own.
    init(_ metric: Metric) {
        var stem = metric.name
        for suffix in ["_ms", "_bps"] where stem.hasSuffix(suffix) { stem.removeLast(suffix.count) }
        name = "media.session.\(stem)"
        (meaning, source, population) = (metric.meaning, metric.name, metric.population.rawValue)
        isSum = metric.unit == .truth
        isTime = metric.unit == .time
        switch metric.unit {
        case .truth: unit = "{session}"
        case .count: unit = "{count}"
        case .time, .milliseconds: unit = "ms"
        case .bitrate: unit = "bit/s"
        case .ratio: unit = "1"
        }
        divisor = Double(metric.unit.divisor)
        shift = metric.unit.bucketShift
    }

    private init(latencies: Void) {
        name = "media.live.latency"
        (meaning, source) = ("Each latency that was measured while a live stream played.", "live_latency_ms")
        (unit, isSum, isTime, divisor, shift, population) = ("ms", false, false, 1, 0, "plays")
    }

    static let latencies = MediaMetric(latencies: ())

    /// All metrics, in the order of the page.
    package static let all = Metric.all.map { MediaMetric($0) } + [latencies]
}
