package import PluginKit

/// The attributes of the event that is being made, in their order; the memory is used again for the next event.
package struct EventAttributes {
    /// The attributes, each name once.
    package private(set) var list: [EventAttribute] = []

    /// Makes an empty list with memory for an event.
    package init(capacity: Int = 64) { list.reserveCapacity(capacity) }

    /// Lists that nobody fills: an event may be said while another one is put together.
    private final class Spare {
        var lists: [EventAttributes] = []
    }

    private static let spare = ThreadShared { Spare() }

    /// An empty list with memory that all trackers use which the thread drives; give it back with ``rest()``.
    static func lend() -> EventAttributes { spare.value.lists.popLast() ?? EventAttributes() }

    /// Forgets all attributes, and leaves the memory to the thread's next event.
    consuming func rest() {
        removeAll()
        Self.spare.value.lists.append(self)
    }

    /// Forgets all attributes.
    package mutating func removeAll() { list.removeAll(keepingCapacity: true) }

    /// Puts an attribute at the end; the caller knows that the name is new.
    package mutating func append(_ name: UTF8Text, _ value: EventValue) {
        list.append(EventAttribute(name: name, value: value))
    }

    /// Sets an attribute: one that is there keeps its place and gets the value.
    package mutating func set(_ name: UTF8Text, _ value: EventValue) {
        if let index = list.firstIndex(where: { $0.name == name }) {
            list[index].value = value
        } else {
            append(name, value)
        }
    }

    /// The value of an attribute, nil when it is not there.
    package func value(of name: UTF8Text) -> EventValue? { list.first { $0.name == name }?.value }

    /// Takes an attribute away, if it is there.
    package mutating func remove(_ name: UTF8Text) { list.removeAll { $0.name == name } }

    /// Gives an attribute another name, in its place; one that has that name already makes way.
    package mutating func rename(_ name: UTF8Text, to newName: UTF8Text) {
        guard name != newName, let value = value(of: name) else { return }
        remove(newName)
        guard let index = list.firstIndex(where: { $0.name == name }) else { return }
        list[index] = EventAttribute(name: newName, value: value)
    }

    /// Changes the texts among the values from a place on.
    package mutating func replaceTexts(from start: Int, _ replace: (UTF8Text) -> UTF8Text?) {
        for index in list.indices.dropFirst(start) {
            guard case .text(let text) = list[index].value, let new = replace(text) else { continue }
            list[index].value = .text(new)
        }
    }
}

/// A named value of an event.
package struct EventAttribute {
    /// The name.
    package let name: UTF8Text
    /// The value.
    package var value: EventValue
}

/// The value of an attribute: a number or a text, since the event API takes nothing else.
package enum EventValue {
    /// A whole number.
    case int(Int64)
    /// Any other number.
    case double(Double)
    /// A number that may have a fraction: a request has it as a whole one if it can be, a record never.
    case decimal(Double)
    /// A text, lent until the event has been recorded.
    case text(UTF8Text)

    /// A number as a request and an answer have it: whole if it can be.
    static func shortest(_ number: Double) -> JSONValue {
        let value = JSONValue.double(number)
        return value.int.map { .int($0) } ?? value
    }

    /// A truth value, which is the number 1 or 0.
    package static func flag(_ isTrue: Bool) -> EventValue { .int(isTrue ? 1 : 0) }

    /// A number that is kept in thousandths.
    package static func thousandths(_ number: Int32) -> EventValue { .decimal(Double(number) / 1000) }

    /// The value of a player event's attribute; nil for nothing, lists and bytes.
    package init?(_ value: ValueView) {
        switch value {
        case .bool(let isTrue): self = .flag(isTrue)
        case .int(let number): self = .int(number)
        case .double(let number): self = .double(number)
        case .string(let text): self = .text(text)
        case .null, .list, .bytes, .unknown: return nil
        }
    }

    /// A value with storage of its own, whose text is kept in the pool; nil for nothing, lists and bytes.
    package init?(_ value: PlainValue, in texts: TextPool) {
        switch value {
        case .bool(let isTrue): self = .flag(isTrue)
        case .int(let number): self = .int(number)
        case .double(let number): self = .double(number)
        case .string(let text): self = .text(texts.keep(text))
        case .null, .list, .bytes: return nil
        }
    }

    /// A copy with storage of its own.
    package var plain: PlainValue {
        switch self {
        case .int(let number): .int(number)
        case .double(let number), .decimal(let number): .double(number)
        case .text(let text): .string(text.string)
        }
    }
}

/// What an event says besides what every event says.
package enum EventDetail {
    /// Nothing.
    case none
    /// Why playback waits for data.
    case buffer(StaticString)
    /// Whether the new rendition is better, nil when that is not known.
    case rendition(RenditionShift?)
    /// What failed, as far as it is known.
    case error(message: UTF8Text?, domain: UTF8Text?, code: Int64?)
    /// The attributes of the application's own event.
    case custom(AttributeList)
    /// The attributes that a command or a custom tracker gives its own event.
    case given([AttributeSetting])
    /// Time played since the heartbeat before, ms (generation B).
    case heartbeat(elapsed: Int64)
    /// The figures of the view.
    case quality(QualityFigures)

    /// Whether the action is the application's own.
    var isOwn: Bool {
        switch self {
        case .custom, .given: true
        default: false
        }
    }

    /// The value of an attribute that only some actions have.
    func value(of attribute: StandardAttribute) -> EventValue? {
        switch (attribute, self) {
        case (.bufferType, .buffer(let type)): .text(UTF8Text(type))
        case (.shift, .rendition(let shift?)): .text(UTF8Text(shift.text))
        case (.errorMessage, .error(let message, _, _)): message.map(EventValue.text)
        case (.errorDomain, .error(_, let domain, _)): domain.map(EventValue.text)
        case (.errorCode, .error(_, _, let code)): code.map(EventValue.int)
        case (.elapsedTime, .heartbeat(let elapsed)): .int(elapsed)
        case (_, .quality(let figures)): figures.value(of: attribute)
        default: nil
        }
    }
}

/// Whether a rendition is better than the one before.
package enum RenditionShift: String, Sendable {
    /// Better.
    case up
    /// Worse.
    case down

    /// The value of `shift`.
    package var text: StaticString { self == .up ? "up" : "down" }
}
