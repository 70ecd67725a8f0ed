/// How much a log line matters.
public enum LogLevel: Int32, Sendable {
    /// For who works on the plugin.
    case debug = 0
    /// Worth knowing.
    case info = 1
    /// Something is not as it should be, and the work goes on.
    case warning = 2
    /// Something failed.
    case error = 3
}
