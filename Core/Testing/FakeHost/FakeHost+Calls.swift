internal import Coordinator
internal import EventModel
internal import PluginABI
internal import PluginKit
internal import Setup
internal import System

// What the plugin calls, behind the functions of ``FakeHostTables``.
extension FakeHost {
    /// The table of an extension, nil when this host does not offer it.
    func find(_ id: String) -> UnsafeRawPointer? {
        if withheldExtensions.contains(id) || id == TALLY_EXT_STATUS && status == nil { return nil }
        return unsafe replacedExtensions[id]
            ?? FakeHostTables.table(id, isReporter: isReporter, waitsForRoom: waitsForRoom)
    }

    func log(_ level: Int32, _ message: String) {
        fromAnyThread.with { $0.logLines.append(LogLine(LogLevel(rawValue: level) ?? .error, message)) }
    }

    func emit(record: UnsafePointer<tally_record>, ordinal: UnsafeMutablePointer<UInt64>?) -> tally_status {
        let status = unsafe refusedStatus ?? RecordCheck.status(of: record)
        guard status == TALLY_OK else { return status }
        recordOrdinal += 1
        unsafe ordinal?.pointee = recordOrdinal
        unsafe records.append(Record(RecordView(record), time: time, keeping: keptAttributes))
        recordAddresses.append(UInt(bitPattern: record))
        return TALLY_OK
    }

    func emit(beacon: UnsafePointer<tally_beacon>) -> tally_status {
        let status = unsafe refusedStatus ?? BeaconCheck.status(of: beacon)
        guard status == TALLY_OK else { return status }
        unsafe beacons.append(Beacon(BeaconView(beacon), time: time))
        return TALLY_OK
    }

    func report(_ error: PlayerError) -> tally_status {
        if let refused = refusedStatus { return refused }
        recordOrdinal += 1
        playerErrors.append(error)
        return TALLY_OK
    }

    func startTimer(deadline: Int64, scope: UInt32, id: UnsafeMutablePointer<UInt64>) -> tally_status {
        if let refused = refusedStatus { return refused }
        guard let timerScope = TimerScope(rawValue: scope) else { return TALLY_ERR_INVALID }
        let deadline = max(deadline, time + Limits.timerLeadMicroseconds)
        guard let started = timers.start(deadline: deadline, scope: scope) else { return TALLY_ERR_TOO_LARGE }
        startedTimers.append(Timer(id: started, deadline: deadline, scope: timerScope))
        unsafe id.pointee = started
        return TALLY_OK
    }

    func cancelTimer(_ id: UInt64) {
        cancelledTimers.append(id)
        timers.cancel(id)
    }

    func store(_ key: String, _ value: String) -> tally_status {
        if let refused = refusedStatus { return refused }
        guard storeKeys.contains(key) else { return TALLY_ERR_NOT_FOUND }
        let kept = storedBefore.merging(stored) { $1 }.merging([key: value]) { $1 }
        guard StoredValues.text(kept).utf8.count <= Limits.storedBytes else { return TALLY_ERR_TOO_LARGE }
        stored[key] = value
        return TALLY_OK
    }

    /// Why nothing can be done now, nil when it can.
    private var refusedStatus: tally_status? { isServing ? refusal : TALLY_ERR_STATE }
}
