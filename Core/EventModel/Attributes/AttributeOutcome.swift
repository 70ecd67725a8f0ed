/// What became of an attribute that was handed to an encoder.
public enum AttributeOutcome: Equatable, Sendable, CustomStringConvertible {
    /// It is in the block.
    case written
    /// The name is empty or longer than ``Limits/nameBytes``.
    case badName
    /// The value is longer than ``Limits/valueBytes`` or nested deeper than ``Limits/listDepth``.
    case valueTooLarge
    /// There are ``Limits/attributes`` attributes already.
    case tooMany
    /// The block is full.
    case blockFull

    /// What became of it, for people.
    public var description: String {
        switch self {
        case .written: "it was written"
        case .badName: "the name is empty or longer than \(Limits.nameBytes) bytes"
        case .valueTooLarge:
            "the value is larger than \(Limits.valueBytes) bytes or nested deeper than \(Limits.listDepth)"
        case .tooMany: "there are more than \(Limits.attributes) attributes"
        case .blockFull: "the event is larger than \(Limits.eventBytes) bytes"
        }
    }
}
