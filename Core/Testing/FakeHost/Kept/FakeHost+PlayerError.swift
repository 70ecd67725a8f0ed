extension FakeHost {
    /// An error that a tracker reported to the player's delegate.
    public struct PlayerError: Sendable, Equatable {
        /// The tracker's own code.
        public let code: String
        /// What happened, for people.
        public let message: String
        /// More about it, possibly nothing.
        public let details: String

        /// Makes an error to compare with.
        public init(code: String, message: String, details: String = "") {
            self.code = code
            self.message = message
            self.details = details
        }
    }
}
