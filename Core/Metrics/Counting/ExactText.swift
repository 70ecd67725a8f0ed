/// Text that is equal to another when its bytes are, as everywhere in Tally, and is ordered by them.
///
/// A `String` takes texts for the same that are written in different ways, and which one is kept would be chance.
package struct ExactText: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The text.
    package let description: String

    /// Takes a text.
    package init(_ text: String) { description = text }

    /// Whether the bytes are the same.
    package static func == (left: ExactText, right: ExactText) -> Bool {
        left.description.utf8.elementsEqual(right.description.utf8)
    }

    /// By bytes.
    package static func < (left: ExactText, right: ExactText) -> Bool {
        left.description.utf8.lexicographicallyPrecedes(right.description.utf8)
    }

    /// Hashes the bytes.
    package func hash(into hasher: inout Hasher) {
        for byte in description.utf8 { hasher.combine(byte) }
        hasher.combine(0xFF as UInt8)
    }
}
