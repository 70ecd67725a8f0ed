package import TextEncoding

/// Numbers of metrics as JSON has them: whole where they are whole.
extension JSONWriter {
    /// Writes `value / divisor`.
    mutating func quotient(_ value: Int128, _ divisor: Int128) {
        let (small, smallDivisor) = (Int64(truncatingIfNeeded: value), Int64(truncatingIfNeeded: divisor))
        // The same numbers; the steps below are many times as long.
        if Int128(small) == value, Int128(smallDivisor) == divisor, smallDivisor > 0 {
            let (whole, rest) = small.quotientAndRemainder(dividingBy: smallDivisor)
            return rest == 0 ? int(whole) : double(Double(small) / Double(smallDivisor))
        }
        if value % divisor == 0, let whole = Int64(exactly: value / divisor) { return int(whole) }
        double(Double(value) / Double(divisor))
    }

    /// Writes a value of a unit.
    mutating func metric(_ value: Int128, _ unit: Metric.Unit) { quotient(value, Int128(unit.divisor)) }

    /// Writes a value that may be none.
    package mutating func metric(_ value: Int64?, _ unit: Metric.Unit) {
        if let value { metric(Int128(value), unit) } else { null() }
    }

    /// Writes a histogram; `shift` is by how many doublings its values were made whole.
    mutating func histogram(_ histogram: ExponentialHistogram, shift: Int32 = 0) {
        beginObject()
        key("scale")
        int(Int64(ExponentialHistogram.scale))
        key("zeros")
        int(histogram.zeros)
        key("buckets")
        beginArray()
        for bucket in histogram.buckets {
            beginArray()
            int(Int64(bucket.index - shift << Int32(ExponentialHistogram.scale)))
            int(bucket.count)
            endArray()
        }
        endArray()
        endObject()
    }
}

extension Metric.Unit {
    /// What a value is divided by when it is told.
    package var divisor: Int64 {
        switch self {
        case .time: 1000
        case .ratio: Metric.one
        case .truth, .count, .milliseconds, .bitrate: 1
        }
    }

    /// What a value in the buckets is divided by when it is told.
    var bucketDivisor: Int64 { self == .ratio ? Metric.one : 1 }

    /// By how many doublings a value in the buckets was made whole.
    package var bucketShift: Int32 { self == .ratio ? 30 : 0 }
}
