internal import TextEncoding

/// Sets as bytes: the same sessions give the same bytes, in whatever order and in however many parts they came.
extension MetricSet {
    private static let mark = Array("tallymetrics".utf8)
    private static let version: UInt128 = 1
    private static let digestLength = 8

    /// The set as bytes.
    package func encode() -> [UInt8] {
        let writer = MetricWriter()
        writer.buffer.append(Self.mark)
        writer.unsigned(Self.version)
        writer.unsigned(UInt128(Self.definitions))
        writer.list(dimensions) { writer.text($0) }
        total.encode(to: writer)
        for place in groups.indices {
            writer.signed(Int64(isTooFine[place] ? 1 : 0))
            writer.sorted(groups[place]) { value, group in
                writer.text(value)
                group.encode(to: writer)
            }
        }
        let bytes = writer.buffer.bytes
        return bytes + Self.digest(bytes[...])
    }

    /// Reads the bytes of a set.
    ///
    /// - Throws: when they are anything else.
    package init(decoding bytes: [UInt8]) throws(MetricSetError) {
        guard bytes.starts(with: Self.mark) else { throw .foreign }
        var reader = MetricReader(bytes.dropFirst(Self.mark.count))
        let version = try reader.unsigned()
        guard version <= Self.version else { throw .newer(Int64(clamping: version)) }
        let content = bytes.dropLast(Self.digestLength)
        guard Self.digest(content) == Array(bytes.suffix(Self.digestLength)) else { throw .damaged }
        reader = MetricReader(content.dropFirst(Self.mark.count))
        _ = try reader.unsigned()
        guard try reader.unsigned() == UInt128(Self.definitions) else { throw .otherDefinitions }
        self.init(dimensions: try reader.list { (reader) throws(MetricSetError) in try reader.text() })
        total = try MetricGroup(from: &reader)
        for place in groups.indices {
            isTooFine[place] = try reader.int() != 0
            groups[place] = try reader.sorted { (reader) throws(MetricSetError) in
                (ExactText(try reader.text()), try MetricGroup(from: &reader))
            }
        }
        guard reader.isAtEnd else { throw .damaged }
    }

    private static func digest(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var digest = SHA256()
        digest.update(Array(bytes))
        return Array(digest.finalize().prefix(digestLength))
    }

    /// What the metrics are: sets of others cannot be added to them.
    private static let definitions = SmallestHashes<NoLabel>.hash(
        of: (Metric.all.map { "\($0.name) \($0.unit) \($0.population) \($0.isDistribution)" }
            + mostGroups.map { "\($0.key) \($0.value)" }.sorted()).joined(separator: "\n")
    )
}

extension MetricGroup {
    func encode(to writer: MetricWriter) {
        writer.signed(sessions)
        writer.signed(openSessions)
        for sum in sums {
            writer.signed(sum.count)
            guard sum.count != 0 else { continue }
            writer.signed(sum.sum)
            writer.signed(sum.least)
            writer.signed(sum.most)
            sum.histogram.encode(to: writer)
        }
        writer.signed(bits)
        for counts in [endReasons, errorCodes] {
            writer.sorted(counts) { name, count in
                writer.text(name)
                writer.signed(count)
            }
        }
        for count in quartiles { writer.signed(count) }
        writer.sorted(renditionTimes) { rendition, time in
            writer.signed(rendition.bitrate)
            writer.signed(Int64(rendition.height))
            writer.signed(time)
        }
        latency.encode(to: writer)
        writer.sorted(minutes) { minute, counts in
            for number in [minute, counts.watched, counts.replayed, counts.left, counts.skipped] {
                writer.signed(number)
            }
        }
        writer.list(viewers.kept) { writer.unsigned(UInt128($0.hash)) }
        for samples in [samples, failedSamples] {
            writer.list(samples.kept) { kept in
                writer.unsigned(UInt128(kept.hash))
                writer.text(kept.label.run)
                writer.signed(kept.label.session)
            }
        }
    }

    init(from reader: inout MetricReader) throws(MetricSetError) {
        self.init()
        sessions = try reader.int()
        openSessions = try reader.int()
        for place in sums.indices {
            sums[place].count = try reader.int()
            guard sums[place].count != 0 else { continue }
            sums[place].sum = try reader.signed()
            sums[place].least = try reader.int()
            sums[place].most = try reader.int()
            sums[place].histogram = try ExponentialHistogram(from: &reader)
        }
        bits = try reader.signed()
        let counts = { (reader: inout MetricReader) throws(MetricSetError) in
            (ExactText(try reader.text()), try reader.int())
        }
        endReasons = try reader.sorted(counts)
        errorCodes = try reader.sorted(counts)
        for place in quartiles.indices { quartiles[place] = try reader.int() }
        renditionTimes = try reader.sorted { (reader) throws(MetricSetError) in
            let bitrate = try reader.int()
            guard let height = Int32(exactly: try reader.int()) else { throw .damaged }
            return (SessionMetrics.Rendition(bitrate: bitrate, height: height), try reader.int())
        }
        latency = try ExponentialHistogram(from: &reader)
        minutes = try reader.sorted { (reader) throws(MetricSetError) in
            (
                try reader.int(),
                Minute(
                    watched: try reader.int(),
                    replayed: try reader.int(),
                    left: try reader.int(),
                    skipped: try reader.int()
                )
            )
        }
        viewers = try Self.hashes(limit: Self.viewersKept, &reader) { (_) throws(MetricSetError) in NoLabel() }
        let sample = { (reader: inout MetricReader) throws(MetricSetError) in
            Sample(run: ExactText(try reader.text()), session: try reader.int())
        }
        samples = try Self.hashes(limit: Self.samplesKept, &reader, sample)
        failedSamples = try Self.hashes(limit: Self.samplesKept, &reader, sample)
    }

    private static func hashes<Label>(
        limit: Int,
        _ reader: inout MetricReader,
        _ label: (inout MetricReader) throws(MetricSetError) -> Label
    ) throws(MetricSetError) -> SmallestHashes<Label> {
        let kept = try reader.list { (reader) throws(MetricSetError) in
            guard let hash = UInt64(exactly: try reader.unsigned()) else { throw MetricSetError.damaged }
            return (hash: hash, label: try label(&reader))
        }
        guard let hashes = SmallestHashes(limit: limit, kept: kept) else { throw .damaged }
        return hashes
    }
}

extension ExponentialHistogram {
    fileprivate func encode(to writer: MetricWriter) {
        writer.signed(zeros)
        writer.list(buckets) { bucket in
            writer.signed(Int64(bucket.index))
            writer.signed(bucket.count)
        }
    }

    fileprivate init(from reader: inout MetricReader) throws(MetricSetError) {
        let zeros = try reader.int()
        let buckets = try reader.list { (reader) throws(MetricSetError) in
            guard let index = Int32(exactly: try reader.int()) else { throw MetricSetError.damaged }
            return (index: index, count: try reader.int())
        }
        guard let histogram = ExponentialHistogram(zeros: zeros, buckets: buckets) else { throw .damaged }
        self = histogram
    }
}
