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

    /// Begins a session: before its load event, or in its middle when the attribute `joined` of the snapshot is true.
    func sessionBegin(_ snapshot: EventView) throws(TrackerFault)

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
    public func timerFired(_ timer: TimerID, at deadline: Int64, state: PlayerState) {}

    /// Does nothing.
    public func sessionEnd(_ reason: SessionEndReason, at time: Int64, state: PlayerState) {}
}
