internal import PluginABI

/// The vocabulary's names in tables that live as long as the process.
@safe struct Vocabulary: @unchecked Sendable {
    /// A name with the flags that an attribute has by it alone.
    struct Text {
        let name: UTF8Text
        let flags: UInt8
    }

    /// The one table.
    static let shared = Vocabulary()

    @safe private struct Tables {
        let names: NameTable
        let keys: UnsafeMutablePointer<AttributeKey>
        let texts: UnsafeMutablePointer<Text>
        let types: UnsafeMutablePointer<UTF8Text>
    }

    /// Greater than the number of every well-known event type.
    private static let typeCount = 512

    /// One pointer: every block's writer has it.
    private let tables: UnsafeMutablePointer<Tables>

    private init() {
        let definitions = AttributeDefinition.all
        let keys = UnsafeMutablePointer<AttributeKey>.allocate(capacity: definitions.count)
        let texts = UnsafeMutablePointer<Text>.allocate(capacity: 256)
        unsafe texts.initialize(repeating: Text(name: UTF8Text(""), flags: AttributeFlag.custom), count: 256)
        for (index, definition) in definitions.enumerated() {
            unsafe (keys + index).initialize(to: definition.key)
            unsafe texts[Int(definition.key.rawValue)] = Text(
                name: UTF8Text(definition.name),
                flags: definition.personal ? AttributeFlag.personal : 0
            )
        }
        let types = UnsafeMutablePointer<UTF8Text>.allocate(capacity: Self.typeCount)
        unsafe types.initialize(repeating: UTF8Text(""), count: Self.typeCount)
        for definition in EventDefinition.all {
            unsafe types[Int(definition.type.rawValue)] = UTF8Text(definition.name)
        }
        unsafe tables = .allocate(capacity: 1)
        unsafe tables.initialize(
            to: Tables(names: NameTable(names: definitions.map(\.name)), keys: keys, texts: texts, types: types)
        )
    }

    /// The number of a name with a hash, ``AttributeKey/none`` when the vocabulary does not have it.
    @inline(__always)
    func key(named name: UTF8Text, hash: UInt64) -> AttributeKey {
        guard let index = unsafe tables.pointee.names.index(of: name, hash: hash) else { return .none }
        return unsafe tables.pointee.keys[index]
    }

    /// What stands behind a number; a number that is none of the vocabulary's has no name.
    @inline(__always)
    func text(of key: AttributeKey) -> Text {
        guard key.rawValue < 256 else { return unsafe tables.pointee.texts[0] }
        return unsafe tables.pointee.texts[Int(key.rawValue)]
    }

    /// The name of a well-known event type, empty for every other number.
    @inline(__always)
    func name(of type: EventType) -> UTF8Text {
        guard type.rawValue < Self.typeCount else { return UTF8Text("") }
        return unsafe tables.pointee.types[Int(type.rawValue)]
    }
}
