internal import EventModel

/// The rest of a line, taken in the very form in which Tally writes it: no white space, one order of members.
///
/// It only saves time: what it does not take is left to ``LineCursor``, which reads all of JSON.
@safe struct CanonicalText {
    private(set) var next: UnsafePointer<UInt8>
    private let end: UnsafePointer<UInt8>

    init(next: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) {
        unsafe self.next = unsafe next
        unsafe self.end = unsafe end
    }

    /// Whether nothing is left.
    var isAtEnd: Bool { unsafe next == end }

    /// Consumes these bytes if they come next.
    @inline(__always)
    mutating func consume(_ text: UTF8Text) -> Bool {
        guard unsafe end - next >= text.count, unsafe UTF8Text(start: next, count: text.count) == text else {
            return false
        }
        unsafe next += text.count
        return true
    }

    /// Consumes these bytes if they come next.
    @inline(__always)
    mutating func consume(_ literal: StaticString) -> Bool { consume(UTF8Text(literal)) }

    /// Takes an integer without a sign, of at most 18 digits, that ends with its member or its object.
    @inline(__always)
    mutating func integer() -> Int64? {
        var place = unsafe next
        var value: UInt64 = 0
        while unsafe place < end, case let digit = unsafe place.pointee &- 0x30, digit <= 9 {
            value = value &* 10 &+ UInt64(digit)
            unsafe place += 1
        }
        guard unsafe place < end, unsafe place.pointee == UInt8(ascii: ",") || place.pointee == UInt8(ascii: "}"),
            case let digits = unsafe place - next, digits > 0, digits <= 18,
            unsafe digits == 1 || next.pointee != UInt8(ascii: "0")
        else { return nil }
        unsafe next = unsafe place
        return Int64(value)
    }
}
