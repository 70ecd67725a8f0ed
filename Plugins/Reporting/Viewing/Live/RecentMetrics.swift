internal import Metrics

/// The metrics of sessions that ended: of all, or of those whose end was heard of in the last hours, in a set for each
/// stretch of that time.
struct RecentMetrics {
    /// How many stretches there are at most.
    private static let stretches: Int64 = 60
    /// How short one may be, us.
    private static let shortest: Int64 = 1_000_000

    /// A set and where its stretch begins, by the wall clock, us since 1970.
    typealias Stretch = (begin: Int64, set: MetricSet)

    private let keep: Int64?
    private let grouping: [String]
    private var current: MetricSet
    private var currentBegin: Int64 = 0
    private var before: [Stretch] = []
    /// All of ``before`` together; nil when that has to be made anew.
    private var sumBefore: MetricSet?
    private var isChanged = false
    private var unsaved: [Stretch] = []

    /// Keeps sets for so long, us; nil keeps one for ever.
    ///
    /// `grouping` are attributes by which sessions are grouped too.
    init(keep: Int64?, grouping: [String]) {
        self.keep = keep
        self.grouping = grouping
        current = MetricSet(adding: grouping)
    }

    /// By what sessions are grouped.
    var dimensions: [String] { current.dimensions }
    /// The attributes whose values have to be kept with each session.
    var attributes: [String] { current.attributes }

    /// Adds a session.
    mutating func add(_ session: SessionMetrics) {
        current.add(session)
        isChanged = true
    }

    /// Begins the next stretch when it is time, and forgets what ended too long ago.
    mutating func advance(to now: Int64) {
        guard let keep else { return }
        let width = max(keep / Self.stretches, Self.shortest)
        let begin = now / width * width
        guard begin != currentBegin else { return }
        if currentBegin > 0, isChanged || current.total.sessions > 0 {
            before.append((currentBegin, current))
            unsaved.append((currentBegin, current))
            current = MetricSet(adding: grouping)
        }
        currentBegin = begin
        isChanged = false
        // Of a stretch the last session counts: none goes before its time.
        before.removeAll { $0.begin + width <= now - keep || $0.begin > now + keep }
        // Where nothing is stored nobody asks for them.
        unsaved.removeAll { $0.begin + width <= now - keep }
        sumBefore = nil
    }

    /// All that is kept.
    mutating func total() -> MetricSet {
        guard !before.isEmpty else { return current }
        var sum = sumBefore ?? (try? MetricSet(merging: before.map(\.set))) ?? MetricSet(adding: grouping)
        sumBefore = sum
        try? sum.merge(current)
        return sum
    }

    /// The sets that have changed since this was asked last.
    mutating func removeUnsaved() -> [Stretch] {
        defer {
            unsaved = []
            isChanged = false
        }
        return unsaved + (isChanged ? [(currentBegin, current)] : [])
    }

    /// Takes over sets that were stored; one that is grouped by something else is left out.
    mutating func restore(_ stored: [Stretch]) {
        before += stored.filter { $0.set.dimensions == current.dimensions }
        sumBefore = nil
    }
}
