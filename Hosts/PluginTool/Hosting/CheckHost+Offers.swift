internal import Coordinator
internal import EventModel
internal import PluginABI
internal import PluginKit

// What the plugin calls, behind the functions of ``HostFunctionTables``.
extension CheckHost {
    /// How many timers a plugin may start in one course: many times more than any interval needs.
    static let mostTimers = 2_000

    func log(_ message: tally_str) {
        guard call != nil, unsafe isText(message, "a line of the log") else { return }
        unsafe words.append(UTF8Text(message).string)
    }

    func explain(_ code: tally_status, _ text: tally_str) {
        guard call != nil else { return }
        if call == "create" { breaches.append(.inCreate("set_error")) }
        guard unsafe isText(text, "the text of set_error") else { return faults.append("a text that is no UTF-8") }
        unsafe faults.append(UTF8Text(text).string)
        unsafe words.append(UTF8Text(text).string)
    }

    func find(_ id: String) -> UnsafeRawPointer? {
        if call == "create" { breaches.append(.inCreate("get_extension")) }
        return withheld.contains(id) ? nil : unsafe HostFunctionTables.table(id, isReporter: isReporter)
    }

    func emit(record: UnsafePointer<tally_record>, _ number: UnsafeMutablePointer<UInt64>?) -> tally_status {
        guard admit("emit.record") else { return TALLY_ERR_STATE }
        let status = unsafe RecordCheck.status(of: record)
        guard status == TALLY_OK else {
            breaches.append(.badBlock("a record in \(call ?? "") is refused with \(status)"))
            return status
        }
        let view = unsafe RecordView(record)
        if unsafe !Self.isUTF8(view.kind.bytes) { breaches.append(.badText("the kind of a record")) }
        var names: Set<String> = []
        for name in view.attributes.map(\.name.string) where !names.insert(name).inserted {
            breaches.append(.badBlock("a record in \(call ?? "") has the name \"\(name)\" twice"))
        }
        let attributes = view.attributes.map { attribute in
            checkText(of: attribute)
            return "\(attribute.name.string)=\(Self.text(PlainValue(attribute.value)))"
        }
        if let refusal { return refusal }
        recordCount += 1
        unsafe number?.pointee = recordCount
        transcript.append("\(time) record \(view.kind.string) \(attributes.joined(separator: " "))")
        return TALLY_OK
    }

    func emit(beacon: UnsafePointer<tally_beacon>) -> tally_status {
        guard admit("emit.beacon") else { return TALLY_ERR_STATE }
        let status = unsafe BeaconCheck.status(of: beacon)
        guard status == TALLY_OK else {
            breaches.append(.badBlock("a beacon in \(call ?? "") is refused with \(status)"))
            return status
        }
        let view = unsafe BeaconView(beacon)
        for text in [view.destination, view.method, view.url, view.credential] where unsafe !Self.isUTF8(text.bytes) {
            breaches.append(.badText("a beacon"))
        }
        if let refusal { return refusal }
        let headers = (0..<view.headerCount).map { "\(view.header($0).name.string): \(view.header($0).value.string)" }
        transcript.append(
            "\(time) beacon \(view.destination.string) \(view.method.string) \(view.url.string) \(headers) "
                + "\(view.body.string) \(view.credential.string) \(view.records) \(view.options.rawValue)"
        )
        return TALLY_OK
    }

    func report(_ texts: [tally_str]) -> tally_status {
        guard admit("emit.player_error") else { return TALLY_ERR_STATE }
        for index in unsafe texts.indices { _ = unsafe isText(texts[index], "player_error") }
        if let refusal { return refusal }
        recordCount += 1
        unsafe transcript.append("\(time) error \(texts.map { unsafe UTF8Text($0).string })")
        return TALLY_OK
    }

    func start(_ deadline: Int64, _ scope: UInt32, _ id: UnsafeMutablePointer<UInt64>) -> tally_status {
        guard admit("timer.start") else { return TALLY_ERR_STATE }
        startedTimers += 1
        if startedTimers == Self.mostTimers { breaches.append(.timerStorm("\(startedTimers) timers")) }
        if let refusal { return refusal }
        guard scope == TALLY_TIMER_SESSION || scope == TALLY_TIMER_INSTANCE else {
            breaches.append(.badBlock("a timer has the scope \(scope)"))
            return TALLY_ERR_INVALID
        }
        let deadline = max(deadline, time + Limits.timerLeadMicroseconds)
        guard startedTimers < Self.mostTimers, let number = timers.start(deadline: deadline, scope: scope) else {
            return TALLY_ERR_TOO_LARGE
        }
        unsafe id.pointee = number
        return TALLY_OK
    }

    func cancel(_ id: UInt64) {
        if admit("timer.cancel") { timers.cancel(id) }
    }

    func nextRandom() -> UInt64 { admit("random.next_u64") ? random.next() : 0 }

    func store(_ key: tally_str, _ value: tally_str) -> tally_status {
        guard admit("store.put") else { return TALLY_ERR_STATE }
        guard unsafe isText(key, "a key of store.put"), unsafe isText(value, "a value of store.put") else {
            return TALLY_ERR_INVALID
        }
        if let refusal { return refusal }
        let key = unsafe UTF8Text(key).string
        guard storeKeys.contains(key) else {
            breaches.append(.badBlock("store.put has the key \"\(key)\", which store_keys does not name"))
            return TALLY_ERR_NOT_FOUND
        }
        unsafe transcript.append("\(time) store \(key)=\(UTF8Text(value).string)")
        return TALLY_OK
    }

    // MARK: - Texts

    private func isText(_ text: tally_str, _ what: String) -> Bool {
        let isValid = unsafe text.len == 0 || Self.isUTF8(UnsafeRawBufferPointer(start: text.ptr, count: text.len))
        if !isValid { breaches.append(.badText(what)) }
        return isValid
    }

    private func checkText(of attribute: AttributeView) {
        if unsafe !Self.isUTF8(attribute.name.bytes) { breaches.append(.badText("the name of an attribute")) }
        if case .string(let text) = attribute.value, unsafe !Self.isUTF8(text.bytes) {
            breaches.append(.badText("the attribute \"\(attribute.name.string)\""))
        }
    }

    private static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
        unsafe String(validating: bytes, as: UTF8.self) != nil
    }

    private static func text(_ value: PlainValue) -> String {
        switch value {
        case .null: "null"
        case .bool(let truth): "\(truth)"
        case .int(let number): "\(number)"
        case .double(let number): "\(number)"
        case .string(let text): text
        case .list(let elements): "[\(elements.map(text).joined(separator: ","))]"
        case .bytes(let bytes): "\(bytes)"
        }
    }
}
