package import TextEncoding

/// One session as JSON: what it is, each metric under its name, and what is counted by name.
extension SessionMetrics {
    /// Writes the session as an object.
    package func write(to writer: inout JSONWriter, dimensions: [String]) {
        writer.beginObject()
        writer.key("run")
        writer.string(run.description)
        writer.key("session")
        writer.int(Int64(session))
        writer.key("loaded_at")
        writer.string(CivilDate(microsecondsSinceEpoch: loadedAt).iso8601)
        writer.key("is_open")
        writer.bool(isOpen)
        writer.key("end_reason")
        writer.string(endReason.description)
        writer.key("groups")
        writer.beginObject()
        for dimension in dimensions {
            guard let value = MetricSet.value(of: dimension, self) else { continue }
            writer.key(dimension)
            writer.string(value.description)
        }
        writer.endObject()
        for metric in Metric.all {
            writer.key(metric.name)
            writer.metric(metric.value(self), metric.unit)
        }
        writer.key("errors_by_code")
        writer.counts(errorCodes)
        writer.key("renditions_time")
        writer.renditions(renditionTimes)
        writer.key("minutes")
        writer.beginArray()
        for (minute, visits) in minutes.sorted {
            writer.beginArray()
            writer.int(minute)
            writer.int(visits)
            writer.endArray()
        }
        writer.endArray()
        writer.key("latency")
        writer.histogram(latency)
        writer.endObject()
    }
}

extension JSONWriter {
    /// Writes counts by name, in the order of the names.
    mutating func counts(_ counts: [ExactText: Int64]) {
        beginObject()
        for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
            key(name.description)
            int(count)
        }
        endObject()
    }

    /// Writes how long each rendition was played, from the lowest bitrate to the highest.
    mutating func renditions(_ times: [SessionMetrics.Rendition: Int64]) {
        beginArray()
        for (rendition, time) in times.sorted(by: { $0.key < $1.key }) {
            beginObject()
            key("bitrate_bps")
            if rendition.bitrate < 0 { null() } else { int(rendition.bitrate) }
            key("height")
            if rendition.height > 0 { int(Int64(rendition.height)) } else { null() }
            key("play_ms")
            metric(Int128(time), .time)
            endObject()
        }
        endArray()
    }
}
