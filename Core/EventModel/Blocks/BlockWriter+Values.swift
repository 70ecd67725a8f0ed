internal import PluginABI

/// An attribute's name as a writer needs it: its number, its text, its marks and a hash.
@safe struct AttributeName {
    let key: AttributeKey
    let text: UTF8Text
    let flags: UInt8
    let hash: UInt64

    @inline(__always)
    init(_ key: AttributeKey, _ text: UTF8Text, flags: UInt8) {
        self.init(key, text, flags: flags, hash: NameHash.of(text))
    }

    @inline(__always)
    init(_ key: AttributeKey, _ text: UTF8Text, flags: UInt8, hash: UInt64) {
        self.key = key
        self.text = text
        self.flags = flags
        self.hash = hash
    }

    @inline(__always)
    var isValid: Bool {
        text.count > 0 && text.count <= Limits.nameBytes
    }
}

// Values of well-known attributes.
extension BlockWriter {
    /// Sets a well-known attribute to a canonical number.
    package mutating func set(_ key: AttributeKey, _ number: CanonicalNumber) -> AttributeOutcome {
        put(known(key), number.type, bits: number.bits)
    }

    /// Sets a well-known attribute to true or false.
    package mutating func set(_ key: AttributeKey, _ truth: Bool) -> AttributeOutcome {
        put(known(key), ValueType.bool, bits: truth ? 1 : 0)
    }

    /// Sets a well-known attribute to valid UTF-8.
    package mutating func set(_ key: AttributeKey, utf8: UnsafeRawBufferPointer) -> AttributeOutcome {
        unsafe put(known(key), ValueType.string, bytes: utf8)
    }

    @inline(__always)
    private func known(_ key: AttributeKey) -> AttributeName {
        let text = vocabulary.text(of: key)
        return AttributeName(key, text.name, flags: text.flags)
    }
}

// Values under names that the vocabulary may know.
extension BlockWriter {
    /// Sets an attribute by its name to true, false or nothing, or to a whole number that is canonical.
    package mutating func set(named name: UTF8Text, type: UInt8, number: Int64) -> AttributeOutcome {
        put(named(name), type, bits: UInt64(bitPattern: number))
    }

    /// Sets an attribute by its name to valid UTF-8, or to bytes of any kind.
    package mutating func set(named name: UTF8Text, type: UInt8, bytes: UnsafeRawBufferPointer) -> AttributeOutcome {
        unsafe put(named(name), type, bytes: bytes)
    }

    /// Sets an attribute by its name to a canonical number.
    package mutating func set(named name: UTF8Text, _ number: CanonicalNumber) -> AttributeOutcome {
        put(named(name), number.type, bits: number.bits)
    }

    /// Sets an attribute by its name to a value with storage of its own, made canonical.
    package mutating func set(named name: UTF8Text, _ value: PlainValue) -> AttributeOutcome {
        set(named(name), value)
    }

    @inline(__always)
    private func named(_ name: UTF8Text) -> AttributeName {
        let hash = NameHash.of(name)
        let key = vocabulary.key(named: name, hash: hash)
        return AttributeName(key, name, flags: vocabulary.text(of: key).flags, hash: hash)
    }
}

// Values with storage of their own, and those of other blocks.
extension BlockWriter {
    /// Sets an attribute to a value with storage of its own, made canonical.
    package mutating func set(_ key: AttributeKey, _ name: String, _ value: PlainValue) -> AttributeOutcome {
        var name = name
        return name.withUTF8 { bytes in
            guard let start = bytes.baseAddress else { return .badName }
            let text = unsafe UTF8Text(start: start, count: bytes.count)
            return set(key, text, flags: vocabulary.text(of: key).flags, value)
        }
    }

    /// Sets an attribute with marks to a value with storage of its own, made canonical.
    package mutating func set(
        _ key: AttributeKey,
        _ name: UTF8Text,
        flags: UInt8,
        _ value: PlainValue
    ) -> AttributeOutcome {
        set(AttributeName(key, name, flags: flags), value)
    }

    /// Sets an attribute of another block with its name, value and marks, also one of an unknown type.
    package mutating func set(_ attribute: AttributeView, as key: AttributeKey) -> AttributeOutcome {
        let raw = unsafe attribute.raw.pointee
        let name = AttributeName(key, attribute.name, flags: raw.flags)
        switch attribute.value {
        case .string(let text), .bytes(let text): return unsafe put(name, raw.type, bytes: text.bytes)
        case .list(let list): return set(name, list: list.map { PlainValue($0.value) })
        default: return unsafe put(name, raw.type, bits: raw.v.off)
        }
    }

