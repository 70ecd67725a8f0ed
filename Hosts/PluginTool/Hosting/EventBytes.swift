internal import EventModel
internal import PluginABI
internal import TallyTesting

/// An event as bytes, to be lent as often as one likes and to be changed into what only other hosts send.
struct EventBytes: Sendable {
    /// The event's name, for messages.
    let name: String
    /// The block.
    var bytes: [UInt8]

    /// Makes an event of a type.
    init(
        _ type: EventType,
        at time: Int64,
        ordinal: UInt64,
        session: UInt32,
        flags: UInt32 = 0,
        player: FakePlayer,
        _ attributes: [(String, PlainValue)] = []
    ) {
        let block = EventBlock(
            type,
            at: time,
            ordinal: ordinal,
            session: session,
            flags: flags,
            player: player,
            attributes: attributes
        )
        name = EventTypeNames.name(of: type)?.string ?? "an unknown event"
        bytes = unsafe Array(UnsafeRawBufferPointer(start: block.raw, count: Int(block.raw.pointee.size)))
    }

    /// Writes over a member of the header.
    mutating func set<Value: BitwiseCopyable>(_ member: KeyPath<tally_event, Value>, _ value: Value) {
        guard let offset = MemoryLayout<tally_event>.offset(of: member) else { return }
        write(value, at: offset)
    }

    /// Writes over a member of an attribute.
    mutating func set<Value: BitwiseCopyable>(
        attribute index: Int,
        _ member: KeyPath<tally_attr, Value>,
        _ value: Value
    ) {
        guard let offset = MemoryLayout<tally_attr>.offset(of: member) else { return }
        write(value, at: Int(header.attr_off) + index * MemoryLayout<tally_attr>.stride + offset)
    }

    /// Writes over the value of an attribute, or the offset of its text.
    mutating func setOffset(ofAttribute index: Int, _ value: UInt64) {
        guard let offset = MemoryLayout<tally_attr>.offset(of: \.v) else { return }
        write(value, at: Int(header.attr_off) + index * MemoryLayout<tally_attr>.stride + offset)
    }

    /// Makes the event as a host of a later version writes it: a longer header and a longer state.
    ///
    /// The parts that are there keep their order and their meaning.
    mutating func grow() {
        let extra = 16
        let start = MemoryLayout<tally_event>.size
        var grown = Array(bytes[..<start]) + [UInt8](repeating: 0xEE, count: extra) + Array(bytes[start...])
        let state = Int(header.state_off) + extra
        let stateEnd = state + MemoryLayout<tally_state>.size
        grown.insert(contentsOf: [UInt8](repeating: 0xEE, count: extra), at: stateEnd)
        let old = header
        /// How far what began at an offset of the old block moved.
        func moved(_ offset: UInt64) -> UInt64 {
            offset < UInt64(start) ? offset : offset + UInt64(extra) * (Int(offset) + extra >= stateEnd ? 2 : 1)
        }
        bytes = grown
        set(\.size, UInt32(grown.count))
        set(\.header_size, old.header_size + UInt32(extra))
        set(\.state_off, UInt32(state))
        write(UInt32(MemoryLayout<tally_state>.size + extra), at: state)
        set(\.attr_off, UInt32(moved(UInt64(old.attr_off))))
        set(\.type_name_off, UInt32(moved(UInt64(old.type_name_off))))
        for index in 0..<Int(old.attr_count) {
            let place = Int(header.attr_off) + index * MemoryLayout<tally_attr>.stride
            let attribute = unsafe bytes.withUnsafeBytes {
                unsafe $0.loadUnaligned(fromByteOffset: place, as: tally_attr.self)
            }
            set(attribute: index, \.key_off, UInt32(moved(UInt64(attribute.key_off))))
            if [TALLY_T_STRING, TALLY_T_BYTES].contains(UInt32(attribute.type)) {
                setOffset(ofAttribute: index, unsafe moved(attribute.v.off))
            }
        }
    }

    /// The header.
    var header: tally_event {
        unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(as: tally_event.self) }
    }

    private mutating func write<Value: BitwiseCopyable>(_ value: Value, at offset: Int) {
        unsafe bytes.withUnsafeMutableBytes { unsafe $0.storeBytes(of: value, toByteOffset: offset, as: Value.self) }
    }
}
