/// A break whose ads are part of the stream itself.
package struct StreamBreak: Sendable, Equatable {
    /// A part of the break.
    package struct Ad: Sendable, Equatable {
        /// The identifier of its date range.
        package var id: String
        /// When it begins, in microseconds since 1970.
        package var startUs: Int64
        /// When it ends; nil as long as nobody knows.
        package var endUs: Int64?
    }

    /// The identifier of its date range.
    package var id: String
    /// When it begins, in microseconds since 1970.
    package var startUs: Int64
    /// When it ends; nil as long as nobody knows.
    package var endUs: Int64?
    /// What it consists of, in order; never empty.
    package var ads: [Ad]
}
