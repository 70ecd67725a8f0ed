/// What is played one after another.
struct Playlist: Sendable {
    private let items: [String]
    private var waiting: [String]
    /// How often all of it is still to be played again; nil for without end.
    private var repetitions: Int?
    private let endsWithError: Bool
    private var isOver = false

    /// Takes the items and how often they are played, nil for without end.
    init(_ items: [String], times: Int?, endsWithError: Bool) {
        self.items = items
        waiting = items
        repetitions = times.map { $0 - 1 }
        self.endsWithError = endsWithError
    }

    var hasNext: Bool { !isOver && (!waiting.isEmpty || repetitions != 0) }

    mutating func next(afterError: Bool) -> String? {
        guard hasNext, !(afterError && endsWithError) else { return nil }
        if waiting.isEmpty {
            repetitions = repetitions.map { $0 - 1 }
            waiting = items
        }
        return waiting.removeFirst()
    }

    mutating func insert(_ item: String) { waiting.insert(item, at: 0) }
    mutating func end() { isOver = true }
}
