package import TextEncoding

/// One value that a host works with, and where it comes from.
package struct EffectiveSetting: Sendable, Equatable {
    /// The key of the configuration, or the option.
    package let key: String
    /// The value.
    package let value: JSONValue
    /// The place: file, line and column, an option, or `default`.
    package let place: String

    /// Names a value and its place.
    package init(_ key: String, _ value: JSONValue, _ place: String) {
        self.key = key
        self.value = value
        self.place = place
    }
}