    mutating func set(_ name: AttributeName, _ value: PlainValue) -> AttributeOutcome {
        switch value {
        case .null: return put(name, ValueType.null, bits: 0)
        case .bool(let truth): return put(name, ValueType.bool, bits: truth ? 1 : 0)
        case .int(let number): return set(name, CanonicalNumber(number))
        case .double(let number): return set(name, own(number))
        case .string(var text):
            return text.withUTF8 { unsafe put(name, ValueType.string, bytes: UnsafeRawBufferPointer($0)) }
        case .bytes(let bytes): return unsafe bytes.withUnsafeBytes { unsafe put(name, ValueType.bytes, bytes: $0) }
        case .list(let list): return set(name, list: list)
        }
    }

    @inline(__always)
    mutating func set(_ name: AttributeName, _ number: CanonicalNumber) -> AttributeOutcome {
        put(name, number.type, bits: number.bits)
    }

    /// A double as the block has it: canonical in an event, of its kind in a record.
    private func own(_ number: Double) -> CanonicalNumber {
        isRecord ? CanonicalNumber(ofRecord: number) : CanonicalNumber(number)
    }

    /// Gives an attribute a canonical number for its value.
    mutating func replace(_ index: Int, _ number: CanonicalNumber) { replace(index, number.type, bits: number.bits) }

    // MARK: - Lists

    private mutating func set(_ name: AttributeName, list: [PlainValue]) -> AttributeOutcome {
        guard let size = ListEncoding.size(of: list, depth: 1), size <= Limits.valueBytes else {
            return .valueTooLarge
        }
        switch place(name, text: size + BlockLayout.alignment) {
        case .refused(let outcome): return outcome
        case .at(let attribute):
            // The same room whatever the alignment costs: a block fits in another order of texts too.
            let end = heapStart - size - BlockLayout.alignment
            unsafe write(.list(list), into: attribute)
            heapStart = end
            return .written
        }
    }

    /// Writes a value, for whose texts and elements there is room.
    private mutating func write(_ value: PlainValue, into attribute: UnsafeMutablePointer<tally_attr>) {
        switch value {
        case .null: unsafe attribute.pointee.setValue(ValueType.null, bits: 0)
        case .bool(let truth): unsafe attribute.pointee.setValue(ValueType.bool, bits: truth ? 1 : 0)
        case .int(let number): unsafe write(CanonicalNumber(number), into: attribute)
        case .double(let number): unsafe write(own(number), into: attribute)
        case .string(var text):
            let offset = text.withUTF8 { unsafe copy(UnsafeRawBufferPointer($0)) }
            unsafe attribute.pointee.setValue(ValueType.string, count: text.utf8.count, bits: UInt64(offset))
        case .bytes(let bytes):
            let offset = unsafe bytes.withUnsafeBytes { unsafe copy($0) }
            unsafe attribute.pointee.setValue(ValueType.bytes, count: bytes.count, bits: UInt64(offset))
        case .list(let list):
            align()
            heapStart -= list.count * BlockLayout.attributeSize
            let offset = heapStart
            for (index, value) in list.enumerated() {
                let element = unsafe (base + offset).assumingMemoryBound(to: tally_attr.self) + index
                unsafe element.initialize(to: tally_attr())
                unsafe write(value, into: element)
            }
            unsafe attribute.pointee.setValue(ValueType.list, count: list.count, bits: UInt64(offset))
        }
    }

    private func write(_ number: CanonicalNumber, into attribute: UnsafeMutablePointer<tally_attr>) {
        unsafe attribute.pointee.setValue(number.type, bits: number.bits)
    }
}

extension CanonicalNumber {
    /// The type of its value in a block.
    @inline(__always)
    fileprivate var type: UInt8 {
        if case .int = self { ValueType.int } else { ValueType.double }
    }

    /// Its value as it lies in a block.
    @inline(__always)
    fileprivate var bits: UInt64 {
        switch self {
        case .int(let number): UInt64(bitPattern: number)
        case .double(let number): number.bitPattern
        }
    }
}

extension tally_attr {
    /// Gives it a value of a type; all forms of a value share their eight bytes.
    mutating func setValue(_ type: UInt8, count: Int = 0, bits: UInt64) {
        self.type = type
        len = UInt32(truncatingIfNeeded: count)
        unsafe v.off = bits
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
