/// One thing that is measured of each session, said once: its JSON, its columns, the page and the tests come of this.
package struct Metric: Sendable {
    /// What a value is.
    package enum Unit: Sendable {
        /// 0 or 1.
        case truth
        case count
        /// us; told in ms.
        case time
        /// ms, of the content or of the clock.
        case milliseconds
        /// bit/s.
        case bitrate
        /// Two to the power of 30 is 1; told as a number from 0 to 1.
        case ratio

        /// What the page calls it.
        package var name: String {
            switch self {
            case .truth: "true or false"
            case .count: "count"
            case .time, .milliseconds: "ms"
            case .bitrate: "bit/s"
            case .ratio: "0 to 1"
            }
        }
    }

    /// Of which sessions it counts, when many are summed up.
    package enum Population: String, Sendable {
        case sessions
        case attempts
        case plays

        func includes(_ session: SessionMetrics) -> Bool {
            switch self {
            case .sessions: true
            case .attempts: session.isAttempted
            case .plays: session.isStarted
            }
        }
    }

    /// Its name in JSON and in tables.
    package let name: String
    /// What its values are.
    package let unit: Unit
    /// Of which sessions it counts.
    package let population: Population
    /// Whether the values of many sessions are counted in buckets, besides their sum.
    package let isDistribution: Bool
    /// What it means, in a sentence or two.
    package let meaning: String
    /// Whose meaning that is.
    package let source: String
    /// Its value, in the whole numbers of its unit; nil when a session has none.
    package let value: @Sendable (SessionMetrics) -> Int64?

    init(
        _ name: String,
        _ unit: Unit,
        of population: Population = .sessions,
        distribution: Bool = false,
        _ meaning: String,
        from source: String,
        value: @escaping @Sendable (SessionMetrics) -> Int64?
    ) {
        self.name = name
        self.unit = unit
        self.population = population
        isDistribution = distribution
        self.meaning = meaning
        self.source = source
        self.value = value
    }

    /// The value of a session as it is summed up; nil where it does not count.
    package func counted(_ session: SessionMetrics) -> Int64? {
        population.includes(session) ? value(session) : nil
    }

    /// All metrics, in the order in which they are told.
    package static let all = starts + playing + quality + content + advertising + failures

    /// The metric with a name that is known to be one.
    package static func named(_ name: String) -> Metric { all[place(of: name)] }

    /// The place of a metric in ``all``.
    static func place(of name: String) -> Int {
        guard let place = places[name] else { preconditionFailure("there is no metric \(name)") }
        return place
    }

    private static let places = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1.name, $0) })

    /// What is 1 as a ratio.
    package static let one: Int64 = 1 << 30

    static func ratio(_ part: Int64, _ whole: Int64) -> Int64? {
        whole > 0 ? Int64(clamping: Int128(part) * Int128(one) / Int128(whole)) : nil
    }
}
