/// A field of a message of the protocol: its number in the binary form, and its name in JSON.
struct Field: Sendable {
    let number: UInt32
    let name: StaticString

    init(_ number: UInt32, _ name: StaticString) { (self.number, self.name) = (number, name) }
}

/// A message of the protocol, said once; ``Encoding`` makes both of its forms.
///
/// Every field that is added is written: one that is to be absent is not added.
struct Message: Sendable {
    private(set) var members: [(field: Field, value: FieldValue)] = []

    init(_ members: (Field, FieldValue)?...) {
        for case let (field, value)? in members { self.members.append((field, value)) }
    }

    mutating func add(_ field: Field, _ value: FieldValue) { members.append((field, value)) }
}

/// What a field holds, by how the binary form and JSON have it.
enum FieldValue: Sendable {
    case text(String)
    case truth(Bool)
    /// `int64`; in JSON a text.
    case integer(Int64)
    /// `uint32` and enumerations; in JSON a number.
    case word(UInt32)
    /// `sint32`; in JSON a number.
    case signed(Int32)
    /// `fixed64`; in JSON a text.
    case fixed(UInt64)
    /// `sfixed64`; in JSON a text.
    case signedFixed(Int64)
    case number(Double)
    /// Bytes that JSON has in hexadecimal: those of traces and spans.
    case id([UInt8])
    /// Bytes that JSON has in Base64.
    case bytes([UInt8])
    case message(Message)
    case list([Message])
    /// `repeated uint64`, packed; in JSON texts.
    case counts([UInt64])
    /// `repeated double`, packed.
    case numbers([Double])
    /// Messages that are encoded already, in the encoding of the message around them.
    case encoded([[UInt8]])
}
