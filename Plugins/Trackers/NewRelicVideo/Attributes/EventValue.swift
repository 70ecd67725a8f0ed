package import PluginKit

/// The value of an attribute: a number or a text, since the event API takes nothing else.
package enum EventValue {
    /// A whole number.
    case int(Int64)
    /// Any other number.
    case double(Double)
    /// A text, lent until the event has been recorded.
    case text(UTF8Text)

    /// A truth value, which is the number 1 or 0.
    package static func flag(_ isTrue: Bool) -> EventValue {
        .int(isTrue ? 1 : 0)
    }

    /// A number that is kept in thousandths.
    package static func thousandths(_ number: Int32) -> EventValue {
        number % 1000 == 0 ? .int(Int64(number / 1000)) : .double(Double(number) / 1000)
    }

    /// A number, which is whole if it can be.
    package static func number(_ number: Double) -> EventValue {
        JSONValue.double(number).int.map(EventValue.int) ?? .double(number)
    }

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
        case .double(let number): .double(number)
        case .text(let text): .string(text.string)
        }
    }
}
