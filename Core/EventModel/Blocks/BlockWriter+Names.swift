internal import PluginABI

/// Values under names that the vocabulary knows, or may know.
extension BlockWriter {
    // MARK: - Values of well-known attributes

    /// Sets a well-known attribute to a canonical number.
    package mutating func set(_ key: AttributeKey, _ number: CanonicalNumber) -> AttributeOutcome {
        let text = vocabulary.text(of: key)
        return set(key, text.name, flags: text.flags, number)
    }

    /// Sets a well-known attribute to true or false.
    package mutating func set(_ key: AttributeKey, _ truth: Bool) -> AttributeOutcome {
        let text = vocabulary.text(of: key)
        return set(key, text.name, flags: text.flags, type: ValueType.bool, number: truth ? 1 : 0)
    }

    /// Sets a well-known attribute to valid UTF-8.
    package mutating func set(_ key: AttributeKey, utf8: UnsafeRawBufferPointer) -> AttributeOutcome {
        let text = vocabulary.text(of: key)
        return unsafe put(key, text.name, text.flags, NameHash.of(text.name), ValueType.string, bytes: utf8)
    }

    // MARK: - Values by name

    /// Sets an attribute by its name, which may be the vocabulary's, to a whole number that is canonical.
    package mutating func set(named name: UTF8Text, type: UInt8, number: Int64) -> AttributeOutcome {
        let hash = NameHash.of(name)
        let key = vocabulary.key(named: name, hash: hash)
        return put(key, name, vocabulary.text(of: key).flags, hash, type, bits: UInt64(bitPattern: number))
    }

    /// Sets an attribute by its name, which may be the vocabulary's, to valid UTF-8, or to bytes of any kind.
    package mutating func set(
        named name: UTF8Text,
        type: UInt8,
        bytes: UnsafeRawBufferPointer
    ) -> AttributeOutcome {
        let hash = NameHash.of(name)
        let key = vocabulary.key(named: name, hash: hash)
        return unsafe put(key, name, vocabulary.text(of: key).flags, hash, type, bytes: bytes)
    }

    /// Sets an attribute by its name, which may be the vocabulary's, to a canonical number.
    package mutating func set(named name: UTF8Text, _ number: CanonicalNumber) -> AttributeOutcome {
        let hash = NameHash.of(name)
        let key = vocabulary.key(named: name, hash: hash)
        let flags = vocabulary.text(of: key).flags
        return switch number {
        case .int(let number): put(key, name, flags, hash, ValueType.int, bits: UInt64(bitPattern: number))
        case .double(let number): put(key, name, flags, hash, ValueType.double, bits: number.bitPattern)
        }
    }
}
