public import PluginABI

/// One attribute of a block, lent as long as the block is.
@safe public struct AttributeView {
    /// What the attribute's offsets count from.
    let base: UnsafeRawPointer
    /// The attribute in the block.
    public let raw: UnsafePointer<tally_attr>

    /// Lends the attribute at `raw`, whose offsets count from `base`.
    public init(base: UnsafeRawPointer, raw: UnsafePointer<tally_attr>) {
        unsafe self.base = unsafe base
        unsafe self.raw = unsafe raw
    }

    /// The well-known number, or ``AttributeKey/none``.
    public var key: AttributeKey {
        unsafe AttributeKey(rawValue: raw.pointee.key_id)
    }

    /// The name.
    public var name: UTF8Text {
        unsafe UTF8Text(
            start: (base + Int(raw.pointee.key_off)).assumingMemoryBound(to: UInt8.self),
            count: Int(raw.pointee.key_len)
        )
    }

    /// Whether the application named it, not the vocabulary.
    public var isCustom: Bool {
        unsafe raw.pointee.flags & AttributeFlag.custom != 0
    }

    /// Whether it may tell who the viewer is.
    public var isPersonal: Bool {
        unsafe raw.pointee.flags & AttributeFlag.personal != 0
    }

    /// The value.
    public var value: ValueView {
        let attribute = unsafe raw.pointee
        switch attribute.type {
        case ValueType.bool: return unsafe .bool(attribute.v.i != 0)
        case ValueType.int: return unsafe .int(attribute.v.i)
        case ValueType.double: return unsafe .double(attribute.v.d)
        case ValueType.string: return unsafe .string(text(at: attribute.v.off, count: attribute.len))
        case ValueType.bytes: return unsafe .bytes(text(at: attribute.v.off, count: attribute.len))
        case ValueType.list:
            return unsafe .list(AttributeList(base: base, offset: Int(attribute.v.off), count: Int(attribute.len)))
        case ValueType.null: return .null
        default: return .unknown
        }
    }

    /// The text of a string value, nil for every other type.
    public var string: UTF8Text? {
        guard case .string(let text) = value else { return nil }
        return text
    }

    /// The number of an int value, nil for every other type.
    public var int: Int64? {
        guard case .int(let number) = value else { return nil }
        return number
    }

    /// The number of an int or double value, nil for every other type.
    public var double: Double? {
        switch value {
        case .int(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    /// The truth of a bool value, nil for every other type.
    public var bool: Bool? {
        guard case .bool(let truth) = value else { return nil }
        return truth
    }

    private func text(at offset: UInt64, count: UInt32) -> UTF8Text {
        unsafe UTF8Text(start: (base + Int(offset)).assumingMemoryBound(to: UInt8.self), count: Int(count))
    }
}
