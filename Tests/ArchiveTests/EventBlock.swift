import EventModel
import Glibc
import PluginABI

/// An event with memory of its own, made as a track call makes one.
@safe final class EventBlock {
    private let memory: UnsafeMutableRawPointer
    private let reported: UnsafeMutablePointer<tally_state>
    /// What became of each attribute, in order.
    let outcomes: [AttributeOutcome]
    /// The block's size in bytes, nil when it does not fit.
    let size: Int?

    /// Makes an event whose state is `state`, of which the player reported `report` with it.
    init(
        _ name: String,
        at time: Int64 = 0,
        flags: UInt32 = 0,
        session: UInt32 = 1,
        state: tally_state = tally_state(),
        report: tally_state? = nil,
        _ attributes: [(name: String, value: PlainValue)] = [],
        raw: (inout BlockWriter) -> Void = { _ in }
    ) {
        unsafe memory = .allocate(byteCount: Limits.eventBytes, alignment: 8)
        unsafe memset(memory, 0xA5, Limits.eventBytes)
        unsafe reported = .allocate(capacity: 1)
        unsafe reported.initialize(to: report ?? state)
        var writer = unsafe BlockWriter(base: memory, capacity: Limits.eventBytes)
        unsafe writer.state.pointee = state
        unsafe writer.header.pointee.time_us = time
        unsafe writer.header.pointee.flags = flags
        unsafe writer.header.pointee.session = session
        outcomes = attributes.map { Self.set($0.name, $0.value, &writer) }
        raw(&writer)
        size = Self.finish(name, &writer)
    }

    deinit {
        unsafe memory.deallocate()
        unsafe reported.deallocate()
    }

    var view: EventView {
        unsafe EventView(memory.assumingMemoryBound(to: tally_event.self))
    }

    var report: UnsafePointer<tally_state> {
        unsafe UnsafePointer(reported)
    }

    private static func set(_ name: String, _ value: PlainValue, _ writer: inout BlockWriter) -> AttributeOutcome {
        var name = name
        let key = name.withUTF8 { bytes in
            unsafe bytes.baseAddress.map { unsafe AttributeNames.key(named: UTF8Text(start: $0, count: bytes.count)) }
        }
        return writer.set(key ?? .none, name, value)
    }

    private static func finish(_ name: String, _ writer: inout BlockWriter) -> Int? {
        var name = name
        return name.withUTF8 { bytes in
            guard let start = bytes.baseAddress else { return nil }
            let text = unsafe UTF8Text(start: start, count: bytes.count)
            return writer.finish(type: EventTypeNames.type(named: text), name: text)
        }
    }
}
