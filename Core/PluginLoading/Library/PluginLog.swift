internal import PluginABI
internal import System

/// Takes the log lines of plugins and of the core; called from any thread.
///
/// Log lines are no part of the promise.
package final class PluginLog: Sendable {
    /// How many lines of one kind are no debug lines.
    private static let limit = 3

    private let sink: @Sendable (_ instance: String, _ level: Int32, _ message: String) -> Void
    private let counts = Lock<[String: Int]>([:])

    /// Hands each line to `sink`.
    package init(_ sink: @escaping @Sendable (_ instance: String, _ level: Int32, _ message: String) -> Void) {
        self.sink = sink
    }

    /// A log that keeps nothing.
    package static let silent = PluginLog { _, _, _ in }

    /// Takes one line; `level` is `TALLY_LOG_...`, the instance is empty for the core.
    package func write(_ instance: String, _ level: Int32, _ message: String) { sink(instance, level, message) }

    /// Logs a line of the core that may come for each of many runs.
    ///
    /// From the fourth of its kind on they are debug lines.
    package func write(repeating kind: String, _ level: Int32, _ message: String) {
        let count = counts.with { counts in
            counts[kind, default: 0] += 1
            return counts[kind] ?? 0
        }
        let note = count == Self.limit ? " (more of these are debug messages)" : ""
        write("", count > Self.limit ? TALLY_LOG_DEBUG : level, message + note)
    }
}
