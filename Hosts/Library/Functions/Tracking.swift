// The names and what is said of them are the header's: the compiler holds each function against it.
// swift-format-ignore-file: AlwaysUseLowerCamelCase, AllPublicDeclarationsHaveDocumentation

public import CTally
internal import EventModel
internal import Glibc
internal import Tally
internal import TallyEmbedding
internal import TextEncoding

@c @implementation public func tally_run_start(
    _ telemetry: OpaquePointer!,
    _ options: UnsafePointer<tally_run_options>!,
    _ error: UnsafeMutablePointer<tally_error>!
) -> OpaquePointer! {
    unsafe CError.filling(error, else: nil) { () throws(EmbeddingError) in
        let handle = try unsafe TallyHandle.open(telemetry, "tally_run_start")
        let said = unsafe RunHandle.read(options)
        let run = try RunHandle(
            in: handle,
            archive: unsafe String(orNil: said.archive),
            startedAgo: unsafe RunHandle.startedAgo(said.begun_ns)
        )
        return unsafe OpaquePointer(Unmanaged.passRetained(run).toOpaque())
    }
}

@c @implementation public func tally_run_id(_ run: OpaquePointer!) -> UnsafePointer<CChar>! {
    unsafe RunHandle.with(run, else: nil) { unsafe $0.id.pointer }
}

@c @implementation public func tally_run_archive(_ run: OpaquePointer!) -> UnsafePointer<CChar>! {
    unsafe RunHandle.with(run, else: nil) { unsafe $0.archive?.pointer }
}

@c @implementation public func tally_run_time(_ run: OpaquePointer!) -> Int64 {
    unsafe RunHandle.with(run, else: 0) { $0.run.time }
}

@c @implementation public func tally_run_end(
    _ run: OpaquePointer!,
    _ limitMs: Int64,
    _ summary: UnsafeMutablePointer<tally_run_summary>!
) {
    guard !ProcessEnd.isOver else { return }
    unsafe RunHandle.with(run, else: ()) { handle in
        let report = handle.run.destroy(limitMs < 0 ? .cancel : .drain(limit: limitMs))
        guard let summary = unsafe summary else { return }
        var filled = tally_run_summary()
        filled.in_time = report.inTime ? 1 : 0
        filled.dropped_events = report.droppedEvents
        filled.dropped_outputs = report.droppedOutputs
        unsafe SizedStructure.copy(filled, to: summary)
    }
}

@c @implementation public func tally_run_free(_ run: OpaquePointer!) {
    guard let run = unsafe run, !ProcessEnd.isOver else { return }
    let handle = unsafe Unmanaged<RunHandle>.fromOpaque(UnsafeRawPointer(run))
    unsafe handle.takeUnretainedValue().run.destroy()
    unsafe handle.release()
}

@c @implementation public func tally_run_set_state(
    _ run: OpaquePointer!,
    _ state: UnsafePointer<tally_player_state>!
) {
    guard let state = unsafe state, !ProcessEnd.isOver else { return }
    var said = tally_player_state()
    unsafe SizedStructure.read(state, into: &said)
    unsafe RunHandle.with(run, else: ()) { $0.player.setState(said) }
}

@c @implementation public func tally_run_forget(_ run: OpaquePointer!, _ members: UInt32) {
    guard !ProcessEnd.isOver else { return }
    unsafe RunHandle.with(run, else: ()) { $0.player.forget(members) }
}

@c @implementation public func tally_run_set_info(
    _ run: OpaquePointer!,
    _ subject: tally_subject,
    _ attributes: UnsafePointer<tally_attribute>!,
    _ count: Int
) -> Int32 {
    guard !ProcessEnd.isOver, subject.rawValue <= TALLY_SUBJECT_QUALITY.rawValue else { return 0 }
    let known = unsafe TrackedCall.Attribute.all(attributes, count)
    unsafe RunHandle.with(run, else: ()) { $0.player.setInfo(Int(subject.rawValue), known) }
    return Int32(clamping: (unsafe attributes == nil ? 0 : count) - known.count)
}

