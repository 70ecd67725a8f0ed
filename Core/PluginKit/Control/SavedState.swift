public import TextEncoding

/// A tracker's state on its way from one instance to the next: values by name, carried as JSON text.
///
/// What ``StateTransferring`` saves is the ``bytes`` of one of these, and what it loads begins with ``init(bytes:)``. Reading
/// throws a ``TrackerFault`` with the name of what is missing or of another kind, which refuses the replacement.
public struct SavedState: Sendable, Equatable {
    private var members = JSONObject()

    /// Holds nothing yet.
    public init() {}

    /// Reads what ``bytes`` gave.
    public init(bytes: [UInt8]) throws(TrackerFault) {
        let value: JSONValue
        do throws(JSONParseError) {
            value = try JSONParser().parse(bytes)
        } catch {
            throw TrackerFault("the saved state cannot be read: \(error)")
        }
        try self.init(value, named: "the saved state")
    }

    private init(_ value: JSONValue, named name: String) throws(TrackerFault) {
        guard let members = value.object else { throw TrackerFault("\(name) is \(value.kind), not an object") }
        self.members = members
    }

    /// What ``StateTransferring/saveState()`` hands over.
    public var bytes: [UInt8] { Array(JSONValue.object(members).canonicalText.utf8) }

    /// The value of a name as it is, null when there is none; null takes it away.
    public subscript(name: String) -> JSONValue {
        get { members[name] ?? .null }
        set { members[name] = newValue.isNull ? nil : newValue }
    }

    // MARK: - Writing

    /// Keeps a text; nil keeps nothing.
    public mutating func set(_ name: String, _ text: String?) {
        self[name] = text.map { .string($0) } ?? .null
    }

    /// Keeps a number; nil keeps nothing.
    public mutating func set(_ name: String, _ number: Int64?) {
        self[name] = number.map { .int($0) } ?? .null
    }

    /// Keeps a truth value.
    public mutating func set(_ name: String, _ flag: Bool) {
        self[name] = .bool(flag)
    }

    /// Keeps numbers in their order.
    public mutating func set(_ name: String, _ numbers: [Int64]) {
        self[name] = .array(numbers.map { .int($0) })
    }

    /// Keeps texts in their order.
    public mutating func set(_ name: String, _ texts: [String]) {
        self[name] = .array(texts.map { .string($0) })
    }

    /// Keeps a part; nil keeps nothing.
    public mutating func set(_ name: String, _ part: (some StatePart)?) {
        self[name] = part.map { .object($0.saved.members) } ?? .null
    }

    /// Keeps parts in their order.
    public mutating func set(_ name: String, _ parts: [some StatePart]) {
        self[name] = .array(parts.map { .object($0.saved.members) })
    }

    // MARK: - Reading

    /// A text that was kept.
    public func text(_ name: String) throws(TrackerFault) -> String {
        guard let text = self[name].string else { throw wrong(name, "a text") }
        return text
    }

    /// A text, nil when none was kept.
    public func optionalText(_ name: String) throws(TrackerFault) -> String? {
        self[name].isNull ? nil : try text(name)
    }

    /// A number that was kept.
    public func number(_ name: String) throws(TrackerFault) -> Int64 {
        guard let number = self[name].int else { throw wrong(name, "a whole number") }
        return number
    }

    /// A number, nil when none was kept.
    public func optionalNumber(_ name: String) throws(TrackerFault) -> Int64? {
        self[name].isNull ? nil : try number(name)
    }

    /// A truth value that was kept.
    public func flag(_ name: String) throws(TrackerFault) -> Bool {
        guard let flag = self[name].bool else { throw wrong(name, "true or false") }
        return flag
    }

    /// Numbers that were kept.
    public func numbers(_ name: String) throws(TrackerFault) -> [Int64] {
        try elements(name).map { (element) throws(TrackerFault) in
            guard let number = element.int else { throw wrong(name, "whole numbers") }
            return number
        }
    }

    /// Texts that were kept.
    public func texts(_ name: String) throws(TrackerFault) -> [String] {
        try elements(name).map { (element) throws(TrackerFault) in
            guard let text = element.string else { throw wrong(name, "texts") }
            return text
        }
    }

    /// A part that was kept.
    public func part<Part: StatePart>(_ name: String, _ type: Part.Type = Part.self) throws(TrackerFault) -> Part {
        try Part(saved: SavedState(self[name], named: name))
    }

    /// A part, nil when none was kept.
    public func optionalPart<Part: StatePart>(
        _ name: String,
        _ type: Part.Type = Part.self
    ) throws(TrackerFault) -> Part? {
        self[name].isNull ? nil : try part(name)
    }

    /// Parts that were kept.
    public func parts<Part: StatePart>(_ name: String, _ type: Part.Type = Part.self) throws(TrackerFault) -> [Part] {
        try elements(name).map { (element) throws(TrackerFault) in try Part(saved: SavedState(element, named: name)) }
    }

    private func elements(_ name: String) throws(TrackerFault) -> [JSONValue] {
        guard let elements = self[name].array else { throw wrong(name, "an array") }
        return elements
    }

    private func wrong(_ name: String, _ expected: String) -> TrackerFault {
        TrackerFault("the saved state has \(self[name].kind) for \"\(name)\"; \(expected) is needed")
    }
}
