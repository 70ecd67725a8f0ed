public import PluginKit

extension FakeHost {
    /// A line that a plugin logged.
    public struct LogLine: Sendable, Equatable {
        /// How much it matters; what is no level of the ABI counts as an error.
        public let level: LogLevel
        /// The text.
        public let message: String

        /// Makes a line to compare with.
        public init(_ level: LogLevel, _ message: String) {
            self.level = level
            self.message = message
        }
    }
}
