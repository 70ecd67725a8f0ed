internal import PluginKit

/// Counts seeks and how long they take, ms; a seek that begins soon after another one is the same seek.
struct SeekMeter {
    /// Two seeks so close to each other are one.
    static let mergedWithin: Int64 = 2000

    /// Seeks that began.
    private(set) var count: Int64 = 0
    /// Time of all seeks.
    private(set) var duration: Int64 = 0
    /// The longest one.
    private var longest: Int64 = 0
    private var startedAt: Int64?
    private var lastStart: Int64 = 0

    /// Whether one is under way.
    var isSeeking: Bool { startedAt != nil }

    /// Makes a seek that begins one with the seek under way; false when it is another one.
    mutating func merge(at time: Int64) -> Bool {
        guard isSeeking, time - lastStart <= Self.mergedWithin else { return false }
        lastStart = time
        return true
    }

    /// Begins a seek.
    mutating func start(at time: Int64) {
        startedAt = time
        lastStart = time
        count += 1
    }

    /// Ends the seek; false when none is under way.
    mutating func end(at time: Int64) -> Bool {
        guard let start = startedAt else { return false }
        startedAt = nil
        let passed = max(0, time - start)
        duration += passed
        longest = max(longest, passed)
        return true
    }

    /// Leaves out a time of the seek that is under way.
    mutating func skip(_ milliseconds: Int64) {
        startedAt = startedAt.map { $0 + milliseconds }
        lastStart += milliseconds
    }

    /// Puts the figures into the fields of the view.
    func write(to fields: inout FieldValues) {
        guard count > 0 else { return }
        fields.set(.viewSeekCount, count)
        fields.set(.viewSeekDuration, duration)
        fields.set(.viewMaxSeekTime, longest)
    }
}
