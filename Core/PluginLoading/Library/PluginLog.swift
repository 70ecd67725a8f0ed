/// Takes the log lines of plugins and of the core; called from any thread.
///
/// Log lines are no part of the promise.
package final class PluginLog: Sendable {
    private let sink: @Sendable (_ instance: String, _ level: Int32, _ message: String) -> Void

    /// Hands each line to `sink`.
    package init(_ sink: @escaping @Sendable (_ instance: String, _ level: Int32, _ message: String) -> Void) {
        self.sink = sink
    }

    /// A log that keeps nothing.
    package static let silent = PluginLog { _, _, _ in }

    /// Takes one line; `level` is `TALLY_LOG_...`, the instance is empty for the core.
    package func write(_ instance: String, _ level: Int32, _ message: String) { sink(instance, level, message) }
}
