internal import EventModel
internal import Metrics

/// What the metrics of a session that ended are, as points: each truth a count, everything else a histogram.
struct MetricExport {
    /// How long a value of an attribute may be, bytes, and how many different ones a run may have of each.
    ///
    /// Further ones are ``other``: receivers keep a series for each.
    private static let longest = 64
    private static let most = 32
    private static let other = "other"

    /// The attributes of the points, as the sessions have them.
    let dimensions: [String]
    private var seen: [String: Set<String>] = [:]

    init(dimensions: [String]) { self.dimensions = dimensions }

    /// The messages of a session's metrics.
    mutating func messages(of session: SessionMetrics, _ clock: SpanClock) -> [Message] {
        let start = clock.nanoseconds(session.begun)
        let frame = Frame(
            attributes: attributes(of: session),
            start: start,
            // A point lasts longer than no time.
            time: max(clock.nanoseconds(session.ended ?? session.latest), start + 1)
        )
        var messages: [Message] = []
        for metric in Metric.all {
            guard let value = metric.counted(session) else { continue }
            messages.append(MediaMetric(metric).message(value, frame))
        }
        if session.latency.count > 0 { messages.append(MediaMetric.latencies.message(session.latency, frame)) }
        return messages
    }

    private mutating func attributes(of session: SessionMetrics) -> [Message] {
        dimensions.compactMap { dimension in
            guard let value = MetricSet.value(of: dimension, session)?.description else { return nil }
            return Attributes.pair(MediaAttribute.name(ofDimension: dimension), bounded(value, of: dimension))
        }
    }

    private mutating func bounded(_ value: String, of dimension: String) -> String {
        if value.utf8.count > Self.longest { return Self.other }
        if seen[dimension]?.contains(value) == true { return value }
        guard seen[dimension, default: []].count < Self.most else { return Self.other }
        seen[dimension, default: []].insert(value)
        return value
    }
}

/// What all points of a session have.
struct Frame {
    let attributes: [Message]
    let start: UInt64
    let time: UInt64
}

extension MediaMetric {
    /// One value, in the whole numbers of its unit.
    func message(_ value: Int64, _ frame: Frame) -> Message {
        guard !isSum else { return sum(value, frame) }
        var histogram = ExponentialHistogram()
        // Times are in whole ms there, as in all of Tally's histograms.
        histogram.add(isTime ? (value + 500) / 1000 : value)
        return message(histogram, frame, value: Double(value) / divisor)
    }

    /// Values in buckets.
    func message(_ histogram: ExponentialHistogram, _ frame: Frame, value: Double? = nil) -> Message {
        var point = Message(
            (HistogramPointFields.attributes, .list(frame.attributes)),
            (HistogramPointFields.start, .fixed(frame.start)),
            (HistogramPointFields.time, .fixed(frame.time)),
            (HistogramPointFields.count, .fixed(UInt64(histogram.count))),
            value.map { (HistogramPointFields.sum, .number($0)) },
            (HistogramPointFields.scale, .signed(Int32(ExponentialHistogram.scale))),
            (HistogramPointFields.zeros, .fixed(UInt64(histogram.zeros)))
        )
        if let first = histogram.buckets.first, let last = histogram.buckets.last {
            var counts = [UInt64](repeating: 0, count: Int(last.index - first.index) + 1)
            for bucket in histogram.buckets { counts[Int(bucket.index - first.index)] = UInt64(bucket.count) }
            let offset = first.index - shift << Int32(ExponentialHistogram.scale)
            let buckets = Message(
                (HistogramPointFields.offset, .signed(offset)),
                (HistogramPointFields.counts, .counts(counts))
            )
            point.add(HistogramPointFields.positive, .message(buckets))
        }
        if let value {
            point.add(HistogramPointFields.least, .number(value))
            point.add(HistogramPointFields.most, .number(value))
        }
        return described(MetricFields.histogram, point)
    }

    private func sum(_ value: Int64, _ frame: Frame) -> Message {
        let point = Message(
            (NumberPointFields.start, .fixed(frame.start)),
            (NumberPointFields.time, .fixed(frame.time)),
            (NumberPointFields.integer, .signedFixed(value)),
            (NumberPointFields.attributes, .list(frame.attributes))
        )
        return described(MetricFields.sum, point, (MetricFields.isMonotonic, .truth(true)))
    }

    /// A metric with one point, of what came since the point before.
    private func described(_ field: Field, _ point: Message, _ more: (Field, FieldValue)? = nil) -> Message {
        let delta: UInt32 = 1
        let data = Message(
            (MetricFields.points, .list([point])),
            (MetricFields.temporality, .word(delta)),
            more
        )
        return Message(
            (MetricFields.name, .text(name)),
            (MetricFields.description, .text(meaning)),
            (MetricFields.unit, .text(unit)),
            (field, .message(data))
        )
    }
}
