public import EventModel
public import TextEncoding

/// Blocks as JSON, in the one form that Tally has for what JSON itself does not have.
///
/// NaN and the infinities are `{"$f":"nan"}`, `{"$f":"inf"}` and `{"$f":"-inf"}`; bytes are `{"$b":"..."}` in Base64.
extension JSONWriter {
    /// Writes text of a block as a key.
    public mutating func key(_ text: UTF8Text) {
        unsafe key(text.bytes)
    }

    /// Writes text of a block.
    public mutating func string(_ text: UTF8Text) {
        unsafe string(text.bytes)
    }

    /// Writes attributes as an object, in their order; one of an unknown type is left out.
    public mutating func object(_ attributes: AttributeList) {
        beginObject()
        for attribute in attributes {
            let value = attribute.value
            if case .unknown = value { continue }
            key(attribute.name)
            self.value(value)
        }
        endObject()
    }

    /// Writes a value; one of an unknown type as null.
    public mutating func value(_ value: ValueView) {
        switch value {
        case .null, .unknown: null()
        case .bool(let truth): bool(truth)
        case .int(let number): int(number)
        case .double(let number): taggedDouble(number)
        case .string(let text): string(text)
        case .bytes(let bytes): taggedBytes(bytes)
        case .list(let list):
            beginArray()
            for element in list {
                self.value(element.value)
            }
            endArray()
        }
    }

    /// Writes a number, also one that JSON does not have.
    public mutating func taggedDouble(_ number: Double) {
        if number.isFinite { return double(number) }
        beginObject()
        key("$f")
        string(number.isNaN ? "nan" as StaticString : number > 0 ? "inf" : "-inf")
        endObject()
    }

    /// Writes bytes of any kind in Base64.
    public mutating func taggedBytes(_ bytes: UTF8Text) {
        beginObject()
        key("$b")
        raw("\"")
        unsafe Base64.append(bytes.bytes, to: buffer)
        buffer.append(UInt8(ascii: "\""))
        endObject()
    }

    /// Writes bytes as a string when they are UTF-8, else in Base64.
    public mutating func stringOrTaggedBytes(_ bytes: UTF8Text) {
        if unsafe isValidUTF8(bytes.bytes) { string(bytes) } else { taggedBytes(bytes) }
    }
}
