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
}
