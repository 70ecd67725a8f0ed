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
