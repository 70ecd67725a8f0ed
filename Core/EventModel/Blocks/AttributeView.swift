public import PluginABI

/// The attributes of a block or the elements of a list value, in order, lent as long as the block is.
@safe public struct AttributeList: RandomAccessCollection {
    @usableFromInline let base: UnsafeRawPointer
    @usableFromInline let first: UnsafePointer<tally_attr>
    /// How many attributes.
    public let count: Int

    /// Lends `count` attributes that begin `offset` bytes after `base`.
    @inlinable
    public init(base: UnsafeRawPointer, offset: Int, count: Int) {
        unsafe self.base = unsafe base
        unsafe first = unsafe (base + offset).assumingMemoryBound(to: tally_attr.self)
        self.count = count
    }

    /// Lends `count` attributes at `first`, whose offsets count from `base`.
    @inlinable
    public init(base: UnsafeRawPointer, first: UnsafePointer<tally_attr>, count: Int) {
        unsafe self.base = unsafe base
        unsafe self.first = unsafe first
        self.count = count
    }

    /// Always 0.
    @inlinable
    public var startIndex: Int { 0 }
    /// The number of attributes.
    @inlinable
    public var endIndex: Int { count }

    /// The attribute at a place.
    @inlinable
    public subscript(position: Int) -> AttributeView {
        precondition(position >= 0 && position < count, "attribute \(position) of \(count)")
        return unsafe AttributeView(base: base, raw: first + position)
    }

    /// The attribute with a well-known number, nil when it is absent.
    @inlinable
    public subscript(key: AttributeKey) -> AttributeView? {
        for index in 0..<count where unsafe first[index].key_id == key.rawValue {
            return unsafe AttributeView(base: base, raw: first + index)
        }
        return nil
    }

    /// The attribute with a name, nil when it is absent.
    @inlinable
    public subscript(name: StaticString) -> AttributeView? {
        first { $0.name == name }
    }
}

/// One attribute of a block, lent as long as the block is.
@safe public struct AttributeView {
    /// What the attribute's offsets count from.
    @usableFromInline let base: UnsafeRawPointer
    /// The attribute in the block.
    public let raw: UnsafePointer<tally_attr>

    /// Lends the attribute at `raw`, whose offsets count from `base`.
    @inlinable
    public init(base: UnsafeRawPointer, raw: UnsafePointer<tally_attr>) {
        unsafe self.base = unsafe base
        unsafe self.raw = unsafe raw
    }

    /// The well-known number, or ``AttributeKey/none``.
    @inlinable
    public var key: AttributeKey {
        unsafe AttributeKey(rawValue: raw.pointee.key_id)
    }

    /// The name.
    @inlinable
    public var name: UTF8Text {
        unsafe UTF8Text(
            start: (base + Int(raw.pointee.key_off)).assumingMemoryBound(to: UInt8.self),
            count: Int(raw.pointee.key_len)
        )
    }

    /// Whether the application named it, not the vocabulary.
    @inlinable
    public var isCustom: Bool {
        unsafe raw.pointee.flags & AttributeFlag.custom != 0
    }

    /// Whether it may tell who the viewer is.
    @inlinable
    public var isPersonal: Bool {
        unsafe raw.pointee.flags & AttributeFlag.personal != 0
    }

    /// The value.
    @inlinable
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
    @inlinable
    public var string: UTF8Text? {
        guard case .string(let text) = value else { return nil }
        return text
    }

    /// The number of an int value, nil for every other type.
    @inlinable
    public var int: Int64? {
        guard case .int(let number) = value else { return nil }
        return number
    }

    /// The number of an int or double value, nil for every other type.
    @inlinable
    public var double: Double? {
        switch value {
        case .int(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    /// The truth of a bool value, nil for every other type.
    @inlinable
    public var bool: Bool? {
        guard case .bool(let truth) = value else { return nil }
        return truth
    }

    @inlinable
    func text(at offset: UInt64, count: UInt32) -> UTF8Text {
        unsafe UTF8Text(start: (base + Int(offset)).assumingMemoryBound(to: UInt8.self), count: Int(count))
    }
}

/// A value in a block, lent as long as the block is.
public enum ValueView {
    /// Said to be nothing.
    case null
    /// True or false.
    case bool(Bool)
    /// An integral number below 2^53 in magnitude.
    case int(Int64)
    /// Every other number.
    case double(Double)
    /// Text.
    case string(UTF8Text)
    /// Values one after another.
    case list(AttributeList)
    /// Any bytes.
    case bytes(UTF8Text)
    /// A type that this version does not know.
    case unknown
}

/// The types of an attribute's value, `TALLY_T_...`, in the width that an attribute has for them.
@usableFromInline
package enum ValueType {
    @inlinable package static var null: UInt8 { UInt8(truncatingIfNeeded: TALLY_T_NULL) }
    @inlinable package static var bool: UInt8 { UInt8(truncatingIfNeeded: TALLY_T_BOOL) }
    @inlinable package static var int: UInt8 { UInt8(truncatingIfNeeded: TALLY_T_INT) }
    @inlinable package static var double: UInt8 { UInt8(truncatingIfNeeded: TALLY_T_DOUBLE) }
    @inlinable package static var string: UInt8 { UInt8(truncatingIfNeeded: TALLY_T_STRING) }
    @inlinable package static var list: UInt8 { UInt8(truncatingIfNeeded: TALLY_T_LIST) }
    @inlinable package static var bytes: UInt8 { UInt8(truncatingIfNeeded: TALLY_T_BYTES) }
}
