internal import PluginABI

/// What a tracker may ask of its host; made by the kit, valid as long as the tracker is.
@safe public final class TrackerHost {
    let port: HostPort
    // Set once in `connect`; a dynamic exclusivity check at each call would cost as much as the call.
    @exclusivity(unchecked) private var emitting = EmitFunctions()
    @exclusivity(unchecked) private var timing = TimerFunctions()
    @exclusivity(unchecked) private var randomness = RandomFunctions()
    private var storage = StoreFunctions()
    private var isConnected = false
    private var refusals = 0

    init(_ port: HostPort) {
        self.port = port
    }

    /// Looks up the extensions; gives the first one that the host does not offer.
    func connect(needsStore: Bool) -> String? {
        guard let emitting = port.table(TALLY_EXT_EMIT, into: EmitFunctions()), unsafe emitting.record != nil else {
            return TALLY_EXT_EMIT
        }
        guard let timing = port.table(TALLY_EXT_TIMER, into: TimerFunctions()), unsafe timing.start != nil else {
            return TALLY_EXT_TIMER
        }
        guard let randomness = port.table(TALLY_EXT_RANDOM, into: RandomFunctions()), unsafe randomness.next != nil
        else {
            return TALLY_EXT_RANDOM
        }
        if let storage = port.table(TALLY_EXT_STORE, into: StoreFunctions()), unsafe storage.put != nil {
            self.storage = storage
        } else if needsStore {
            return TALLY_EXT_STORE
        }
        unsafe self.emitting = emitting
        unsafe self.timing = timing
        unsafe self.randomness = randomness
        isConnected = true
        return nil
    }

    /// Writes a line to the host's log; log lines are no part of what a replay has to repeat.
    public func log(_ level: LogLevel, _ text: String) {
        port.log(level, text)
    }

    // MARK: - Output

    /// Hands over a record, which is copied.
    ///
    /// - Returns: the record's number in this run and instance, from 1; 0 when it was refused, and the log says why.
    @discardableResult
    public func emit(_ record: RecordBuilder) -> UInt64 {
        if let problem = record.problem {
            logRefusal("record \"\(record.view.kind.string)\": \(problem)")
        }
        guard let send = unsafe emitting.record else {
            logRefusal("record \"\(record.view.kind.string)\" refused: nothing can be emitted before configure")
            return 0
        }
        var ordinal: UInt64 = 0
        let status = unsafe send(port.host, record.raw, &ordinal)
        guard status >= TALLY_OK else {
            logRefusal("record \"\(record.view.kind.string)\" refused by the host with status \(status)")
            return 0
        }
        return ordinal
    }

    /// Hands over a beacon, which is copied; false when it was refused, and the log says why.
    @discardableResult
    public func emit(_ beacon: BeaconBuilder) -> Bool {
        guard let send = unsafe emitting.beacon else {
            logRefusal("a beacon was refused: the host takes none")
            return false
        }
        let status = unsafe beacon.withRaw { raw in
            var raw = unsafe raw
            return unsafe send(port.host, &raw)
        }
        guard status >= TALLY_OK else {
            logRefusal("a beacon for \"\(beacon.destinationText)\" refused by the host with status \(status)")
            return false
        }
        return true
    }

    /// Tells the player's delegate of an error of this tracker; it also becomes a record.
    public func reportError(code: String, message: String, details: String = "") {
        guard let send = unsafe emitting.playerError else {
            return logRefusal("error \(code) could not be reported: \(message)")
        }
        let status = unsafe tally_str.lend(code) { code in
            unsafe tally_str.lend(message) { message in
                unsafe tally_str.lend(details) { unsafe send(port.host, code, message, $0) }
            }
        }
        if status < TALLY_OK {
            logRefusal("error \(code) refused by the host with status \(status): \(message)")
        }
    }

    // MARK: - Timers

    /// Starts a timer that fires once at `deadline`, us since the run's start; at least 1 ms ahead.
    ///
    /// - Returns: nil when there are too many timers already, and the log says so.
    @discardableResult
    public func startTimer(at deadline: Int64, scope: TimerScope = .session) -> TimerID? {
        guard let start = unsafe timing.start else {
            logRefusal("no timer can be started before configure")
            return nil
        }
        var id: UInt64 = 0
        let status = unsafe start(port.host, deadline, scope.rawValue, &id)
        guard status >= TALLY_OK else {
            logRefusal("a timer for \(deadline) us refused by the host with status \(status)")
            return nil
        }
        return TimerID(rawValue: id)
    }

    /// Cancels a timer; one that has fired or was cancelled already is left alone.
    public func cancel(_ timer: TimerID) {
        unsafe timing.cancel?(port.host, timer.rawValue)
    }

    // MARK: - Random numbers and persistent values

    /// The next number of the session's own random sequence, the same live and in replay.
    public func random() -> UInt64 {
        guard let next = unsafe randomness.next else {
            logRefusal("there are no random numbers before configure")
            return 0
        }
        return unsafe next(port.host)
    }

    /// Keeps a value for the next run; false when the descriptor does not list the key.
    @discardableResult
    public func store(_ key: String, _ value: String) -> Bool {
        guard let put = unsafe storage.put else {
            logRefusal("\"\(key)\" cannot be stored: list it in the descriptor's storeKeys")
            return false
        }
        let status = unsafe tally_str.lend(key) { key in
            unsafe tally_str.lend(value) { unsafe put(port.host, key, $0) }
        }
        if status < TALLY_OK {
            logRefusal("\"\(key)\" cannot be stored: status \(status); is it in the descriptor's storeKeys?")
        }
        return status >= TALLY_OK
    }

    /// Logs a refusal, the first ones only: a tracker that is wrong in each event would flood the log.
    private func logRefusal(_ text: String) {
        guard refusals < Self.loggedRefusals else { return }
        refusals += 1
        port.log(.warning, refusals == Self.loggedRefusals ? text + "; further refusals are not logged" : text)
    }

    private static let loggedRefusals = 20
}
