internal import Glibc
internal import PluginABI

/// Numbers and marks of attributes' names.
public enum AttributeNames {
    /// The number of a name, ``AttributeKey/none`` when the vocabulary does not have it.
    public static func key(named name: UTF8Text) -> AttributeKey {
        Vocabulary.shared.key(named: name, hash: NameHash.of(name))
    }

    /// Whether an attribute of this name may tell who the viewer is.
    package static func isPersonal(_ name: String) -> Bool {
        var name = name
        return name.withUTF8 { bytes in
            guard let start = bytes.baseAddress else { return false }
            let text = unsafe UTF8Text(start: start, count: bytes.count)
            return flags(of: key(named: text)) & AttributeFlag.personal != 0
        }
    }

    /// The flags that an attribute has by its name alone: custom, personal.
    public static func flags(of key: AttributeKey) -> UInt8 {
        Vocabulary.shared.text(of: key).flags
    }
}

/// Names of event types: the vocabulary's, and those given a number when they are first met.
///
/// Thread-safe. Numbers at ``EventType/firstUnknown`` and above differ from process to process; of unknown names beyond
/// ``Limits/unknownTypes`` all have the last number.
public enum EventTypeNames {
    private static let table = NameTable(names: EventType.wellKnown.map(\.name))
    private static let unknown = UnknownTypeNames()

    /// The type with a name: a well-known one, or one that is given a number now.
    public static func type(named name: UTF8Text) -> EventType {
        wellKnown(named: name) ?? unknown.type(named: name)
    }

    /// The well-known type with a name, nil when the vocabulary does not have it.
    public static func wellKnown(named name: UTF8Text) -> EventType? {
        table.index(of: name, hash: NameHash.of(name)).map { EventType.wellKnown[$0].type }
    }

    /// The name of a well-known type, nil for every other number.
    public static func name(of type: EventType) -> UTF8Text? {
        let name = Vocabulary.shared.name(of: type)
        return name.count > 0 ? name : nil
    }
}

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
        let attributes = AttributeKey.wellKnown
        let keys = UnsafeMutablePointer<AttributeKey>.allocate(capacity: attributes.count)
        let texts = UnsafeMutablePointer<Text>.allocate(capacity: 256)
        unsafe texts.initialize(repeating: Text(name: UTF8Text(""), flags: AttributeFlag.custom), count: 256)
        for (index, attribute) in attributes.enumerated() {
            unsafe (keys + index).initialize(to: attribute.key)
            let flags = attribute.isPersonal ? AttributeFlag.personal : 0
            unsafe texts[Int(attribute.key.rawValue)] = Text(name: UTF8Text(attribute.name), flags: flags)
        }
        let types = UnsafeMutablePointer<UTF8Text>.allocate(capacity: Self.typeCount)
        unsafe types.initialize(repeating: UTF8Text(""), count: Self.typeCount)
        for event in EventType.wellKnown {
            unsafe types[Int(event.type.rawValue)] = UTF8Text(event.name)
        }
        unsafe tables = .allocate(capacity: 1)
        unsafe tables.initialize(
            to: Tables(names: NameTable(names: attributes.map(\.name)), keys: keys, texts: texts, types: types)
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

/// Numbers for the event types that no version of the vocabulary known here has.
///
/// Thread-safe. Names are told apart by their bytes. There is a limit to how many get a number of their own, so that an
/// archive full of made-up names does not fill the memory: the name in the block always tells what a type is.
@safe package final class UnknownTypeNames: @unchecked Sendable {
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private var numbers: [[UInt8]: UInt32] = [:]

    /// Begins without names.
    package init() {
        unsafe lock = .allocate(capacity: 1)
        unsafe pthread_mutex_init(lock, nil)
    }

    deinit {
        unsafe pthread_mutex_destroy(lock)
        unsafe lock.deallocate()
    }

    /// The number of a name; one is given out when it is new, the last of all when there are too many.
    package func type(named name: UTF8Text) -> EventType {
        unsafe pthread_mutex_lock(lock)
        defer { unsafe pthread_mutex_unlock(lock) }
        let name = unsafe [UInt8](name.bytes)
        if let number = numbers[name] { return EventType(rawValue: number) }
        guard numbers.count < Limits.unknownTypes else { return EventType(rawValue: .max) }
        let number = EventType.firstUnknown + UInt32(numbers.count)
        numbers[name] = number
        return EventType(rawValue: number)
    }
}
