internal import HostSupport

/// Standard error with a line at its end that shows how playback goes; other lines push it down.
final class StatusLine: Sendable {
    private final class Box {
        var line = ProgressLine()
    }

    nonisolated(unsafe) private let box = Box()
    private let lock = Guarded(())

    /// Writes text that ends with a line's end above the status.
    func write(_ text: String) {
        lock.with { _ in
            unsafe box.line.clear()
            try? StandardStream.error.write(text)
        }
    }

    /// Shows a status instead of the one before.
    func show(_ text: String) {
        lock.with { _ in
            unsafe box.line.show(text)
        }
    }

    /// Takes the status away.
    func clear() {
        lock.with { _ in
            unsafe box.line.clear()
        }
    }
}
