/// A number in the one form that Tally has for it.
///
/// A number that is integral and below 2^53 in magnitude is an integer, every other one a double; negative zero is 0.
/// So a value is the same whether it came from a player, from an archive or from another language. All NaNs are one.
public enum CanonicalNumber: Equatable, Sendable {
    /// Integral and below 2^53 in magnitude.
    case int(Int64)
    /// Every other number, infinities and NaN included.
    case double(Double)

    /// The first magnitude that an integer no longer has.
    @inlinable public static var integerLimit: Int64 { 1 << 53 }

    /// Makes an integer canonical: at 2^53 and above it becomes a double.
    @inlinable
    public init(_ value: Int64) {
        if value > -Self.integerLimit && value < Self.integerLimit {
            self = .int(value)
        } else {
            self = .double(Double(value))
        }
    }

    /// Makes the double of a record, which stays one when it is integral; there is one zero and one NaN.
    ///
    /// Who reads records as lines knows by it that a column has fractions.
    @inlinable
    public init(ofRecord value: Double) {
        self = .double(value.isNaN ? .nan : value + 0)
    }

    /// Makes a double canonical: an integral one below 2^53 becomes an integer.
    @inlinable
    public init(_ value: Double) {
        let limit = Double(Self.integerLimit)
        if value > -limit, value < limit, value == value.rounded(.towardZero) {
            self = .int(Int64(value))
        } else {
            self = .double(value.isNaN ? .nan : value)
        }
    }
}
