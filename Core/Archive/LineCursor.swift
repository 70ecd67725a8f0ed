internal import EventModel
internal import Glibc
internal import TextEncoding

/// Reads JSON from the bytes of one line, left to right, without building anything.
///
/// Once something is wrong, ``problem`` is set, every call fails, and the cursor stays where that showed.
@safe struct LineCursor {
    private let start: UnsafePointer<UInt8>
    private var next: UnsafePointer<UInt8>
    private let end: UnsafePointer<UInt8>
    /// What is wrong with the line, nil as long as nothing is.
    private(set) var problem: Problem?

    /// How deep unknown values may be nested.
    private static let depth = 64

    init(_ line: UnsafeRawBufferPointer) {
        let bytes = unsafe line.bindMemory(to: UInt8.self)
        let nothing = StaticString("")
        unsafe start = unsafe bytes.baseAddress ?? nothing.utf8Start
        unsafe next = unsafe start
        unsafe end = unsafe start + bytes.count
    }

    /// Where the cursor stands, from 1.
    var column: Int { unsafe next - start + 1 }

    /// Notes what is wrong, unless something was before.
    @inline(never)
    mutating func fail(_ what: StaticString) {
        if problem == nil {
            problem = .text(what)
        }
    }

    /// The rest of the line, to be tried in the form in which Tally writes it.
    var canonical: CanonicalText { unsafe CanonicalText(next: next, end: end) }

    /// Goes on behind what was taken of ``canonical``.
    mutating func skip(to text: CanonicalText) { unsafe next = unsafe text.next }

    /// Whether a string that was just taken stands in the line as it is, right behind the quote at `text`.
    func took(_ string: UTF8Text, since text: CanonicalText) -> Bool { unsafe string.start == text.next + 1 }

    // MARK: - Structure

    /// Takes one byte, after white space.
    @inline(__always)
    mutating func consume(_ byte: UInt8) -> Bool {
        if unsafe next < end, unsafe next.pointee == byte {
            unsafe next += 1
            return true
        }
        return consumeAfterSpace(byte)
    }

    /// Lines that Tally writes have no white space between their parts.
    @inline(never)
    private mutating func consumeAfterSpace(_ byte: UInt8) -> Bool {
        skipSpace()
        guard unsafe next < end, unsafe next.pointee == byte else { return false }
        unsafe next += 1
        return true
    }

    /// Takes one byte that has to be there.
    @inline(__always)
    mutating func expect(_ byte: UInt8) {
        if !consume(byte) {
            failExpecting(byte)
        }
    }

    @inline(never)
    private mutating func failExpecting(_ byte: UInt8) {
        if problem == nil {
            problem = .expected(byte)
        }
    }

    /// Takes the next member's name of an object that was opened, nil at its end; `first` before any was taken.
    @inline(__always)
    mutating func member(first: Bool, scratch: ByteBuffer) -> UTF8Text? {
        guard problem == nil else { return nil }
        // A comma is looked for first: there are more members than ends.
        if unsafe first || next == end || next.pointee != UInt8(ascii: ",") {
            if consume(UInt8(ascii: "}")) { return nil }
            if !first {
                expect(UInt8(ascii: ","))
            }
        } else {
            unsafe next += 1
        }
        guard let name = string(scratch) else { return nil }
        expect(UInt8(ascii: ":"))
        return problem == nil ? name : nil
    }

    /// Whether another element of an array that was opened follows.
    mutating func element(first: Bool) -> Bool {
        guard problem == nil else { return false }
        if consume(UInt8(ascii: "]")) { return false }
        if !first {
            expect(UInt8(ascii: ","))
        }
        return problem == nil
    }

    /// The byte that the next value begins with, 0 at the line's end.
    @inline(__always)
    mutating func peek() -> UInt8 {
        if unsafe next < end, unsafe next.pointee > 0x20 { return unsafe next.pointee }
        skipSpace()
        return unsafe next < end ? next.pointee : 0
    }

    /// Whether nothing but white space is left.
    mutating func isAtEnd() -> Bool {
        skipSpace()
        return unsafe next == end
    }

    @inline(__always)
    private mutating func skipSpace() {
        while unsafe next < end, unsafe next.pointee <= 0x20,
            unsafe next.pointee == 0x20 || next.pointee == 0x09 || next.pointee == 0x0D
        {
            unsafe next += 1
        }
    }

