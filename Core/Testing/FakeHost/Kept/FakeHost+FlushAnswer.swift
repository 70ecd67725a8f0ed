extension FakeHost {
    /// A reporter's answer to a flush.
    public struct FlushAnswer: Sendable, Equatable {
        /// The flush that it answers.
        public let token: UInt64
        /// Outputs that arrived.
        public let delivered: UInt64
        /// Outputs that are kept safely.
        public let kept: UInt64
        /// Outputs that are lost.
        public let dropped: UInt64

        /// Makes an answer to compare with.
        public init(token: UInt64, delivered: UInt64, kept: UInt64 = 0, dropped: UInt64 = 0) {
            self.token = token
            self.delivered = delivered
            self.kept = kept
            self.dropped = dropped
        }
    }
}
