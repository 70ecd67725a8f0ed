internal import TextEncoding

/// The metrics of many sessions, all together and by groups; sets of parts that are merged are the set of the whole.
package struct MetricSet: Sendable {
    /// By what sessions are grouped unless something else is asked for: texts that are said of the video, the rendition
    /// that was played longest, and the day, the hour and the minute of the load, UTC.
    package static let defaultDimensions = [
        videoID, "stream_type", "video_cdn", "country", "application_version", rendition, loadedDay, loadedHour,
        loadedMinute,
    ]
    static let videoID = "video_id"
    static let rendition = "rendition"
    static let loadedDay = "loaded_day"
    static let loadedHour = "loaded_hour"
    static let loadedMinute = "loaded_minute"
    /// How many groups a dimension may have that a coarser one has too.
    ///
    /// Whether there are more follows from the sessions alone, and not from the parts in which they came.
    static let mostGroups = [loadedHour: 1_000, loadedMinute: 1_440]

    /// By what sessions are grouped, in order.
    package let dimensions: [String]
    /// All sessions.
    package internal(set) var total = MetricGroup()
    /// The groups of each dimension, by value; sessions without a value are in none.
    package internal(set) var groups: [[ExactText: MetricGroup]]
    /// Which dimensions have more groups than they may: none of them is kept.
    package internal(set) var isTooFine: [Bool]
    /// How many groups each may have.
    private let mostGroups: [Int]

    /// A set of no sessions, with groups by the default dimensions and the attributes in `adding`.
    package init(adding: [String] = []) {
        var dimensions = Self.defaultDimensions
        for name in adding where !dimensions.contains(name) { dimensions.append(name) }
        self.init(dimensions: dimensions)
    }

    /// The sum of sets; without any, a set of no sessions.
    ///
    /// - Throws: when they are grouped by different things.
    package init(merging sets: [MetricSet]) throws(MetricSetError) {
        self = sets.first ?? MetricSet()
        for set in sets.dropFirst() { try merge(set) }
    }

    init(dimensions: [String]) {
        self.dimensions = dimensions
        groups = dimensions.map { _ in [:] }
        isTooFine = dimensions.map { _ in false }
        mostGroups = dimensions.map { Self.mostGroups[$0] ?? .max }
    }

    /// The attributes whose values have to be kept with each session.
    package var attributes: [String] {
        dimensions.filter { ![Self.rendition, Self.loadedDay, Self.loadedHour, Self.loadedMinute].contains($0) }
    }

    /// Adds a session; one without an end is counted as such, and nowhere else.
    package mutating func add(_ session: SessionMetrics) {
        total.add(session, withMinutes: false)
        for (place, dimension) in dimensions.enumerated() where !isTooFine[place] {
            guard let value = Self.value(of: dimension, session) else { continue }
            groups[place][value, default: MetricGroup()].add(session, withMinutes: dimension == Self.videoID)
            if groups[place].count > mostGroups[place] { leaveOut(place) }
        }
    }

    /// Keeps no group of a dimension any more.
    private mutating func leaveOut(_ place: Int) {
        isTooFine[place] = true
        groups[place] = [:]
    }

    /// Counts sessions that go on, of all together.
    package mutating func addOpenSessions(_ count: Int) { total.openSessions += Int64(count) }

    /// Adds all sessions of another set.
    ///
    /// - Throws: when it is grouped by something else.
    package mutating func merge(_ other: MetricSet) throws(MetricSetError) {
        guard other.dimensions == dimensions else {
            throw .otherDimensions(other.dimensions, expected: dimensions)
        }
        total.add(other.total)
        for place in groups.indices {
            if other.isTooFine[place] { leaveOut(place) }
            guard !isTooFine[place] else { continue }
            for (value, group) in other.groups[place] { groups[place][value, default: MetricGroup()].add(group) }
            if groups[place].count > mostGroups[place] { leaveOut(place) }
        }
    }

    /// The value of a dimension; nil when a session has none.
    package static func value(of dimension: String, _ session: SessionMetrics) -> ExactText? {
        switch dimension {
        case rendition: return session.mainRendition.map { ExactText($0.name) }
        // Of 2023-11-14T22:13:20Z the beginning.
        case loadedDay: return loaded(session, 10, "")
        case loadedHour: return loaded(session, 14, "00Z")
        case loadedMinute: return loaded(session, 16, "Z")
        default: return session.attributes[dimension]
        }
    }

    /// The day, hour or minute of the load, such as `2023-11-14T22:00Z`: so many characters, and what ends them.
    private static func loaded(_ session: SessionMetrics, _ count: Int, _ end: String) -> ExactText {
        let buffer = ByteBuffer(capacity: 32)
        CivilDate(microsecondsSinceEpoch: session.loadedAt).appendISO8601(to: buffer, fractionDigits: 0)
        return ExactText(buffer.string.prefix(count) + end)
    }
}

/// Why a set of metrics cannot be used.
package enum MetricSetError: Error, Equatable, CustomStringConvertible {
    /// The bytes are no set of metrics.
    case foreign
    /// They end too early, are damaged, or go on behind the end.
    case damaged
    /// A later version made it.
    case newer(Int64)
    /// It has other metrics or was counted by other definitions.
    case otherDefinitions
    /// It is grouped by something else.
    case otherDimensions([String], expected: [String])

    /// What, and what to do.
    package var description: String {
        switch self {
        case .foreign: "this is no set of metrics; name files that --shard-out wrote"
        case .damaged: "this set of metrics is damaged or cut off; make it again"
        case .newer(let version): "this set of metrics has the version \(version): use a later Tally"
        case .otherDefinitions: "this set of metrics was made by other definitions; make it again with this Tally"
        case .otherDimensions(let found, let expected):
            "this set of metrics is grouped by \(found.joined(separator: ", ")), and others by "
                + "\(expected.joined(separator: ", ")); make all with the same --by"
        }
    }
}
