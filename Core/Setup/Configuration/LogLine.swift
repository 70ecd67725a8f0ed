/// A line of the log: for people, and no part of the promise.
public struct LogLine: Sendable {
    /// How grave a line is.
    public enum Level: Int32, Sendable {
        /// For whoever looks for a fault.
        case debug
        /// Worth knowing.
        case info
        /// Something is wrong, and the run goes on.
        case warning
        /// Something is lost or does not work.
        case error
    }

    /// How grave it is.
    public let level: Level
    /// The plugin instance that says it; empty for the core.
    public let instance: String
    /// The text.
    public let message: String

    /// A line of the core, or of an instance.
    package init(level: Level, instance: String, message: String) {
        self.level = level
        self.instance = instance
        self.message = message
    }
}
