internal import PluginABI

extension BlockWriter {
    /// Sets an attribute to a value with storage of its own, made canonical.
    package mutating func set(_ key: AttributeKey, _ name: String, _ value: PlainValue) -> AttributeOutcome {
        var name = name
        let flags = AttributeNames.flags(of: key)
        return name.withUTF8 { bytes in
            guard let start = bytes.baseAddress else { return .badName }
            return unsafe set(key, UTF8Text(start: start, count: bytes.count), flags: flags, value)
        }
    }

    /// Sets an attribute to a value with storage of its own, made canonical.
    package mutating func set(
        _ key: AttributeKey,
        _ name: UTF8Text,
        flags: UInt8,
        _ value: PlainValue
    ) -> AttributeOutcome {
        switch value {
        case .null: return set(key, name, flags: flags, type: ValueType.null, number: 0)
        case .bool(let truth): return set(key, name, flags: flags, type: ValueType.bool, number: truth ? 1 : 0)
        case .int(let number): return set(key, name, flags: flags, CanonicalNumber(number))
        case .double(let number): return set(key, name, flags: flags, CanonicalNumber(number))
        case .string(var text):
            return text.withUTF8 { bytes in
                unsafe set(key, name, flags: flags, type: ValueType.string, bytes: UnsafeRawBufferPointer(bytes))
            }
        case .bytes(let bytes):
            return unsafe bytes.withUnsafeBytes {
                unsafe set(key, name, flags: flags, type: ValueType.bytes, bytes: $0)
            }
        case .list(let list): return set(key, name, flags: flags, list: list)
        }
    }

    /// Sets an attribute to a canonical number.
    package mutating func set(
        _ key: AttributeKey,
        _ name: UTF8Text,
        flags: UInt8,
        _ number: CanonicalNumber
    ) -> AttributeOutcome {
        switch number {
        case .int(let number): set(key, name, flags: flags, type: ValueType.int, number: number)
        case .double(let number): set(key, name, flags: flags, double: number)
        }
    }

    // MARK: - Lists

    /// Writes the elements of a list, for which there is room, and gives the offset of the first.
    mutating func write(_ list: [PlainValue]) -> Int {
        let offset = takeRoom(list.count * BlockLayout.attributeSize)
        for (index, value) in list.enumerated() {
            let element = unsafe (base + offset).assumingMemoryBound(to: tally_attr.self) + index
            unsafe element.pointee = tally_attr(
                key_off: 0,
                key_len: 0,
                key_id: 0,
                type: ValueType.null,
                flags: 0,
                reserved0: 0,
                len: 0,
                v: .init(i: 0)
            )
            unsafe write(value, into: element)
        }
        return offset
    }

    private mutating func write(_ value: PlainValue, into element: UnsafeMutablePointer<tally_attr>) {
        switch value {
        case .null: break
        case .bool(let truth):
            unsafe element.pointee.type = ValueType.bool
            unsafe element.pointee.v.i = truth ? 1 : 0
        case .int(let number): unsafe write(CanonicalNumber(number), into: element)
        case .double(let number): unsafe write(CanonicalNumber(number), into: element)
        case .string(var text):
            let offset = text.withUTF8 { unsafe copy(UnsafeRawBufferPointer($0)) }
            unsafe element.pointee.type = ValueType.string
            unsafe element.pointee.len = UInt32(text.utf8.count)
            unsafe element.pointee.v.off = UInt64(offset)
        case .bytes(let bytes):
            let offset = unsafe bytes.withUnsafeBytes { unsafe copy($0) }
            unsafe element.pointee.type = ValueType.bytes
            unsafe element.pointee.len = UInt32(bytes.count)
            unsafe element.pointee.v.off = UInt64(offset)
        case .list(let list):
            align()
            let offset = write(list)
            unsafe element.pointee.type = ValueType.list
            unsafe element.pointee.len = UInt32(list.count)
            unsafe element.pointee.v.off = UInt64(offset)
        }
    }

    private func write(_ number: CanonicalNumber, into element: UnsafeMutablePointer<tally_attr>) {
        switch number {
        case .int(let number):
            unsafe element.pointee.type = ValueType.int
            unsafe element.pointee.v.i = number
        case .double(let number):
            unsafe element.pointee.type = ValueType.double
            unsafe element.pointee.v.d = number
        }
    }
}

/// What became of an attribute that was handed to an encoder.
public enum AttributeOutcome: Equatable, Sendable, CustomStringConvertible {
    /// It is in the block.
    case written
    /// The name is empty or longer than ``Limits/nameBytes``.
    case badName
    /// The value is longer than ``Limits/valueBytes`` or nested deeper than ``Limits/listDepth``.
    case valueTooLarge
    /// There are ``Limits/attributes`` attributes already.
    case tooMany
    /// The block is full.
    case blockFull

    /// What became of it, for people.
    public var description: String {
        switch self {
        case .written: "it was written"
        case .badName: "the name is empty or longer than \(Limits.nameBytes) bytes"
        case .valueTooLarge:
            "the value is larger than \(Limits.valueBytes) bytes or nested deeper than \(Limits.listDepth)"
        case .tooMany: "there are more than \(Limits.attributes) attributes"
        case .blockFull: "the event is larger than \(Limits.eventBytes) bytes"
        }
    }
}
