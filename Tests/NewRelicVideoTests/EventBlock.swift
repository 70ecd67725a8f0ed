import EventModel
import PluginABI
import PluginKit

/// An event as a host lends it, with memory of its own.
@safe final class EventBlock {
    private let memory: UnsafeMutableRawPointer

    init(
        _ type: EventType,
        at time: Int64,
        player: SimulatedPlayer,
        attributes: [(String, PlainValue)] = []
    ) {
        unsafe memory = .allocate(byteCount: Limits.eventBytes, alignment: 8)
        var writer = unsafe BlockWriter(base: memory, capacity: Limits.eventBytes)
        unsafe writer.header.pointee.time_us = time
        unsafe writer.header.pointee.session = 1
        unsafe player.write(to: writer.state)
        for (name, value) in attributes {
            _ = Self.set(name, value, in: &writer)
        }
        let name = UTF8Text(EventTypeNames.name(of: type) ?? "org.example.unknown")
        let size = writer.finish(type: type, name: name)
        precondition(size != nil, "the event does not fit")
    }

    deinit {
        unsafe memory.deallocate()
    }

    var raw: UnsafePointer<tally_event> {
        unsafe UnsafePointer(memory.assumingMemoryBound(to: tally_event.self))
    }

    private static func set(_ name: String, _ value: PlainValue, in writer: inout BlockWriter) -> AttributeOutcome {
        var name = name
        return name.withUTF8 { bytes in
            guard let start = bytes.baseAddress else { return .badName }
            let text = unsafe UTF8Text(start: start, count: bytes.count)
            let key = AttributeNames.key(named: text)
            let flags = AttributeNames.flags(of: key)
            switch value {
            case .null: return writer.set(key, text, flags: flags, type: TALLY_T_NULL, number: 0)
            case .bool(let isTrue):
                return writer.set(key, text, flags: flags, type: TALLY_T_BOOL, number: isTrue ? 1 : 0)
            case .int(let number): return writer.set(key, text, flags: flags, type: TALLY_T_INT, number: number)
            case .double(let number): return writer.set(key, text, flags: flags, double: number)
            case .string(var string):
                return string.withUTF8 { bytes in
                    unsafe writer.set(
                        key,
                        text,
                        flags: flags,
                        type: TALLY_T_STRING,
                        bytes: UnsafeRawBufferPointer(bytes)
                    )
                }
            case .bytes(let bytes):
                return unsafe bytes.withUnsafeBytes { bytes in
                    unsafe writer.set(key, text, flags: flags, type: TALLY_T_BYTES, bytes: bytes)
                }
            case .list(let list): return writer.set(key, text, flags: flags, list: list)
            }
        }
    }
}
