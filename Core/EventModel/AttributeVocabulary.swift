internal import PluginABI

/// The vocabulary's attribute names in tables that live as long as the process.
@safe struct AttributeVocabulary: @unchecked Sendable {
    /// A name with the flags that an attribute has by it alone.
    struct Text {
        let name: UTF8Text
        let flags: UInt8
    }

    /// The one table.
    static let shared = AttributeVocabulary()

    private let table: NameTable
    private let keys: UnsafeMutablePointer<AttributeKey>
    private let texts: UnsafeMutablePointer<Text>

    private init() {
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

    /// The number of a name with a hash, ``AttributeKey/none`` when the vocabulary does not have it.
    @inline(__always)
    func key(named name: UTF8Text, hash: UInt64) -> AttributeKey {
        guard let index = table.index(of: name, hash: hash) else { return .none }
        return unsafe keys[index]
    }

    /// What stands behind a number; a number that is none of the vocabulary's has no name.
    @inline(__always)
    func text(of key: AttributeKey) -> Text {
        guard key.rawValue < 256 else { return unsafe texts[0] }
        return unsafe texts[Int(key.rawValue)]
    }
}
