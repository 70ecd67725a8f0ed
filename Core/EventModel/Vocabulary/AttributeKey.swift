public import PluginABI

/// A well-known attribute's number; 0 stands for a name that only its text tells.
public struct AttributeKey: RawRepresentable, Hashable, Sendable {
    /// The number as it stands in `tally_attr.key_id`.
    public let rawValue: UInt16

    /// Takes a number as it stands in a block.
    @inlinable
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Whether both are the same number.
    @inlinable
    public static func == (left: AttributeKey, right: AttributeKey) -> Bool {
        left.rawValue == right.rawValue
    }

    /// The number of every name that is not in the vocabulary.
    @inlinable public static var none: AttributeKey { AttributeKey(rawValue: 0) }
}

/// The marks of an attribute, `TALLY_ATTR_...`, in the width that an attribute has for them.
@usableFromInline
package enum AttributeFlag {
    @inlinable package static var custom: UInt8 { UInt8(truncatingIfNeeded: TALLY_ATTR_CUSTOM) }
    @inlinable package static var personal: UInt8 { UInt8(truncatingIfNeeded: TALLY_ATTR_PERSONAL) }
}
