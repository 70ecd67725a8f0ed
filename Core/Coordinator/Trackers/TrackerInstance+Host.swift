internal import EventModel
internal import PluginABI
internal import PluginLoading
internal import TextEncoding

// What the plugin calls; the window has let in nobody but the thread of the open call.
extension TrackerInstance {
    /// What it did, with what was refused without its thread.
    var counted: TrackerStatistics {
        var counted = statistics
        counted.refused += window.foreignCalls
        return counted
    }

    func setErrorText(_ text: String) { errorText = text }

    func removeErrorText() -> String {
        defer { errorText = "" }
        return errorText
    }

    func emit(record: UnsafePointer<tally_record>, ordinal: UnsafeMutablePointer<UInt64>?) -> tally_status {
        do throws(OutputRefusal) {
            guard mayEmit else { throw .notEnabled }
            guard unsafe try RecordCheck.check(record) else {
                let repair = unsafe TextRepair.record(record)
                guard let repaired = unsafe repair.record else { return TALLY_ERR_INTERNAL }
                _ = unsafe try RecordCheck.check(repaired)
                return try withExtendedLifetime(repair) { () throws(OutputRefusal) in
                    unsafe try take(repaired, ordinal, repaired: repair.count)
                }
            }
            return unsafe try take(record, ordinal)
        } catch {
            let kind = error.rule == .state ? nil : unsafe RecordCheck.kind(of: record)
            return refuse(.record, kind, error)
        }
    }

    /// Numbers a record that has passed its check and hands it on.
    @inline(__always)
    private func take(
        _ record: UnsafePointer<tally_record>,
        _ ordinal: UnsafeMutablePointer<UInt64>?,
        repaired: UInt64 = 0
    ) throws(OutputRefusal) -> tally_status {
        unsafe try spent.add(Int(record.pointee.size))
        if repaired > 0 { count(repaired: repaired, unsafe "record \"\(RecordView(record).kind.string)\"") }
        recordOrdinal += 1
        statistics.records += 1
        unsafe ordinal?.pointee = recordOrdinal
        unsafe said.add(record: RecordView(record).kind)
        unsafe send(TALLY_OUTPUT_RECORD, ordinal: recordOrdinal, item: UnsafeRawPointer(record))
        return TALLY_OK
    }

    func emit(beacon: UnsafePointer<tally_beacon>) -> tally_status {
        do throws(OutputRefusal) {
            guard mayEmit else { throw .notEnabled }
            let finding = unsafe try BeaconCheck.check(beacon)
            guard !finding.isUTF8 else { return unsafe try take(beacon, finding.bytes) }
            var made = unsafe TextRepair.beacon(beacon.pointee)
            let (repair, size) = unsafe (made.repair, try BeaconCheck.check(&made.beacon).bytes)
            count(repaired: repair.count, unsafe "beacon to \"\(made.beacon.destination.text)\"")
            return try withExtendedLifetime(repair) { () throws(OutputRefusal) in
                unsafe try take(&made.beacon, size)
            }
        } catch {
            let destination = error.rule == .state ? nil : unsafe beacon.pointee.destination.text
            return refuse(.beacon, destination, error)
        }
    }

    private func take(_ beacon: UnsafePointer<tally_beacon>, _ bytes: Int) throws(OutputRefusal) -> tally_status {
        try spent.add(bytes)
        beaconOrdinal += 1
        statistics.beacons += 1
        unsafe said.add(beacon: beacon.pointee.destination)
        unsafe send(TALLY_OUTPUT_BEACON, ordinal: beaconOrdinal, item: UnsafeRawPointer(beacon))
        return TALLY_OK
    }

