/// A value with storage of its own, for attributes that are lists and for values that have to be kept.
public indirect enum PlainValue: Equatable, Sendable {
    /// Said to be nothing.
    case null
    /// True or false.
    case bool(Bool)
    /// A whole number; at 2^53 and above it is written as a double.
    case int(Int64)
    /// A number; an integral one is written as an integer.
    case double(Double)
    /// Text.
    case string(String)
    /// Values one after another.
    case list([PlainValue])
    /// Any bytes.
    case bytes([UInt8])

    /// Copies a value out of a block.
    public init(_ view: ValueView) {
        switch view {
        case .null, .unknown: self = .null
        case .bool(let truth): self = .bool(truth)
        case .int(let number): self = .int(number)
        case .double(let number): self = .double(number)
        case .string(let text): self = .string(text.string)
        case .list(let list): self = .list(list.map { PlainValue($0.value) })
        case .bytes(let bytes): self = unsafe .bytes([UInt8](bytes.bytes))
        }
    }
}
