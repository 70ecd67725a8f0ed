public import PluginKit

extension FakeHost {
    /// A timer that a tracker started.
    public struct Timer: Sendable, Equatable {
        /// Its number, which is never used again.
        public let id: UInt64
        /// When it fires, us since the run's start: as it was asked for, or 1 ms ahead where that was nearer.
        public let deadline: Int64
        /// How long it lives.
        public let scope: TimerScope

        /// Makes a timer to compare with.
        public init(id: UInt64, deadline: Int64, scope: TimerScope = .session) {
            self.id = id
            self.deadline = deadline
            self.scope = scope
        }
    }
}