    /// Makes the record of the kind `tracker_error` and tells the player's delegate.
    ///
    /// With `byCore` it is the core's own word, and no limit holds for it.
    func report(code: String, message: String, details: String, byCore: Bool = false) -> tally_status {
        let record = RecordBuilder()
        record.begin("tracker_error")
        record.set("code", Self.cut(code))
        record.set("message", Self.cut(message))
        record.set("details", Self.cut(details))
        do throws(OutputRefusal) {
            guard mayEmit else { throw .notEnabled }
            if !byCore { unsafe try spent.add(Int(record.raw.pointee.size)) }
        } catch {
            return refuse(.playerError, code, error)
        }
        recordOrdinal += 1
        statistics.records += 1
        said.add(record: UTF8Text("tracker_error"))
        unsafe send(TALLY_OUTPUT_RECORD, ordinal: recordOrdinal, item: UnsafeRawPointer(record.raw))
        if onFault?(Fault(instance: name, code: code, message: message, details: details)) == true { reportTime = now }
        return TALLY_OK
    }

    func startTimer(deadline: Int64, scope: UInt32, id: UnsafeMutablePointer<UInt64>) -> tally_status {
        guard mayEmit else { return refuse(.timer, nil, .notEnabled) }
        guard scope == TALLY_TIMER_SESSION || scope == TALLY_TIMER_INSTANCE else {
            return refuse(.timer, nil, .invalid(.timerScope, "has the scope \(scope), which there is not"))
        }
        let earliest = now + Limits.timerLeadMicroseconds
        guard let started = timers.start(deadline: max(deadline, earliest), scope: scope) else {
            let running = timers.count + 1
            return refuse(
                .timer,
                nil,
                .tooLarge(.timerCount, "would be one of", running, "that run", limit: Limits.timers)
            )
        }
        unsafe id.pointee = started
        return TALLY_OK
    }

    func cancelTimer(_ id: UInt64) {
        timers.cancel(id)
    }

    func nextRandom() -> UInt64 {
        random.next()
    }

    func store(key: String, value: String) -> tally_status {
        guard mayEmit else { return refuse(.store, key, .notEnabled) }
        guard description.storeKeys.contains(key) else {
            let text = "has a key that the plugin's descriptor does not list"
            return refuse(.store, key, OutputRefusal(rule: .storeKey, status: TALLY_ERR_NOT_FOUND, description: text))
        }
        var kept = stored
        kept[key] = value
        let bytes = StoredValues.text(kept).utf8.count
        guard bytes <= Limits.storedBytes else {
            let found = "would make what the tracker keeps"
            return refuse(.store, key, .tooLarge(.size, found, bytes, "bytes of JSON", limit: Limits.storedBytes))
        }
        stored = kept
        onStore?(key, value)
        return TALLY_OK
    }

    // MARK: - What is wrong with it

    /// Counts a call that is refused, and logs it when it is the first of its kind; what the plugin is told.
    @inline(never)
    private func refuse(_ call: OutputRefusal.Call, _ subject: String?, _ refusal: OutputRefusal) -> tally_status {
        statistics.refused += 1
        if refusals.isFirst(call, refusal) {
            let what = subject.map { "\(call.rawValue) \"\($0)\"" } ?? call.rawValue
            log.write(
                name,
                TALLY_LOG_WARN,
                "refused with \(refusal.status): a \(what) \(refusal.description). Further ones of the kind are counted"
            )
        }
        return refusal.status
    }

    /// A copy of a text that is lent, in good order.
    func text(_ text: tally_str) -> String {
        guard let start = unsafe text.ptr, unsafe text.len > 0 else { return "" }
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: text.len)
        if let repaired = unsafe repairedUTF8(bytes) {
            count(repaired: 1, "text")
            return repaired
        }
        return unsafe String(decoding: bytes, as: UTF8.self)
    }

    /// Counts texts that were repaired, and logs the first.
    @inline(never)
    private func count(repaired: UInt64, _ what: @autoclosure () -> String) {
        statistics.repairedTexts += repaired
        guard statistics.repairedTexts == repaired else { return }
        log.write(
            name,
            TALLY_LOG_WARN,
            "a \(what()) is not UTF-8: what is wrong in it is U+FFFD now. Further ones are counted"
        )
    }

    /// A text that a record can have.
    private static func cut(_ text: String) -> String {
        guard text.utf8.count > Limits.valueBytes else { return text }
        return String(decoding: text.utf8.prefix(Limits.valueBytes - 3), as: UTF8.self)
    }
}
