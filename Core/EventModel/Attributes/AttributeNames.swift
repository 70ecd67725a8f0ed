internal import PluginABI

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
