internal import Coordinator
public import EventModel
public import PluginABI
public import PluginKit
internal import PluginLoading

extension FakeHost {
    /// Begins a session with a snapshot of ``player``.
    ///
    /// Attributes tell a tracker that it joins: `joined`, and what is known of video, break, ad and chapter.
    @discardableResult
    public func beginSession(_ attributes: [(String, PlainValue)] = []) -> tally_status {
        guard let plugin = unsafe plugin, let tracker = unsafe tracker else { return TALLY_ERR_STATE }
        sessionCount += 1
        session = sessionCount
        let block = EventBlock(
            .sessionSnapshot,
            at: time,
            ordinal: eventCount,
            session: session,
            flags: TALLY_EVENT_SYNTHETIC,
            player: player,
            attributes: attributes
        )
        return unsafe tracker.pointee.session_begin(plugin, block.raw)
    }

    /// Sends an event that happens now, with the state that ``player`` holds and attributes in their order.
    @discardableResult
    public func send(_ type: EventType, _ attributes: [(String, PlainValue)] = []) -> tally_status {
        eventCount += 1
        return send(
            EventBlock(type, at: time, ordinal: eventCount, session: session, player: player, attributes: attributes)
        )
    }

    /// Sends an event as it is, unless its type is none that the tracker wants: its time need not be ``time``, nor its
    /// session the one that is open.
    @discardableResult
    public func send(_ event: EventBlock) -> tally_status {
        guard let plugin = unsafe plugin, let tracker = unsafe tracker else { return TALLY_ERR_STATE }
        guard unsafe wantedEvents.contains(event.raw.pointee.type) else { return TALLY_OK }
        return unsafe tracker.pointee.on_event(plugin, event.raw)
    }

    /// Ends the session; its timers are gone then.
    public func endSession(_ reason: SessionEndReason = .unload) {
        guard let plugin = unsafe plugin, let tracker = unsafe tracker else { return }
        unsafe withState { unsafe tracker.pointee.session_end(plugin, reason.rawValue, time, $0) }
        timers.cancelSession()
        session = 0
    }

    /// Lets time pass up to a time of the run, us, and fires the timers that are due on the way, in their order.
    public func advance(to end: Int64) {
        while let due = timers.remove(dueAt: end) {
            time = max(time, due.deadline)
            fire(due.id, at: due.deadline)
        }
        time = max(time, end)
    }

    /// Lets so much time pass, and fires the timers that are due on the way, in their order.
    public func wait(milliseconds: Int64) { advance(to: time + milliseconds * 1000) }

    /// Tells the tracker that a timer fires, whether it is running or not; the time stays what it is.
    public func fire(_ timer: UInt64, at deadline: Int64) {
        guard let plugin = unsafe plugin, let tracker = unsafe tracker else { return }
        unsafe withState { unsafe tracker.pointee.on_timer(plugin, timer, deadline, $0) }
    }

    /// Lends the player's state for one call.
    func withState<Result>(_ body: (UnsafePointer<tally_state>) -> Result) -> Result {
        var state = player.state
        return unsafe body(&state)
    }

    private var tracker: UnsafePointer<tally_tracker>? { unsafe table(TALLY_EXT_TRACKER, tally_tracker.self) }
}
