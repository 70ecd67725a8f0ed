public import EventModel

/// An instant of a player run, and how the player stands then; lent for the length of a call.
public struct Moment {
    /// Time since the run's start, us.
    public let time: Int64
    /// The same on the wall clock, ms since 1970.
    public let epochMilliseconds: Int64
    /// The player.
    public let player: PlayerState

    /// Makes a moment of a run that began at a time of the wall clock, us since 1970.
    @inlinable
    public init(_ time: Int64, epochMicroseconds: Int64, player: PlayerState) {
        self.time = time
        epochMilliseconds = (epochMicroseconds + time) / 1000
        self.player = player
    }

    /// The wall clock, s since 1970.
    public var epochSeconds: Int64 { epochMilliseconds / 1000 }
}

extension RunInformation {
    /// A moment of this run.
    public func moment(_ time: Int64, _ player: PlayerState) -> Moment {
        Moment(time, epochMicroseconds: epochMicroseconds, player: player)
    }

    /// The moment of an event of this run.
    public func moment(of event: EventView) -> Moment {
        moment(event.time, event.state)
    }
}

/// What the viewer decided on being measured.
public enum Consent: String, Sendable {
    /// It was given.
    case given = "in"
    /// It was refused.
    case refused = "out"
    /// The viewer has not decided.
    case pending
}

extension EventView {
    /// The decision that a consent event or the snapshot of a tracker that joins tells a tracker; nil without one.
    ///
    /// A decision that concerns other instances alone is none.
    public func consent(for instance: String) -> Consent? {
        if let scope = attributes[.consentScope]?.string, !(scope == "all" || scope == instance) { return nil }
        return attributes[.consentState]?.string.flatMap { Consent(rawValue: $0.string) }
    }

    /// Whether a snapshot begins a session in its middle.
    public var isJoin: Bool { attributes[.joined]?.bool == true }
}
