/// The timers of a tracker that are running, under the numbers that the tracker knows them by.
///
/// After a replacement the host's numbers begin anew; the tracker keeps those that its state has.
struct TrackerTimers {
    /// A timer that is running.
    struct Running: StateValue {
        static var blank: Running { Running(id: .blank, deadline: 0, scope: .session) }

        /// The number that the tracker knows it by.
        var id: TimerID
        /// When it fires, us.
        var deadline: Int64
        var scope: TimerScope
        /// The host's number; 0 before it is started.
        var hostID: UInt64 = 0

        mutating func carry(by transfer: StateTransfer) {
            transfer.carry(&id)
            transfer.carry(&deadline)
            var isOfSession = scope == .session
            transfer.carry(&isOfSession)
            scope = isOfSession ? .session : .instance
        }
    }

    /// What a replacement carries over.
    struct Saved {
        /// The highest number given out.
        var lastID: TimerID
        /// In the order in which they were started.
        var running: [Running]
    }

    /// Time of the call that is being handled, us: a timer fires at least 1 ms after it.
    var now: Int64 = 0

    private var running: [Running] = []
    /// Timers that have to be started once the tracker is enabled.
    private var loaded: [Running] = []
    private var lastID: UInt64 = 0
    /// What is added to the host's numbers, so that none is given out twice.
    private var offset: UInt64 = 0

    /// What is to be carried over.
    var saved: Saved {
        Saved(lastID: TimerID(rawValue: lastID), running: running.sorted { $0.id.rawValue < $1.id.rawValue })
    }

    /// Takes what was carried over.
    mutating func load(_ saved: Saved) {
        loaded = saved.running
        running = []
        offset = saved.lastID.rawValue
        lastID = offset
    }

    /// The timers that were carried over and are to be started now, in order.
    mutating func takeLoaded() -> [Running] {
        defer { loaded = [] }
        return loaded
    }

    /// A timer that was carried over runs again.
    mutating func restarted(_ timer: Running, hostID: UInt64) {
        var timer = timer
        timer.hostID = hostID
        running.append(timer)
    }

    /// A timer was started by the tracker.
    mutating func started(_ hostID: UInt64, deadline: Int64, scope: TimerScope) -> TimerID {
        let id = TimerID(rawValue: offset + hostID)
        lastID = max(lastID, id.rawValue)
        let earliest = now + Limits.timerLeadMicroseconds
        running.append(Running(id: id, deadline: max(deadline, earliest), scope: scope, hostID: hostID))
        return id
    }

    /// The host's number of a timer that is to be cancelled; nil for one that is not running.
    mutating func cancelled(_ id: TimerID) -> UInt64? {
        guard let index = running.firstIndex(where: { $0.id == id }) else { return nil }
        return running.remove(at: index).hostID
    }

    /// The tracker's number of a timer that fires.
    mutating func fired(_ hostID: UInt64) -> TimerID {
        guard let index = running.firstIndex(where: { $0.hostID == hostID }) else {
            return TimerID(rawValue: offset + hostID)
        }
        return running.remove(at: index).id
    }

    /// A session has ended, and its timers with it.
    mutating func endSession() {
        running.removeAll { $0.scope == .session }
    }

    /// The tracker was disabled, and all its timers are gone.
    mutating func removeAll() {
        running = []
        loaded = []
    }
}
