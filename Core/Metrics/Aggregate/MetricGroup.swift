/// Many sessions together: sums, distributions and counts that do not depend on their order.
package struct MetricGroup: Sendable {
    /// What is kept of one metric.
    struct Sum: Sendable, Equatable {
        /// Sessions that have a value.
        var count: Int64 = 0
        var sum: Int128 = 0
        var least = Int64.max
        var most = Int64.min
        /// The values in buckets, where the metric is a distribution.
        var histogram = ExponentialHistogram()

        mutating func add(_ value: Int64, isDistribution: Bool, unit: Metric.Unit) {
            count += 1
            sum += Int128(value)
            least = min(least, value)
            most = max(most, value)
            // Times are in whole ms there, so that the buckets are those of their unit.
            if isDistribution { histogram.add(unit == .time ? (value + 500) / 1000 : value) }
        }

        mutating func add(_ other: Sum) {
            count &+= other.count
            sum &+= other.sum
            least = min(least, other.least)
            most = max(most, other.most)
            histogram.add(other.histogram)
        }
    }

    /// How often a minute of the content was played, skipped and left.
    struct Minute: Sendable, Equatable {
        /// Sessions that played any part of it.
        var watched: Int64 = 0
        /// Those of them that came to it more than once.
        var replayed: Int64 = 0
        /// Those of them whose last minute it is.
        var left: Int64 = 0
        /// Sessions that played minutes before and behind it, and nothing of it.
        var skipped: Int64 = 0

        mutating func add(_ other: Minute) {
            watched &+= other.watched
            replayed &+= other.replayed
            left &+= other.left
            skipped &+= other.skipped
        }
    }

    /// A session by which a group can be looked into.
    package struct Sample: Sendable, Comparable {
        /// The player run.
        package let run: ExactText
        /// Number in the run.
        package let session: Int64

        /// By run, then by number.
        package static func < (left: Sample, right: Sample) -> Bool {
            (left.run, left.session) < (right.run, right.session)
        }
    }

    static let viewersKept = 1_024
    static let samplesKept = 8

    /// Sessions that ended.
    package internal(set) var sessions: Int64 = 0
    /// Sessions that have not.
    package internal(set) var openSessions: Int64 = 0
    var sums = [Sum](repeating: Sum(), count: Metric.all.count)
    /// Bitrate by the time that it played for, bit/s times us.
    var bits: Int128 = 0
    var endReasons: [ExactText: Int64] = [:]
    var errorCodes: [ExactText: Int64] = [:]
    var quartiles = [Int64](repeating: 0, count: 5)
    var renditionTimes: [SessionMetrics.Rendition: Int64] = [:]
    /// The latencies of all sessions, ms.
    var latency = ExponentialHistogram()
    /// By the content's minute; only where all sessions have one content.
    var minutes: [Int64: Minute] = [:]
    var viewers = SmallestHashes<NoLabel>(limit: viewersKept)
    var samples = SmallestHashes<Sample>(limit: samplesKept)
    /// Samples of the sessions that had a player error.
    var failedSamples = SmallestHashes<Sample>(limit: samplesKept)

    /// No sessions.
    package init() {}

    /// Adds a session; `withMinutes` counts the minutes of its content too.
    mutating func add(_ session: SessionMetrics, withMinutes: Bool) {
        guard !session.isOpen else {
            openSessions += 1
            return
        }
        sessions += 1
        for (place, metric) in Metric.all.enumerated() {
            guard let value = metric.counted(session) else { continue }
            sums[place].add(value, isDistribution: metric.isDistribution, unit: metric.unit)
        }
        bits += session.bits
        endReasons[session.endReason, default: 0] += 1
        for (code, count) in session.errorCodes { errorCodes[code, default: 0] += count }
        if session.isStarted, let quartile = session.quartile { quartiles[Int(quartile)] += 1 }
        for (rendition, time) in session.renditionTimes { renditionTimes[rendition, default: 0] += time }
        latency.add(session.latency)
        if let viewer = session.viewer { viewers.add(viewer, NoLabel()) }
        let sample = Sample(run: session.run, session: Int64(session.session))
        let hash = SmallestHashes<Sample>.hash(of: "\(sample.run)/\(sample.session)")
        samples.add(hash, sample)
        if session.errors > 0 { failedSamples.add(hash, sample) }
        if withMinutes { addMinutes(session.minutes) }
    }

    private mutating func addMinutes(_ played: PlayedMinutes) {
        let sorted = played.sorted
        for (minute, visits) in sorted {
            minutes[minute, default: Minute()].add(
                Minute(watched: 1, replayed: visits > 1 ? 1 : 0, left: minute == sorted.last?.minute ? 1 : 0)
            )
        }
        for (here, next) in zip(sorted, sorted.dropFirst()) where next.minute > here.minute + 1 {
            // No more than a session may have watched.
            for minute in (here.minute + 1..<next.minute).prefix(PlayedMinutes.limit) {
                minutes[minute, default: Minute()].skipped += 1
            }
        }
    }

    /// Adds all sessions of another group.
    mutating func add(_ other: MetricGroup) {
        // What was decoded may say anything, and must not end the program.
        sessions &+= other.sessions
        openSessions &+= other.openSessions
        for place in sums.indices { sums[place].add(other.sums[place]) }
        bits &+= other.bits
        endReasons.merge(other.endReasons, uniquingKeysWith: &+)
        errorCodes.merge(other.errorCodes, uniquingKeysWith: &+)
        for place in quartiles.indices { quartiles[place] &+= other.quartiles[place] }
        renditionTimes.merge(other.renditionTimes, uniquingKeysWith: &+)
        latency.add(other.latency)
        for (minute, counts) in other.minutes { minutes[minute, default: Minute()].add(counts) }
        viewers.add(other.viewers)
        samples.add(other.samples)
        failedSamples.add(other.failedSamples)
    }

    /// What is kept of a metric.
    func sum(_ name: String) -> Sum { sums[Metric.place(of: name)] }
}
