internal import Glibc

/// Names of event types: the vocabulary's, and those given a number when they are first met.
///
/// Thread-safe. Numbers at ``EventType/firstUnknown`` and above differ from process to process; of unknown names beyond
/// ``Limits/unknownTypes`` all have the last number.
public enum EventTypeNames {
    private static let definitions = EventDefinition.all
    private static let table = NameTable(names: EventDefinition.all.map(\.name))
    private static let byNumber: [UInt16] = {
        var places = [UInt16](repeating: .max, count: 512)
        for (index, definition) in EventDefinition.all.enumerated() {
            places[Int(definition.type.rawValue)] = UInt16(index)
        }
        return places
    }()
    private static let unknown = UnknownTypeNames()

    /// The type with a name: a well-known one, or one that is given a number now.
    public static func type(named name: UTF8Text) -> EventType {
        wellKnown(named: name) ?? unknown.type(named: name)
    }

    /// The well-known type with a name, nil when the vocabulary does not have it.
    public static func wellKnown(named name: UTF8Text) -> EventType? {
        table.index(of: name).map { definitions[$0].type }
    }

    /// The name of a well-known type, nil for every other number.
    public static func name(of type: EventType) -> StaticString? {
        guard type.rawValue < 512, byNumber[Int(type.rawValue)] != .max else { return nil }
        return definitions[Int(byNumber[Int(type.rawValue)])].name
    }
}

/// Numbers for the event types that no version of the vocabulary known here has.
///
/// Thread-safe.
///
/// Names are told apart by their bytes. There is a limit to how many get a number of their own, so that an archive full
/// of made-up names does not fill the memory: the name in the block always tells what a type is.
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
        if let number = numbers[name] {
            return EventType(rawValue: number)
        }
        guard numbers.count < Limits.unknownTypes else { return EventType(rawValue: .max) }
        let number = EventType.firstUnknown + UInt32(numbers.count)
        numbers[name] = number
        return EventType(rawValue: number)
    }
}
