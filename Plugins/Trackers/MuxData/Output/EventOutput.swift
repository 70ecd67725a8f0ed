internal import PluginKit

/// Puts events out: each as a record, and all but time updates also in beacons, which two timers pace.
struct EventOutput: ~Copyable {
    /// Time between two beacons, us.
    private static let flushInterval: Int64 = 10_000_000
    /// A heartbeat comes so long after the last event, us.
    private static let heartbeatInterval: Int64 = 10_000_000

    private let host: TrackerHost
    var records: RecordWriter
    private var queue: BeaconQueue
    private var startedAt: Int64
    private var viewSequence: Int64 = 0
    private var playerSequence: Int64 = 0
    private var lastSent: Int64 = 0
    private var heartbeatTimer: TimerID?
    private var flushTimer: TimerID?
    private var isRateExceeded = false

    /// Beacons come at multiples of an interval from a time on.
    init(_ configuration: MuxConfiguration, player: String, host: TrackerHost, at time: Int64) {
        self.host = host
        records = RecordWriter(host, player: player)
        queue = BeaconQueue(configuration, host: host)
        startedAt = time
    }

    /// Numbers events from 1 again.
    mutating func beginView() { viewSequence = 0 }

    /// Adds what every event of a beacon has: its name and its numbers.
    mutating func number(_ event: MuxEvent, _ fields: inout FieldValues) {
        viewSequence += 1
        playerSequence += 1
        fields.set(.event, event.rawValue)
        fields.set(.viewSequenceNumber, viewSequence)
        fields.set(.playerSequenceNumber, playerSequence)
    }

    /// Writes an event's record and puts the event among those that wait for a beacon; an urgent one sends them.
    ///
    /// The event happened at `viewerTime`, ms since 1970, and is handled at `time`, us. Answers false when no further
    /// event can wait, which is an event of its own.
    mutating func send(
        _ event: MuxEvent,
        _ fields: inout FieldValues,
        at time: Int64,
        viewerTime: Int64,
        isUrgent: Bool
    ) -> Bool {
        let record = records.write(event, fields)
        guard !isRateExceeded else { return true }
        queue.append(event, &fields, record: record, at: viewerTime)
        if !event.isRequest {
            lastSent = time
            if fields[.playerIsPaused] != .flag(true) { startHeartbeat(at: time + Self.heartbeatInterval) }
        }
        if isUrgent { queue.flush(&fields) } else { startFlush(after: time) }
        guard event != .eventrateexceeded else {
            isRateExceeded = true
            return true
        }
        return !queue.isFull
    }

    /// Leaves out a time, us, in which nothing could be sent: heartbeats wait for as much longer.
    mutating func skip(_ microseconds: Int64) { lastSent += microseconds }

    /// Sends what waits and stops the timers: the player is gone.
    mutating func close(_ fields: inout FieldValues) {
        queue.flush(&fields)
        if let heartbeatTimer { host.cancel(heartbeatTimer) }
        if let flushTimer { host.cancel(flushTimer) }
    }

    // MARK: - Timers

    /// Handles a timer of the host; true when it is the one for heartbeats.
    mutating func timerFired(_ timer: TimerID, _ fields: inout FieldValues) -> Bool {
        if timer == flushTimer {
            flushTimer = nil
            queue.flush(&fields)
        } else if timer == heartbeatTimer {
            heartbeatTimer = nil
            return true
        }
        return false
    }

    /// Whether nothing was sent for so long that a heartbeat is due; otherwise its timer is started again.
    mutating func isHeartbeatDue(at time: Int64) -> Bool {
        let due = lastSent + Self.heartbeatInterval
        if due > time { startHeartbeat(at: due) }
        return due <= time
    }

    private mutating func startHeartbeat(at deadline: Int64) {
        guard heartbeatTimer == nil else { return }
        heartbeatTimer = host.startTimer(at: deadline, scope: .instance)
    }

    private mutating func startFlush(after time: Int64) {
        guard flushTimer == nil else { return }
        let passed = (time - startedAt) / Self.flushInterval
        flushTimer = host.startTimer(at: startedAt + (passed + 1) * Self.flushInterval, scope: .instance)
    }
}
