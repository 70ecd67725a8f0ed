/// What became of an attribute that was handed to an encoder.
public enum AttributeOutcome: Equatable, Sendable {
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
}
