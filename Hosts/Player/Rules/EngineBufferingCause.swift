/// Why playback waits for data.
package enum EngineBufferingCause: String, Sendable {
    /// Before the first playback.
    case initial
    /// After a seek or a change of rate.
    case seek
    /// In the middle of playback: the viewer sees a freeze.
    case stall
    /// While the playback is halted by a command.
    case paused
    /// In the middle of playback, and nothing is waited for: the playhead stands still, and the engine says nothing.
    case frozen

    /// Whether a viewer who watches sees a freeze.
    package var isStall: Bool { self == .stall || self == .frozen }
}
