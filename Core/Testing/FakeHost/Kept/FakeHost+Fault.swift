public import PluginABI

extension FakeHost {
    /// An error that a plugin explained by `set_error`, before the call returned it.
    public struct Fault: Sendable, Equatable {
        /// The status, `TALLY_ERR_...`.
        public let status: tally_status
        /// The reason, for people.
        public let text: String

        /// Makes a fault to compare with.
        public init(_ status: tally_status, _ text: String) {
            self.status = status
            self.text = text
        }
    }
}