    // MARK: - Values

    /// Takes a string; the text lies in the line or, when it had escapes, in `scratch` until that is used again.
    @inline(__always)
    mutating func string(_ scratch: ByteBuffer) -> UTF8Text? {
        guard consume(UInt8(ascii: "\"")) else {
            fail("expected a string")
            return nil
        }
        let first = unsafe next
        skipPlain()
        if unsafe next < end, unsafe next.pointee == UInt8(ascii: "\"") {
            unsafe next += 1
            return unsafe UTF8Text(start: first, count: next - first - 1)
        }
        return unsafe unusualString(from: first, scratch)
    }

    /// What is no string of plain characters, from its first byte; the cursor stands where that showed.
    @inline(never)
    private mutating func unusualString(from first: UnsafePointer<UInt8>, _ scratch: ByteBuffer) -> UTF8Text? {
        guard unsafe next < end else {
            fail("string without an end")
            return nil
        }
        return unsafe escapedString(from: first, scratch)
    }

    /// Takes an integer; fails on any other number.
    mutating func integer() -> Int64? {
        skipSpace()
        let negative = unsafe next < end && next.pointee == UInt8(ascii: "-")
        if negative {
            unsafe next += 1
        }
        let first = unsafe next
        var value: UInt64 = 0
        while unsafe next < end, case let digit = unsafe next.pointee &- 0x30, digit <= 9 {
            value = value &* 10 &+ UInt64(digit)
            unsafe next += 1
        }
        guard unsafe next > first, unsafe next - first <= 18, unsafe next == end || !NumberForm.continues(next.pointee),
            unsafe first.pointee != UInt8(ascii: "0") || next - first == 1
        else {
            fail("expected an integer")
            return nil
        }
        return negative ? -Int64(value) : Int64(value)
    }

    /// Takes any number.
    mutating func number() -> CanonicalNumber? {
        skipSpace()
        let first = unsafe next
        if unsafe next < end, unsafe next.pointee == UInt8(ascii: "-") {
            unsafe next += 1
        }
        while unsafe next < end, unsafe next.pointee &- 0x30 <= 9 {
            unsafe next += 1
        }
        let digits = unsafe next - first
        if digits <= 18, digits > 0, unsafe next == end || !NumberForm.continues(next.pointee),
            unsafe first.pointee != UInt8(ascii: "-") || digits > 1
        {
            unsafe next = unsafe first
            return integer().map { CanonicalNumber($0) }
        }
        while unsafe next < end, unsafe NumberForm.continues(next.pointee) {
            unsafe next += 1
        }
        let text = unsafe UnsafeRawBufferPointer(start: first, count: next - first)
        guard unsafe NumberForm.isNumber(text), let value = unsafe NumberText.double(text) else {
            fail("malformed number")
            return nil
        }
        guard value.isFinite else {
            fail("number out of range")
            return nil
        }
        return CanonicalNumber(value)
    }

    /// Takes a literal such as `true`.
    mutating func literal(_ text: StaticString) -> Bool {
        skipSpace()
        let count = text.utf8CodeUnitCount
        guard unsafe end - next >= count, unsafe memcmp(next, text.utf8Start, count) == 0 else {
            fail("malformed value")
            return false
        }
        unsafe next += count
        return true
    }

    /// Takes a value of any kind and gives its bytes.
    mutating func skipValue(_ scratch: ByteBuffer, depth: Int = 0) -> UnsafeRawBufferPointer {
        let first = unsafe peek() == 0 ? next : next
        switch peek() {
        case UInt8(ascii: "\""): _ = string(scratch)
        case UInt8(ascii: "{"):
            guard depth < Self.depth else {
                fail("nested too deep")
                break
            }
            expect(UInt8(ascii: "{"))
            var isFirst = true
            while member(first: isFirst, scratch: scratch) != nil {
                _ = unsafe skipValue(scratch, depth: depth + 1)
                isFirst = false
            }
        case UInt8(ascii: "["):
            guard depth < Self.depth else {
                fail("nested too deep")
                break
            }
            expect(UInt8(ascii: "["))
            var isFirst = true
            while element(first: isFirst) {
                _ = unsafe skipValue(scratch, depth: depth + 1)
                isFirst = false
            }
        case UInt8(ascii: "t"): _ = literal("true")
        case UInt8(ascii: "f"): _ = literal("false")
        case UInt8(ascii: "n"): _ = literal("null")
        default: _ = number()
        }
        return unsafe UnsafeRawBufferPointer(start: first, count: next - first)
    }

