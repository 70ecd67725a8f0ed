internal import PluginABI

/// The types of an attribute's value, `TALLY_T_...`, in the width that an attribute has for them.
package enum ValueType {
    package static var null: UInt8 { UInt8(truncatingIfNeeded: TALLY_T_NULL) }
    package static var bool: UInt8 { UInt8(truncatingIfNeeded: TALLY_T_BOOL) }
    package static var int: UInt8 { UInt8(truncatingIfNeeded: TALLY_T_INT) }
    package static var double: UInt8 { UInt8(truncatingIfNeeded: TALLY_T_DOUBLE) }
    package static var string: UInt8 { UInt8(truncatingIfNeeded: TALLY_T_STRING) }
    package static var list: UInt8 { UInt8(truncatingIfNeeded: TALLY_T_LIST) }
    package static var bytes: UInt8 { UInt8(truncatingIfNeeded: TALLY_T_BYTES) }
}

/// The marks of an attribute, `TALLY_ATTR_...`, in the width that an attribute has for them.
package enum AttributeFlag {
    package static var custom: UInt8 { UInt8(truncatingIfNeeded: TALLY_ATTR_CUSTOM) }
    package static var personal: UInt8 { UInt8(truncatingIfNeeded: TALLY_ATTR_PERSONAL) }
}
