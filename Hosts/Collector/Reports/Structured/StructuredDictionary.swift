/// A dictionary of structured fields (RFC 8941): keys with values, in their order.
///
/// Beyond the RFC, strings may have UTF-8 in them, and the dates of RFC 9651 are read.
package struct StructuredDictionary: Equatable, Sendable {
    /// The members, each key once; of equal keys the last value counts, in the first one's place.
    package internal(set) var members: [Member] = []

    /// Makes a dictionary without members.
    package init() {}

    /// One key with its value.
    package struct Member: Equatable, Sendable {
        /// The key.
        package let key: String
        /// The value; true when there was none.
        package var value: Value
    }

    /// What a key has.
    package enum Value: Equatable, Sendable {
        /// One value.
        case item(Item)
        /// Values in parentheses; what is said of the whole list is left out.
        case list([Item])
    }

    /// A value with its parameters.
    package struct Item: Equatable, Sendable {
        /// The value.
        package let value: Bare
        /// What is said of it, each name once.
        package let parameters: [Parameter]
    }

    /// One thing that is said of a value.
    package struct Parameter: Equatable, Sendable {
        /// Its name.
        package let name: String
        /// Its value; true when there was none.
        package var value: Bare
    }

    /// A value by itself.
    package enum Bare: Equatable, Sendable {
        /// A whole number of at most 15 digits.
        case integer(Int64)
        /// A number with a point, in thousandths.
        case decimal(thousandths: Int64)
        /// Text in quotes.
        case string(String)
        /// A word without quotes.
        case token(String)
        /// Bytes, as the Base64 that they came in.
        case bytes(base64: String)
        /// True or false.
        case boolean(Bool)
        /// A date, s since 1970.
        case date(Int64)
    }

    /// The value of a key; nil when it is not there.
    package subscript(key: String) -> Value? {
        members.first { $0.key == key }?.value
    }

    /// Adds the members of another dictionary; of equal keys the other's value counts.
    package mutating func merge(_ other: StructuredDictionary) {
        for member in other.members { set(member.key, member.value) }
    }

    /// Puts a member at the end, or its value in the place of the one before.
    mutating func set(_ key: String, _ value: Value) {
        if let place = members.firstIndex(where: { $0.key == key }) {
            members[place].value = value
        } else {
            members.append(Member(key: key, value: value))
        }
    }
}