    // MARK: - Parts

    /// Moves on to the next quote, backslash or control character, eight bytes at a time.
    @inline(__always)
    private mutating func skipPlain() {
        while unsafe end - next >= 8 {
            let word = unsafe UnsafeRawPointer(next).loadUnaligned(as: UInt64.self)
            let special =
                Self.zeroBytes(word ^ 0x2222_2222_2222_2222) | Self.zeroBytes(word ^ 0x5C5C_5C5C_5C5C_5C5C)
                | Self.belowSpace(word)
            if special != 0 {
                unsafe next += special.trailingZeroBitCount / 8
                return
            }
            unsafe next += 8
        }
        while unsafe next < end, unsafe next.pointee != 0x22, unsafe next.pointee != 0x5C, unsafe next.pointee >= 0x20 {
            unsafe next += 1
        }
    }

    /// The high bit of each byte that is zero; exact up to the first.
    @inline(__always)
    private static func zeroBytes(_ word: UInt64) -> UInt64 {
        (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
    }

    /// The high bit of each byte below 0x20; exact up to the first.
    @inline(__always)
    private static func belowSpace(_ word: UInt64) -> UInt64 {
        (word &- 0x2020_2020_2020_2020) & ~word & 0x8080_8080_8080_8080
    }

    private mutating func escapedString(from first: UnsafePointer<UInt8>, _ scratch: ByteBuffer) -> UTF8Text? {
        scratch.removeAll()
        var plain = unsafe first
        while unsafe next < end {
            if unsafe next.pointee == 0x22 || next.pointee == 0x5C {
                unsafe scratch.append(UnsafeRawBufferPointer(start: plain, count: next - plain))
            }
            if unsafe next.pointee == 0x22 {
                unsafe next += 1
                return unsafe scratch.withBytes { bytes in
                    guard let start = unsafe bytes.bindMemory(to: UInt8.self).baseAddress else { return UTF8Text("") }
                    return unsafe UTF8Text(start: start, count: bytes.count)
                }
            }
            guard unsafe next.pointee == 0x5C else {
                fail("control character in a string")
                return nil
            }
            unsafe next += 1
            guard escape(scratch) else {
                fail("malformed escape")
                return nil
            }
            unsafe plain = unsafe next
            skipPlain()
        }
        fail("string without an end")
        return nil
    }

    /// Takes what follows a backslash.
    private mutating func escape(_ scratch: ByteBuffer) -> Bool {
        guard unsafe next < end else { return false }
        let letter = unsafe next.pointee
        unsafe next += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scratch.append(letter)
        case UInt8(ascii: "b"): scratch.append(0x08)
        case UInt8(ascii: "f"): scratch.append(0x0C)
        case UInt8(ascii: "n"): scratch.append(0x0A)
        case UInt8(ascii: "r"): scratch.append(0x0D)
        case UInt8(ascii: "t"): scratch.append(0x09)
        case UInt8(ascii: "u"):
            guard let scalar = unicodeEscape() else { return false }
            for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
                scratch.append(byte)
            }
        default: return false
        }
        return true
    }

    /// Takes four hex digits, and the second half of a surrogate pair; half a pair becomes U+FFFD.
    private mutating func unicodeEscape() -> UnicodeScalar? {
        guard let high = hexDigits() else { return nil }
        guard (0xD800..<0xDC00).contains(high) else { return UnicodeScalar(high) ?? "\u{FFFD}" }
        guard unsafe end - next >= 6, unsafe next[0] == 0x5C, unsafe next[1] == UInt8(ascii: "u") else {
            return "\u{FFFD}"
        }
        let back = unsafe next
        unsafe next += 2
        guard let low = hexDigits() else { return nil }
        guard (0xDC00..<0xE000).contains(low) else {
            unsafe next = unsafe back
            return "\u{FFFD}"
        }
        return UnicodeScalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    }

    private mutating func hexDigits() -> UInt32? {
        guard unsafe end - next >= 4 else { return nil }
        var value: UInt32 = 0
        for index in 0..<4 {
            guard let digit = unsafe Hex.value(ofDigit: next[index]) else { return nil }
            value = value << 4 | UInt32(digit)
        }
        unsafe next += 4
        return value
    }
}
