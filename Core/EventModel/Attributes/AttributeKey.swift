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

/// What the data model says of one well-known attribute.
public struct AttributeDefinition: Sendable {
    /// Types that a well-known attribute can have.
    public enum ValueType: String, Sendable {
        /// UTF-8 text.
        case string
        /// A whole number.
        case int
        /// True or false.
        case bool
    }

    /// The number.
    public let key: AttributeKey
    /// The name: snake_case with the unit in it, in archives and blocks.
    public let name: StaticString
    /// The value's type.
    public let type: ValueType
    /// The unit; empty where the value has none.
    public let unit: StaticString
    /// Who sets it: an information object of the delegate, the call itself, or the core.
    public let setBy: StaticString
    /// Whether it may tell who the viewer is.
    public let personal: Bool
    /// What the attribute says, in one sentence.
    public let meaning: StaticString

    init(
        _ key: AttributeKey,
        _ name: StaticString,
        _ type: ValueType,
        unit: StaticString = "",
        setBy: StaticString,
        personal: Bool = false,
        _ meaning: StaticString
    ) {
        self.key = key
        self.name = name
        self.type = type
        self.unit = unit
        self.setBy = setBy
        self.personal = personal
        self.meaning = meaning
    }
}

/// Names of well-known attributes.
public enum AttributeNames {
    private static let definitions = AttributeDefinition.all
    private static let byNumber: [UInt16] = {
        var places = [UInt16](repeating: .max, count: 256)
        for (index, definition) in AttributeDefinition.all.enumerated() {
            places[Int(definition.key.rawValue)] = UInt16(index)
        }
        return places
    }()

    /// The number of a name, ``AttributeKey/none`` when the vocabulary does not have it.
    public static func key(named name: UTF8Text) -> AttributeKey {
        Vocabulary.shared.key(named: name, hash: NameHash.of(name))
    }

    /// What the vocabulary says of a number, nil for ``AttributeKey/none`` and numbers of later versions.
    public static func definition(of key: AttributeKey) -> AttributeDefinition? {
        guard key.rawValue < 256, byNumber[Int(key.rawValue)] != .max else { return nil }
        return definitions[Int(byNumber[Int(key.rawValue)])]
    }

    /// The flags that an attribute has by its name alone: custom, personal.
    public static func flags(of key: AttributeKey) -> UInt8 {
        key == .none ? AttributeFlag.custom : Vocabulary.shared.text(of: key).flags
    }
}
