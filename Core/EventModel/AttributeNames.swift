internal import PluginABI

/// Names of well-known attributes.
public enum AttributeNames {
    private static let definitions = AttributeDefinition.all
    private static let vocabulary = AttributeVocabulary()
    private static let byNumber: [UInt16] = {
        var places = [UInt16](repeating: .max, count: 256)
        for (index, definition) in AttributeDefinition.all.enumerated() {
            places[Int(definition.key.rawValue)] = UInt16(index)
        }
        return places
    }()

    /// The number of a name, ``AttributeKey/none`` when the vocabulary does not have it.
    public static func key(named name: UTF8Text) -> AttributeKey {
        vocabulary.key(named: name)
    }

    /// What the vocabulary says of a number, nil for ``AttributeKey/none`` and numbers of later versions.
    public static func definition(of key: AttributeKey) -> AttributeDefinition? {
        guard key.rawValue < 256, byNumber[Int(key.rawValue)] != .max else { return nil }
        return definitions[Int(byNumber[Int(key.rawValue)])]
    }

    /// The flags that an attribute has by its name alone: custom, personal.
    public static func flags(of key: AttributeKey) -> UInt8 {
        key == .none ? TALLY_ATTR_CUSTOM : vocabulary.text(of: key).flags
    }

    /// The name of a well-known number and the flags that it has by its name; an unknown number has no name.
    package static func nameAndFlags(of key: AttributeKey) -> (UTF8Text, UInt8) {
        let known = vocabulary.text(of: key)
        return (known.name, known.flags)
    }
}

/// The vocabulary's attribute names in tables that live as long as the process.
@safe private struct AttributeVocabulary: @unchecked Sendable {
    struct Text {
        let name: UTF8Text
        let flags: UInt8
    }

    private let table: NameTable
    private let keys: UnsafeMutablePointer<AttributeKey>
    private let texts: UnsafeMutablePointer<Text>

    init() {
        let definitions = AttributeDefinition.all
        table = NameTable(names: definitions.map(\.name))
        unsafe keys = .allocate(capacity: definitions.count)
        unsafe texts = .allocate(capacity: 256)
        unsafe texts.initialize(repeating: Text(name: UTF8Text(""), flags: TALLY_ATTR_CUSTOM), count: 256)
        for (index, definition) in definitions.enumerated() {
            unsafe (keys + index).initialize(to: definition.key)
            unsafe texts[Int(definition.key.rawValue)] = Text(
                name: UTF8Text(definition.name), flags: definition.personal ? TALLY_ATTR_PERSONAL : 0)
        }
    }

    func key(named name: UTF8Text) -> AttributeKey {
        guard let index = table.index(of: name) else { return .none }
        return unsafe keys[index]
    }

    func text(of key: AttributeKey) -> Text {
        guard key.rawValue < 256 else { return Text(name: UTF8Text(""), flags: TALLY_ATTR_CUSTOM) }
        return unsafe texts[Int(key.rawValue)]
    }
}
