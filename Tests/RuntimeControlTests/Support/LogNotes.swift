import Tally

/// Log lines of a test, from any thread.
final class LogNotes: Sendable {
    private let lines = Lock<[LogLine]>([])

    func add(_ line: LogLine) {
        lines.with { $0.append(line) }
    }

    /// Whether a line has this text in it.
    func contains(_ text: String) -> Bool {
        lines.with { $0.contains { $0.message.contains(text) } }
    }
}
