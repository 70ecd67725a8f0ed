import EventModel
import PluginABI

/// An event block with memory of its own.
@safe final class TestBlock {
    private let memory: UnsafeMutableRawPointer

    /// Makes a block of a type at a time, us, with `TALLY_STATE_...` bits, a playhead and attributes.
    init(
        _ type: EventType,
        at time: Int64 = 0,
        session: UInt32 = 1,
        state flags: UInt32 = 0,
        playhead: Int64? = nil,
        attributes: [(String, PlainValue)] = []
    ) {
        let capacity = 16 * 1024
        unsafe memory = .allocate(byteCount: capacity, alignment: 8)
        var writer = unsafe BlockWriter(base: memory, capacity: capacity)
        for (name, value) in attributes {
            Self.set(name, value, in: &writer)
        }
        unsafe writer.header.pointee.time_us = time
        unsafe writer.header.pointee.session = session
        unsafe writer.header.pointee.ordinal = 7
        unsafe writer.state.pointee.flags = flags
        if let playhead {
            unsafe writer.state.pointee.known = TALLY_KNOWN_PLAYHEAD
            unsafe writer.state.pointee.playhead_ms = playhead
        }
        let name = EventDefinition.all.first { $0.type == type }.map { UTF8Text($0.name) } ?? UTF8Text("strange_type")
        _ = writer.finish(type: type, name: name)
    }

    deinit {
        unsafe memory.deallocate()
    }

    var event: UnsafePointer<tally_event> { unsafe UnsafePointer(memory.assumingMemoryBound(to: tally_event.self)) }

    var state: UnsafePointer<tally_state> { unsafe EventView(event).state.raw }

    private static func set(_ name: String, _ value: PlainValue, in writer: inout BlockWriter) {
        var name = name
        name.withUTF8 { bytes in
            guard let start = bytes.baseAddress else { return }
            let name = unsafe UTF8Text(start: start, count: bytes.count)
            switch value {
            case .string(let text):
                unsafe Array(text.utf8).withUnsafeBytes {
                    _ = unsafe writer.set(.none, name, flags: 0, type: TALLY_T_STRING, bytes: $0)
                }
            case .int(let number):
                _ = writer.set(.none, name, flags: 0, type: TALLY_T_INT, number: number)
            case .bool(let truth):
                _ = writer.set(.none, name, flags: 0, type: TALLY_T_BOOL, number: truth ? 1 : 0)
            default: _ = writer.set(.none, name, flags: 0, type: TALLY_T_NULL, number: 0)
            }
        }
    }
}
