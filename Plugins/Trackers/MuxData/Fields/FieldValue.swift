package import PluginKit

/// The value of a field.
package enum FieldValue: Equatable, Sendable {
    /// Not known.
    case absent
    /// A whole number.
    case int(Int64)
    /// A number with a fraction.
    case double(Double)
    /// True or false.
    case flag(Bool)
    /// Text.
    case text(String)
    /// JSON text, which a beacon holds as it is and a record as text.
    case json(String)

    /// The value of an attribute that an application set; nil for one that no field can have.
    init?(_ value: ValueView) {
        switch value {
        case .bool(let truth): self = .flag(truth)
        case .int(let number): self = .int(number)
        case .double(let number): self = number.isFinite ? .double(number) : .absent
        case .string(let text): self = .text(text.string)
        case .null: self = .absent
        case .list, .bytes, .unknown: return nil
        }
    }

    /// The number of seconds of a time in milliseconds.
    static func seconds(milliseconds: Int64) -> FieldValue {
        milliseconds % 1000 == 0 ? .int(milliseconds / 1000) : .double(Double(milliseconds) / 1000)
    }

    /// Writes the value into a beacon; text that is longer than the vendor's limit is cut.
    package func write(to writer: inout JSONWriter) {
        switch self {
        case .absent: writer.null()
        case .int(let number): writer.int(number)
        case .double(let number):
            if number.magnitude < 1e15, Double(Int64(number)) == number {
                writer.int(Int64(number))
            } else {
                writer.double(number)
            }
        case .flag(let truth): writer.bool(truth)
        case .text(let text): writer.string(Self.cut(text))
        case .json(let text): writer.raw(text)
        }
    }

    /// The longest text in a beacon, bytes.
    static let longestText = 50 * 1024

    private static func cut(_ text: String) -> String {
        guard text.utf8.count > longestText else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: longestText)
        while String.Index(end, within: text.unicodeScalars) == nil {
            end = text.utf8.index(before: end)
        }
        return String(text[..<end])
    }
}

extension FieldValue: StateValue {
    /// No value.
    package static var blank: FieldValue { .absent }

    /// Carries the kind of value, and the value.
    package mutating func carry(by transfer: StateTransfer) {
        var kind = Int64(0)
        var (number, fraction, truth, text) = (Int64(0), 0.0, false, "")
        switch self {
        case .absent: break
        case .int(let value): (kind, number) = (1, value)
        case .double(let value): (kind, fraction) = (2, value)
        case .flag(let value): (kind, truth) = (3, value)
        case .text(let value): (kind, text) = (4, value)
        case .json(let value): (kind, text) = (5, value)
        }
        transfer.carry(&kind)
        switch kind {
        case 1: transfer.carry(&number)
        case 2: transfer.carry(&fraction)
        case 3: transfer.carry(&truth)
        case 4, 5: transfer.carry(&text)
        default: break
        }
        guard transfer.isLoading else { return }
        switch kind {
        case 0: self = .absent
        case 1: self = .int(number)
        case 2: self = .double(fraction)
        case 3: self = .flag(truth)
        case 4: self = .text(text)
        case 5: self = .json(text)
        default: transfer.fail("\(kind) is no kind of value")
        }
    }
}
