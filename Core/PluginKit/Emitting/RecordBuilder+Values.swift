public import EventModel
internal import Glibc
internal import PluginABI

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
    public func set(_ name: StaticString, _ value: ValueView) { put(UTF8Text(name), value, flags: 0) }

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
    public func set(_ name: UTF8Text, _ value: ValueView) { put(name, value, flags: 0) }

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
        let personal = attribute.isPersonal ? TALLY_ATTR_PERSONAL : 0
        let custom = attribute.isCustom ? TALLY_ATTR_CUSTOM : 0
        put(attribute.name, attribute.value, flags: personal | custom)
    }

    /// Sets the attribute to nothing, which differs from not setting it.
    public func setNull(_ name: UTF8Text) { putNull(name) }
}

extension RecordBuilder {
    private func put(_ name: UTF8Text, _ value: Int64, flags: UInt8 = 0) {
        guard let target = unsafe place(name, flags: flags) else { return }
        unsafe Self.write(CanonicalNumber(value), into: target)
    }

    private func put(_ name: UTF8Text, _ value: Double, flags: UInt8 = 0) {
        guard let target = unsafe place(name, flags: flags) else { return }
        unsafe Self.write(CanonicalNumber(value), into: target)
    }

    private func put(_ name: UTF8Text, _ value: Bool, flags: UInt8 = 0) {
        guard let target = unsafe place(name, flags: flags) else { return }
        unsafe target.pointee.type = TALLY_T_BOOL
        unsafe target.pointee.len = 0
        unsafe target.pointee.v.i = value ? 1 : 0
    }

    private func putNull(_ name: UTF8Text, flags: UInt8 = 0) {
        guard let target = unsafe place(name, flags: flags) else { return }
        unsafe target.pointee.type = TALLY_T_NULL
        unsafe target.pointee.len = 0
        unsafe target.pointee.v.i = 0
    }

    private func put(_ name: UTF8Text, _ value: String) {
        var value = value
        value.withUTF8 { unsafe put(name, UnsafeRawBufferPointer($0)) }
    }

    /// Sets text, or bytes of any kind.
    private func put(
        _ name: UTF8Text,
        _ value: UnsafeRawBufferPointer,
        type: UInt8 = TALLY_T_STRING,
        flags: UInt8 = 0
    ) {
        guard value.count <= Limits.valueBytes else { return leaveOut(name, .valueTooLarge) }
        // Room for name and value is made together: an attribute is there with its value, or not at all.
        guard reserve(name.count + value.count) else { return leaveOut(name, .blockFull) }
        guard let target = unsafe place(name, flags: flags) else { return }
        let isText = unsafe target.pointee.type == TALLY_T_STRING || target.pointee.type == TALLY_T_BYTES
        if isText, unsafe Int(target.pointee.len) >= value.count {
            if let start = value.baseAddress {
                unsafe memcpy(bytes(at: Int(target.pointee.v.off)), start, value.count)
            }
        } else {
            unsafe target.pointee.v.off = unsafe UInt64(append(value))
        }
        unsafe target.pointee.type = type
        unsafe target.pointee.len = UInt32(truncatingIfNeeded: value.count)
    }

    private func put(_ name: UTF8Text, _ value: ValueView, flags: UInt8) {
        switch value {
        case .null: putNull(name, flags: flags)
        case .bool(let truth): put(name, truth, flags: flags)
        case .int(let number): put(name, number, flags: flags)
        case .double(let number): put(name, number, flags: flags)
        case .string(let text): unsafe put(name, text.bytes, flags: flags)
        case .bytes(let bytes): unsafe put(name, bytes.bytes, type: TALLY_T_BYTES, flags: flags)
        case .list: put(name, PlainValue(value), flags: flags)
        case .unknown: break
        }
    }

    private func put(_ name: UTF8Text, _ value: PlainValue, flags: UInt8 = 0) {
        switch value {
        case .null: putNull(name, flags: flags)
        case .bool(let truth): put(name, truth, flags: flags)
        case .int(let number): put(name, number, flags: flags)
        case .double(let number): put(name, number, flags: flags)
        case .string(let text): put(name, text)
        case .bytes(let bytes): unsafe bytes.withUnsafeBytes { unsafe put(name, $0, type: TALLY_T_BYTES, flags: flags) }
        case .list(let list): put(name, list: list, flags: flags)
        }
    }

    private func leaveOut(_ name: UTF8Text, _ outcome: AttributeOutcome) {
        _ = unsafe refuse(name, outcome)
    }

    /// Writes a number in its one form.
    static func write(_ number: CanonicalNumber, into target: UnsafeMutablePointer<tally_attr>) {
        unsafe target.pointee.len = 0
        switch number {
        case .int(let number):
            unsafe target.pointee.type = TALLY_T_INT
            unsafe target.pointee.v.i = number
        case .double(let number):
            unsafe target.pointee.type = TALLY_T_DOUBLE
            unsafe target.pointee.v.d = number
        }
    }
}
