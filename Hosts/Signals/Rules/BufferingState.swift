package import MediaRules
package import Tally

/// Decides which waits of the engine are waits of the viewer.
///
/// Nobody waits while playback is paused: such a wait is told as a stall, from when playback is wanted again.
package struct BufferingState {
    /// A wait that was told and is over.
    package struct Ended {
        /// What was told.
        package let cause: BufferingCause
        /// How long it took since it was told.
        package let durationNs: Int64
    }

    /// Whether the engine waits, told or not.
    package private(set) var isEngineWaiting = false
    private var told: (cause: BufferingCause, startNs: Int64)?

    /// Nobody waits.
    package init() {}

    /// The engine waits: the cause to be told, if any; none while the main content waits for an ad.
    package mutating func start(
        _ cause: EngineBufferingCause,
        isWanted: Bool,
        isHeld: Bool = false,
        atNs timeNs: Int64
    ) -> BufferingCause? {
        isEngineWaiting = true
        let told: BufferingCause? =
            switch cause {
            case _ where isHeld: nil
            case .initial: .initial
            case .seek: .seek
            case .stall: .stall
            case .paused: isWanted ? .stall : nil
            case .frozen: .frozen
            }
        self.told = told.map { ($0, timeNs) }
        return told
    }

    /// Playback is wanted again: whether the engine's wait is the viewer's from now on, with that cause.
    package mutating func resume(as cause: BufferingCause = .stall, atNs timeNs: Int64) -> Bool {
        guard isEngineWaiting, told == nil else { return false }
        told = (cause, timeNs)
        return true
    }

    /// The engine waits no more: the wait that was told, if it was.
    package mutating func complete(atNs timeNs: Int64) -> Ended? {
        isEngineWaiting = false
        guard let wait = told else { return nil }
        told = nil
        return Ended(cause: wait.cause, durationNs: timeNs - wait.startNs)
    }
}

extension BufferingCause {
    /// Whether a viewer who watches sees a freeze.
    package var isStall: Bool { self == .stall || self == .frozen }
}
