internal import Metrics
internal import TextEncoding

/// How the metrics of two sets of sessions differ, and which differences are more than chance.
struct MetricDifferences {
    /// From how many standard errors on a difference counts as none of chance.
    private static let leastDeviations = 3.0
    /// From which share of the value before on it is worth a word.
    private static let leastChange = 0.02
    /// Fewer sessions on a side show nothing.
    private static let leastSessions = 20.0

    /// The metrics that are compared, and whether more of them is better.
    private static let compared: [(name: String, isMoreBetter: Bool)] = [
        ("start_failed", false), ("playback_failed", false), ("has_error", false), ("exited_before_start", false),
        ("startup_ms", false), ("rebuffered", false), ("rebuffer_ratio", false), ("average_bitrate_bps", true),
        ("play_ms", true), ("completed", true), ("ad_errors", false),
    ]

    private let before: JSONValue
    private let after: JSONValue

    init(before: MetricSet, after: MetricSet) {
        self.before = Self.total(before)
        self.after = Self.total(after)
    }

    private static func total(_ set: MetricSet) -> JSONValue {
        let buffer = ByteBuffer(capacity: 65_536)
        var writer = JSONWriter(buffer)
        set.write(to: &writer, limit: 0)
        return (try? JSONParser().parse(buffer.bytes))?["total"] ?? .null
    }

    /// Writes an array of differences.
    func write(to writer: inout JSONWriter) {
        writer.beginArray()
        for (name, isMoreBetter) in Self.compared {
            let metrics = [before, after].map { Figures($0["metrics"]?[name]) }
            write(name, metrics[0], metrics[1], isMoreBetter, to: &writer)
        }
        let codes = [before, after].flatMap { $0["errors_by_code"]?.object?.keys ?? [] }
        for code in Set(codes).sorted() {
            let counts = [before, after].map { set in
                Figures(
                    events: set["errors_by_code"]?[code]?.double ?? 0,
                    of: set["metrics"]?["attempted"]?["sum"]?.double ?? 0
                )
            }
            write("errors_by_code/\(code)", counts[0], counts[1], false, to: &writer)
        }
        writer.endArray()
    }

    private func write(
        _ name: String,
        _ before: Figures,
        _ after: Figures,
        _ isMoreBetter: Bool,
        to writer: inout JSONWriter
    ) {
        let difference = after.mean - before.mean
        let error = (before.squaredError + after.squaredError).squareRoot()
        let isLarge = difference.magnitude >= Self.leastChange * before.mean.magnitude
        let isSure =
            difference != 0 && min(before.count, after.count) >= Self.leastSessions
            && difference.magnitude >= Self.leastDeviations * error
        writer.beginObject()
        writer.key("name")
        writer.string(name)
        for (key, side) in [("before", before), ("after", after)] {
            writer.key(key)
            if side.count > 0 { writer.double(side.mean) } else { writer.null() }
            writer.key("\(key)_sessions")
            writer.int(Int64(side.count))
        }
        writer.key("deviations")
        if error > 0 { writer.double(difference / error) } else { writer.null() }
        writer.key("matters")
        writer.bool(isLarge && isSure)
        writer.key("better")
        writer.bool((difference > 0) == isMoreBetter)
        writer.endObject()
    }

    /// Number, mean and error of the mean of one side.
    private struct Figures {
        let count: Double
        let mean: Double
        /// The square of the mean's standard error.
        let squaredError: Double

        /// Of a metric with a histogram, or of one that is true or false.
        init(_ metric: JSONValue?) {
            count = metric?["count"]?.double ?? 0
            let mean = metric?["mean"]?.double ?? 0
            self.mean = mean
            var variance = max(mean * (1 - mean), 0)
            if let buckets = metric?["histogram"]?["buckets"]?.array, count > 0 {
                let zeros = (metric?["histogram"]?["zeros"]?.double ?? 0) * mean * mean
                variance =
                    buckets.reduce(zeros) { sum, bucket in
                        let distance = Self.middle(of: bucket[0]?.int ?? 0) - mean
                        return sum + distance * distance * (bucket[1]?.double ?? 0)
                    } / count
            } else if metric?["max"]?.double ?? 0 > 1 {
                // Counts that come by chance.
                variance = mean
            }
            squaredError = count > 0 ? variance / count : 0
        }

        /// Of what happened so often in so many sessions.
        init(events: Double, of sessions: Double) {
            count = sessions
            mean = sessions > 0 ? events / sessions : 0
            squaredError = sessions > 0 ? max(events, 1) / (sessions * sessions) : 0
        }

        /// The middle of a bucket of scale 6: 2 to the power of its place by 64, by a table of the 64th roots.
        private static func middle(of place: Int64) -> Double {
            // 2^(1/128) and 2^(1/64), so that no mathematical library has to be linked.
            let step = 1.010_889_286_051_700_5
            var value = 1.005_429_900_741_136_2
            for _ in 0..<(place & 63) { value *= step }
            return Double(sign: .plus, exponent: Int(place >> 6), significand: value)
        }
    }
}
