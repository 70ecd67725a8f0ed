package import TextEncoding

/// A set as JSON, for people and pages: headline figures, sums and buckets of all sessions and of each group.
extension MetricSet {
    /// How many groups of a dimension are told unless something else is asked for.
    package static let groupsTold = 1_000

    /// Writes the set as an object; of each dimension the `limit` groups with the most sessions, by value.
    package func write(to writer: inout JSONWriter, limit: Int = groupsTold) {
        writer.beginObject()
        writer.key("tally_metrics")
        writer.int(1)
        writer.key("metrics")
        writer.beginObject()
        for metric in Metric.all {
            writer.key(metric.name)
            writer.beginObject()
            writer.key("unit")
            writer.string(metric.unit.name)
            writer.key("of")
            writer.string(metric.population.rawValue)
            writer.key("meaning")
            writer.string(metric.meaning)
            writer.endObject()
        }
        writer.endObject()
        writer.key("headlines")
        writer.beginObject()
        for headline in Headline.all {
            writer.key(headline.name)
            writer.string(headline.meaning)
        }
        writer.endObject()
        writer.key("total")
        writer.beginObject()
        total.writeMembers(to: &writer)
        writer.endObject()
        writer.key("groups")
        writer.beginObject()
        for (place, dimension) in dimensions.enumerated() {
            writer.key(dimension)
            writer.beginObject()
            let told = told(place, limit: limit)
            writer.key("distinct")
            writer.int(Int64(groups[place].count))
            writer.key("too_fine")
            writer.bool(isTooFine[place])
            writer.key("left_out")
            writer.int(Int64(groups[place].count - told.count))
            writer.key("groups")
            writer.beginArray()
            for (value, group) in told {
                writer.beginObject()
                writer.key("value")
                writer.string(value.description)
                group.writeMembers(to: &writer)
                writer.endObject()
            }
            writer.endArray()
            writer.endObject()
        }
        writer.endObject()
        writer.endObject()
    }

    /// Whether no session has a value of this attribute, by which sessions are grouped.
    package func hasNone(of dimension: String) -> Bool {
        guard let place = dimensions.firstIndex(of: dimension) else { return true }
        return groups[place].isEmpty
    }

    /// The groups of a dimension that are told, by value: those with the most sessions.
    ///
    /// Of a dimension that keeps few groups all are: a curve over time has no holes.
    func told(_ place: Int, limit: Int) -> [(value: ExactText, group: MetricGroup)] {
        let limit = Self.mostGroups[dimensions[place]].map { limit == Self.groupsTold ? $0 : limit } ?? limit
        let size = { (group: MetricGroup) in group.sessions + group.openSessions }
        return groups[place].sorted { (size($1.value), $0.key) < (size($0.value), $1.key) }.prefix(limit)
            .sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

extension MetricGroup {
    func writeMembers(to writer: inout JSONWriter) {
        writer.key("headline")
        writer.beginObject()
        for headline in Headline.all {
            writer.key(headline.name)
            writer.figure(headline.value(of: self))
        }
        writer.endObject()
        writer.key("metrics")
        writer.beginObject()
        for (metric, sum) in zip(Metric.all, sums) {
            writer.key(metric.name)
            write(sum, metric, to: &writer)
        }
        writer.endObject()
        writer.key("end_reasons")
        writer.counts(endReasons)
        writer.key("errors_by_code")
        writer.counts(errorCodes)
        writer.key("quartiles")
        writer.beginArray()
        for count in quartiles { writer.int(count) }
        writer.endArray()
        writer.key("renditions_time")
        writer.renditions(renditionTimes)
        writer.key("latency")
        writer.histogram(latency)
        if !minutes.isEmpty { writeMinutes(to: &writer) }
        writer.key("viewers")
        writer.beginObject()
        writer.key("distinct")
        writer.int(viewers.distinct)
        writer.key("exact")
        writer.bool(viewers.isExact)
        writer.endObject()
        writer.key("samples")
        write(samples, to: &writer)
        writer.key("failed_samples")
        write(failedSamples, to: &writer)
    }

    private func write(_ sum: Sum, _ metric: Metric, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("count")
        writer.int(sum.count)
        writer.key("sum")
        writer.metric(sum.sum, metric.unit)
        if sum.count > 0 {
            writer.key("mean")
            writer.quotient(sum.sum, Int128(sum.count) * Int128(metric.unit.divisor))
            writer.key("min")
            writer.metric(sum.least, metric.unit)
            writer.key("max")
            writer.metric(sum.most, metric.unit)
            if metric.isDistribution {
                for (name, hundredths) in [("p50", 50), ("p95", 95)] as [(String, Int64)] {
                    writer.key(name)
                    writer.figure(Headline.nearestRank(sum, hundredths, metric.unit))
                }
                writer.key("histogram")
                writer.histogram(sum.histogram, shift: metric.unit.bucketShift)
            }
        }
        writer.endObject()
    }

    private func writeMinutes(to writer: inout JSONWriter) {
        writer.key("minutes")
        writer.beginArray()
        for (minute, counts) in minutes.sorted(by: { $0.key < $1.key }) {
            writer.beginArray()
            for number in [minute, counts.watched, counts.replayed, counts.skipped, counts.left] { writer.int(number) }
            writer.endArray()
        }
        writer.endArray()
    }

    private func write(_ samples: SmallestHashes<Sample>, to writer: inout JSONWriter) {
        writer.beginArray()
        for (_, sample) in samples.kept.sorted(by: { $0.label < $1.label }) {
            writer.beginObject()
            writer.key("run")
            writer.string(sample.run.description)
            writer.key("session")
            writer.int(sample.session)
            writer.endObject()
        }
        writer.endArray()
    }
}

extension JSONWriter {
    /// Writes a figure that may be none.
    mutating func figure(_ figure: Headline.Figure?) {
        if let figure { quotient(figure.value, figure.divisor) } else { null() }
    }
}
