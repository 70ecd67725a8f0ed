package import PluginKit

/// A set of fields: 256 bits.
package struct FieldSet: Equatable, Sendable, ExpressibleByArrayLiteral {
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// No field.
    package init() {}

    /// The fields of a list.
    package init(arrayLiteral fields: Field...) {
        for field in fields {
            insert(field)
        }
    }

    /// The fields of some data objects.
    package init(groups: [FieldGroup]) {
        for definition in FieldDefinition.all where groups.contains(definition.group) {
            insert(definition.field)
        }
    }

    /// Whether both hold the same fields.
    package static func == (left: FieldSet, right: FieldSet) -> Bool {
        left.words == right.words
    }

    /// Whether there is none.
    package var isEmpty: Bool { words == (0, 0, 0, 0) }

    /// Whether a field is in it.
    package func contains(_ field: Field) -> Bool {
        let bit = UInt64(1) << UInt64(field.rawValue & 63)
        return switch field.rawValue >> 6 {
        case 0: words.0 & bit != 0
        case 1: words.1 & bit != 0
        case 2: words.2 & bit != 0
        default: words.3 & bit != 0
        }
    }

    /// Puts a field in.
    package mutating func insert(_ field: Field) {
        let bit = UInt64(1) << UInt64(field.rawValue & 63)
        switch field.rawValue >> 6 {
        case 0: words.0 |= bit
        case 1: words.1 |= bit
        case 2: words.2 |= bit
        default: words.3 |= bit
        }
    }

    /// Takes a field out.
    package mutating func remove(_ field: Field) {
        let bit = UInt64(1) << UInt64(field.rawValue & 63)
        switch field.rawValue >> 6 {
        case 0: words.0 &= ~bit
        case 1: words.1 &= ~bit
        case 2: words.2 &= ~bit
        default: words.3 &= ~bit
        }
    }

    /// The fields of both.
    package func union(_ other: FieldSet) -> FieldSet {
        var result = self
        result.words.0 |= other.words.0
        result.words.1 |= other.words.1
        result.words.2 |= other.words.2
        result.words.3 |= other.words.3
        return result
    }

    /// The fields that both have.
    package func intersection(_ other: FieldSet) -> FieldSet {
        var result = self
        result.words.0 &= other.words.0
        result.words.1 &= other.words.1
        result.words.2 &= other.words.2
        result.words.3 &= other.words.3
        return result
    }

    /// The fields that the other does not have.
    package func subtracting(_ other: FieldSet) -> FieldSet {
        var result = self
        result.words.0 &= ~other.words.0
        result.words.1 &= ~other.words.1
        result.words.2 &= ~other.words.2
        result.words.3 &= ~other.words.3
        return result
    }

    /// Calls the closure with the index of each field, in order.
    @inline(__always)
    func forEachIndex(_ body: (Int) -> Void) {
        Self.visit(words.0, from: 0, body)
        Self.visit(words.1, from: 64, body)
        Self.visit(words.2, from: 128, body)
        Self.visit(words.3, from: 192, body)
    }

    @inline(__always)
    private static func visit(_ word: UInt64, from base: Int, _ body: (Int) -> Void) {
        var rest = word
        while rest != 0 {
            body(base + rest.trailingZeroBitCount)
            rest &= rest - 1
        }
    }
}

extension FieldSet: StateValue {
    /// No field.
    package static var blank: FieldSet { FieldSet() }

    /// Carries the set.
    package mutating func carry(by transfer: StateTransfer) {
        transfer.carry(&words.0)
        transfer.carry(&words.1)
        transfer.carry(&words.2)
        transfer.carry(&words.3)
    }
}
