/// A tracker: a function of its own state and the next event or timer.
///
/// The kit makes one instance for each player run and each configured tracker, and calls it in one serial context. A
/// tracker reads no clock, no random source, no file and no environment, and starts no thread; what it needs of these
/// comes from its ``TrackerHost``. Whatever it is lent (events, states, texts) is valid until the call returns.
public protocol Tracker: AnyObject, SendableMetatype {
    /// What the tracker is; the same each time.
    static var descriptor: TrackerDescriptor { get }

    /// Makes an instance; the host must not be called yet.
    init(run: RunInformation, host: TrackerHost)

    /// Takes over the configuration; called once, before everything else. Its form fits the descriptor's schema.
    func configure(_ configuration: JSONValue) throws(ConfigurationError)

    /// Begins to work; from here on the tracker may emit and start timers.
    func enable() throws(TrackerFault)

    /// Stops to work; the last batch belongs into ``sessionEnd(_:at:state:)``, here nothing can be emitted any more.
    func disable()

    /// Begins a session: before its load event, or in its middle.
    func sessionBegin(_ snapshot: EventView) throws(TrackerFault)

    /// Catches up with a session that goes on already; called after ``sessionBegin(_:)``, when the tracker joins.
    func join(_ snapshot: EventView) throws(TrackerFault)

    /// Handles one event; events come in order, legal or not, and one of an unknown type is to be ignored.
    func handle(_ event: EventView) throws(TrackerFault)

    /// Handles a timer that this instance started; `deadline` is what the time is now.
    func timerFired(_ timer: TimerID, at deadline: Int64, state: PlayerState)

    /// Ends the session: the last chance to emit what belongs to it.
    func sessionEnd(_ reason: SessionEndReason, at time: Int64, state: PlayerState)
}

extension Tracker {
    /// Takes every configuration that fits the schema and uses nothing of it.
    public func configure(_ configuration: JSONValue) throws(ConfigurationError) {}

    /// Does nothing.
    public func enable() throws(TrackerFault) {}

    /// Does nothing.
    public func disable() {}

    /// Does nothing.
    public func sessionBegin(_ snapshot: EventView) throws(TrackerFault) {}

    /// Does nothing.
    public func join(_ snapshot: EventView) throws(TrackerFault) {}

    /// Does nothing.
    public func timerFired(_ timer: TimerID, at deadline: Int64, state: PlayerState) {}

    /// Does nothing.
    public func sessionEnd(_ reason: SessionEndReason, at time: Int64, state: PlayerState) {}
}

/// A timer that a tracker started; no two timers of an instance have the same.
public struct TimerID: RawRepresentable, Hashable, Sendable {
    /// The number that the host gave out.
    public let rawValue: UInt64

    /// Takes a number that the host gave out.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

/// How long a timer lives when it is not cancelled and does not fire.
public enum TimerScope: UInt32, Sendable {
    /// Until the session's end.
    case session = 1
    /// Until the tracker is disabled.
    case instance = 2
}

/// Why a session ends for a tracker.
public struct SessionEndReason: RawRepresentable, Hashable, Sendable {
    /// The number as the host gives it.
    public let rawValue: UInt32

    /// Takes a number as the host gives it; one that is not known is to be taken like ``shutdown``.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The video was unloaded.
    public static let unload = SessionEndReason(rawValue: 1)
    /// The tracker is about to be disabled.
    public static let disable = SessionEndReason(rawValue: 2)
    /// The tracker is about to be replaced by a newer file.
    public static let replace = SessionEndReason(rawValue: 3)
    /// The player run ends.
    public static let shutdown = SessionEndReason(rawValue: 4)

    /// Whether the tracker leaves a session that goes on without it.
    public var isLeave: Bool { self == .disable || self == .replace }
}

/// Says that a tracker could not handle what it was handed; the host logs it and disables after many in a row.
public struct TrackerFault: Error, Equatable, CustomStringConvertible {
    /// What went wrong, in one line.
    public let message: String

    /// Makes a fault with one line of text: what, and where.
    public init(_ message: String) {
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
