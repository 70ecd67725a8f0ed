import System

/// What happened in a test, in order; from any thread.
final class Notes<Note: Sendable>: Sendable {
    private let notes = Condition<[Note]>([])

    func add(_ note: Note) {
        notes.change { $0.append(note) }
    }

    var all: [Note] {
        notes.with { $0 }
    }

    /// Waits until there are so many; false when they do not come within a minute.
    func wait(for count: Int) -> Bool {
        let deadline = SystemTime.monotonic() + 300_000_000
        return notes.wait(until: deadline) { $0.count >= count ? true : nil } ?? false
    }
}
