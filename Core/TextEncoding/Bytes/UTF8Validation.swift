/// Whether the bytes are well-formed UTF-8.
@inlinable
public func isValidUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
    unsafe firstInvalidUTF8(in: bytes) == nil
}

/// Whether all bytes are ASCII, as those of nearly all names, lines and records are; 32 are looked at together.
@inlinable
public func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let start = bytes.baseAddress else { return true }
    guard bytes.count >= 32 else { return unsafe isShortASCII(start, bytes.count) }
    var seen: UInt64 = 0
    var place = 0
    while place < bytes.count &- 32 {
        unsafe seen |= fourWords(start + place)
        place &+= 32
    }
    unsafe seen |= fourWords(start + (bytes.count &- 32))
    return seen & 0x8080_8080_8080_8080 == 0
}

/// The same of fewer than 32 bytes: the last words overlap.
@inlinable
@inline(__always)
func isShortASCII(_ start: UnsafeRawPointer, _ count: Int) -> Bool {
    var seen: UInt64 = 0
    if count >= 8 {
        var place = 0
        while place < count &- 8 {
            unsafe seen |= (start + place).loadUnaligned(as: UInt64.self)
            place &+= 8
        }
        unsafe seen |= (start + (count &- 8)).loadUnaligned(as: UInt64.self)
    } else if count >= 4 {
        unsafe seen = UInt64(
            start.loadUnaligned(as: UInt32.self) | (start + (count &- 4)).loadUnaligned(as: UInt32.self)
        )
    } else {
        for place in 0..<count { unsafe seen |= UInt64(start.load(fromByteOffset: place, as: UInt8.self)) }
    }
    return seen & 0x8080_8080_8080_8080 == 0
}

@inlinable
@inline(__always)
func fourWords(_ start: UnsafeRawPointer) -> UInt64 {
    unsafe start.loadUnaligned(as: UInt64.self) | (start + 8).loadUnaligned(as: UInt64.self)
        | (start + 16).loadUnaligned(as: UInt64.self) | (start + 24).loadUnaligned(as: UInt64.self)
}

/// The text of bytes that are not well-formed UTF-8: U+FFFD stands for each longest run that is no character's
/// beginning or goes on with none; nil when all is well.
@inlinable
public func repairedUTF8(_ bytes: UnsafeRawBufferPointer) -> String? {
    unsafe isASCII(bytes) || isValidUTF8(bytes) ? nil : String(decoding: bytes, as: UTF8.self)
}

/// Where the first byte stands that is not part of a well-formed UTF-8 sequence, or nil when all is well.
public func firstInvalidUTF8(in bytes: UnsafeRawBufferPointer) -> Int? {
    let count = bytes.count
    var position = 0
    while position < count {
        position = unsafe endOfASCII(bytes, from: position)
        if position == count { return nil }
        guard let length = unsafe sequenceLength(at: position, in: bytes) else { return position }
        position &+= length
    }
    return nil
}

/// The position of the next byte that is not ASCII, or the end; eight bytes are looked at together.
private func endOfASCII(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    let count = bytes.count
    var position = start
    while position &+ 8 <= count {
        let word = unsafe bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        if word & 0x8080_8080_8080_8080 != 0 { break }
        position &+= 8
    }
    while position < count, unsafe bytes[position] < 0x80 {
        position &+= 1
    }
    return position
}

/// How long the well-formed sequence is that starts with a byte that is not ASCII; nil when there is none.
private func sequenceLength(at start: Int, in bytes: UnsafeRawBufferPointer) -> Int? {
    let length: Int
    // The second byte's range excludes overlong forms, surrogates and what is above U+10FFFF.
    var low: UInt8 = 0x80
    var high: UInt8 = 0xBF
    switch unsafe bytes[start] {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, low) = (3, 0xA0)
    case 0xED: (length, high) = (3, 0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, low) = (4, 0x90)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, high) = (4, 0x8F)
    default: return nil
    }
    guard start &+ length <= bytes.count else { return nil }
    for index in 1..<length {
        let byte = unsafe bytes[start &+ index]
        if byte < low || byte > high { return nil }
        (low, high) = (0x80, 0xBF)
    }
    return length
}
