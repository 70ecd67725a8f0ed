/// What is wrong with an argument of `loadMetadata` or `play`: which key, and why.
package struct MetadataProblem: Error, Equatable, Sendable {
    /// The key, or the name of the argument when it is wrong as a whole.
    package let key: String
    /// One line for people.
    package let message: String

    /// Names a key and what is wrong with it.
    package init(_ key: String, _ message: String) {
        self.key = key
        self.message = message
    }
}
