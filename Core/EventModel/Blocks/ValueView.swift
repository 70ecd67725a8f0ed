/// A value in a block, lent as long as the block is.
public enum ValueView {
    /// Said to be nothing.
    case null
    /// True or false.
    case bool(Bool)
    /// An integral number below 2^53 in magnitude.
    case int(Int64)
    /// Every other number.
    case double(Double)
    /// Text.
    case string(UTF8Text)
    /// Values one after another.
    case list(AttributeList)
    /// Any bytes.
    case bytes(UTF8Text)
    /// A type that this version does not know.
    case unknown
}
