/// The form of numbers in JSON, which is narrower than what ``NumberText`` reads.
enum NumberForm {
    /// Whether bytes are a number.
    static func isNumber(_ text: UnsafeRawBufferPointer) -> Bool {
        var place = unsafe text.first == UInt8(ascii: "-") ? 1 : 0
        let whole = unsafe digits(text, &place)
        guard whole > 0, unsafe whole == 1 || text[place - whole] != UInt8(ascii: "0") else { return false }
        if place < text.count, unsafe text[place] == UInt8(ascii: ".") {
            place += 1
            guard unsafe digits(text, &place) > 0 else { return false }
        }
        if place < text.count, unsafe text[place] | 0x20 == UInt8(ascii: "e") {
            place += 1
            if place < text.count, unsafe text[place] == UInt8(ascii: "+") || text[place] == UInt8(ascii: "-") {
                place += 1
            }
            guard unsafe digits(text, &place) > 0 else { return false }
        }
        return place == text.count
    }

    /// Passes over digits and tells how many.
    private static func digits(_ text: UnsafeRawBufferPointer, _ place: inout Int) -> Int {
        let first = place
        while place < text.count, unsafe text[place] &- 0x30 <= 9 {
            place += 1
        }
        return place - first
    }

    /// Whether a byte may follow a digit within a number.
    @inline(__always)
    static func continues(_ byte: UInt8) -> Bool {
        switch byte {
        // What follows a number in nearly every line.
        case UInt8(ascii: ","), UInt8(ascii: "}"): false
        case 0x30...0x39, UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "+"),
            UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
