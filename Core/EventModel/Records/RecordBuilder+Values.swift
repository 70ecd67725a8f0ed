/// Setting attributes whose names are literals.
extension RecordBuilder {
    /// Sets a whole number.
    public func set(_ name: StaticString, _ value: Int64) { put(UTF8Text(name), value) }

    /// Sets a whole number of another width.
    @inlinable
    public func set(_ name: StaticString, _ value: some FixedWidthInteger) { set(name, Int64(clamping: value)) }

    /// Sets a number.
    public func set(_ name: StaticString, _ value: Double) { put(UTF8Text(name), value) }

    /// Sets a truth value.
    public func set(_ name: StaticString, _ value: Bool) { put(UTF8Text(name), value) }

    /// Sets a text.
    public func set(_ name: StaticString, _ value: UTF8Text) { unsafe put(UTF8Text(name), value.bytes) }

    /// Sets a text.
    public func set(_ name: StaticString, _ value: StaticString) { unsafe put(UTF8Text(name), UTF8Text(value).bytes) }

    /// Sets a text.
    public func set(_ name: StaticString, _ value: String) { put(UTF8Text(name), value) }

    /// Sets a list or another value with storage of its own.
    public func set(_ name: StaticString, _ value: PlainValue) { put(UTF8Text(name), value) }

    /// Sets a value as an event has it; one of an unknown type is left out.
    public func set(_ name: StaticString, _ value: ValueView) { put(UTF8Text(name), value) }

    /// Sets the attribute to nothing, which differs from not setting it.
    public func setNull(_ name: StaticString) { putNull(UTF8Text(name)) }
}

/// Setting attributes whose names are met at run time.
extension RecordBuilder {
    /// Sets a whole number.
    public func set(_ name: UTF8Text, _ value: Int64) { put(name, value) }

    /// Sets a number.
    public func set(_ name: UTF8Text, _ value: Double) { put(name, value) }

    /// Sets a truth value.
    public func set(_ name: UTF8Text, _ value: Bool) { put(name, value) }

    /// Sets a text.
    public func set(_ name: UTF8Text, _ value: UTF8Text) { unsafe put(name, value.bytes) }

    /// Sets a value with storage of its own.
    public func set(_ name: UTF8Text, _ value: PlainValue) { put(name, value) }

    /// Sets a value as an event has it; one of an unknown type is left out.
    public func set(_ name: UTF8Text, _ value: ValueView) { put(name, value) }

    /// Sets a value with storage of its own under a name with storage of its own.
    public func set(named name: String, _ value: PlainValue) {
        var name = name
        name.withUTF8 { bytes in
            guard let start = bytes.baseAddress else { return put(UTF8Text(""), value) }
            unsafe put(UTF8Text(start: start, count: bytes.count), value)
        }
    }

    /// Sets the attribute of an event with its own name, value and marks.
    public func set(_ attribute: AttributeView) {
        if case .unknown = attribute.value { return }
        write(attribute.name) { $0.set(attribute, as: .none) }
    }

    /// Sets the attribute to nothing, which differs from not setting it.
    public func setNull(_ name: UTF8Text) { putNull(name) }
}

extension RecordBuilder {
    private func put(_ name: UTF8Text, _ value: Int64) {
        write(name) { $0.set(Self.named(name), CanonicalNumber(value)) }
    }

    private func put(_ name: UTF8Text, _ value: Double) {
        write(name) { $0.set(Self.named(name), CanonicalNumber(ofRecord: value)) }
    }

    private func put(_ name: UTF8Text, _ value: Bool) {
        write(name) { $0.put(Self.named(name), ValueType.bool, bits: value ? 1 : 0) }
    }

    private func putNull(_ name: UTF8Text) {
        write(name) { $0.put(Self.named(name), ValueType.null, bits: 0) }
    }

    private func put(_ name: UTF8Text, _ value: String) {
        var value = value
        value.withUTF8 { unsafe put(name, UnsafeRawBufferPointer($0)) }
    }

    /// Sets text, or bytes of any kind.
    private func put(_ name: UTF8Text, _ value: UnsafeRawBufferPointer, type: UInt8 = ValueType.string) {
        write(name) { unsafe $0.put(Self.named(name), type, bytes: value) }
    }

    private func put(_ name: UTF8Text, _ value: ValueView) {
        switch value {
        case .null: putNull(name)
        case .bool(let truth): put(name, truth)
        case .int(let number): put(name, number)
        case .double(let number): put(name, number)
        case .string(let text): unsafe put(name, text.bytes)
        case .bytes(let bytes): unsafe put(name, bytes.bytes, type: ValueType.bytes)
        case .list: put(name, PlainValue(value))
        case .unknown: break
        }
    }

    private func put(_ name: UTF8Text, _ value: PlainValue) {
        write(name) { $0.set(Self.named(name), value) }
    }

    /// The names of a record have no numbers.
    @inline(__always)
    private static func named(_ name: UTF8Text) -> AttributeName {
        AttributeName(.none, name, flags: 0)
    }
}