@c @implementation public func tally_track(
    _ run: OpaquePointer!,
    _ event: UnsafePointer<CChar>!,
    _ attributes: UnsafePointer<tally_attribute>!,
    _ count: Int
) -> Int32 {
    guard !ProcessEnd.isOver else { return Int32(TALLY_ENDED) }
    return unsafe RunHandle.with(run, else: Int32(TALLY_NO_RUN)) { handle in
        guard let event = unsafe event, let type = unsafe PlayerRun.trackedType(named: UTF8Text(event)) else {
            return Int32(TALLY_UNKNOWN_EVENT)
        }
        var nameless: Int32 = 0
        let result = handle.run.track(type) { encoder in
            guard let attributes = unsafe attributes else { return }
            for index in 0..<count where unsafe !attributes[index].write(to: encoder) { nameless += 1 }
        }
        let code = result.code
        return code < 0 ? code : code + nameless
    }
}

@c @implementation public func tally_track_playhead(_ run: OpaquePointer!, _ playheadMs: Int64) -> Int32 {
    guard !ProcessEnd.isOver else { return Int32(TALLY_ENDED) }
    return unsafe RunHandle.with(run, else: Int32(TALLY_NO_RUN)) { handle in
        handle.player.setPlayhead(playheadMs)
        return handle.run.trackPlayhead().code
    }
}

extension TrackResult {
    /// The number that C gets.
    fileprivate var code: Int32 {
        switch self {
        case .queued: Int32(TALLY_QUEUED)
        case .queuedWithout(let attributes): Int32(clamping: attributes)
        case .refused: Int32(TALLY_REFUSED)
        case .ended: Int32(TALLY_ENDED)
        case .unknownEvent: Int32(TALLY_UNKNOWN_EVENT)
        }
    }
}

extension UTF8Text {
    /// A text of C's that ends with a zero byte, lent.
    fileprivate init(_ text: UnsafePointer<CChar>, length: UInt32 = 0) {
        let count = unsafe length == 0 ? strlen(text) : Int(length)
        self = unsafe text.withMemoryRebound(to: UInt8.self, capacity: max(count, 1)) {
            unsafe UTF8Text(start: $0, count: count)
        }
    }
}

extension tally_attribute {
    /// Writes the attribute into an event; false when it has no name, no value, or a kind that is none.
    fileprivate func write(to encoder: borrowing AttributeEncoder) -> Bool {
        guard let name = unsafe name else { return false }
        let key = unsafe UTF8Text(name)
        guard unsafe repairedUTF8(key.bytes) == nil else { return false }
        switch unsafe kind {
        case TALLY_VALUE_TEXT.rawValue:
            guard let text = unsafe value.text else { return false }
            let lent = unsafe UTF8Text(text, length: length)
            // What is no UTF-8 is U+FFFD in Swift's strings.
            if let repaired = unsafe repairedUTF8(lent.bytes) {
                encoder.set(custom: key.string, .string(repaired))
            } else {
                encoder.set(key, text: lent)
            }
        case TALLY_VALUE_INTEGER.rawValue: encoder.set(key, CanonicalNumber(unsafe value.integer))
        case TALLY_VALUE_NUMBER.rawValue: encoder.set(key, CanonicalNumber(unsafe value.number))
        case TALLY_VALUE_TRUTH.rawValue: encoder.set(key, truth: unsafe value.truth != 0)
        default: return false
        }
        return true
    }
}

extension TrackedCall.Attribute {
    /// Copies of C's attributes, but for those that say nothing.
    static func all(_ attributes: UnsafePointer<tally_attribute>?, _ count: Int) -> [TrackedCall.Attribute] {
        guard let attributes = unsafe attributes else { return [] }
        return unsafe UnsafeBufferPointer(start: attributes, count: count).compactMap {
            unsafe TrackedCall.Attribute($0)
        }
    }

    /// A copy of C's attribute; nil when it has no name, no value, or a kind that is none.
    fileprivate init?(_ attribute: tally_attribute) {
        guard let name = unsafe attribute.name else { return nil }
        let value: PlainValue
        switch unsafe attribute.kind {
        case TALLY_VALUE_TEXT.rawValue:
            guard let text = unsafe attribute.value.text else { return nil }
            value = .string(unsafe UTF8Text(text, length: attribute.length).string)
        case TALLY_VALUE_INTEGER.rawValue: value = .int(unsafe attribute.value.integer)
        case TALLY_VALUE_NUMBER.rawValue: value = .double(unsafe attribute.value.number)
        case TALLY_VALUE_TRUTH.rawValue: value = .bool(unsafe attribute.value.truth != 0)
        default: return nil
        }
        self.init(unsafe String(cString: name), value)
    }
}
