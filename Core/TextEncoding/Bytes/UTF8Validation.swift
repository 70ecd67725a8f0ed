/// Whether the bytes are well-formed UTF-8.
@inlinable
public func isValidUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
    unsafe firstInvalidUTF8(in: bytes) == nil
}

/// Where the first byte stands that is not part of a well-formed UTF-8 sequence, or nil when all is well.
public func firstInvalidUTF8(in bytes: UnsafeRawBufferPointer) -> Int? {
    let count = bytes.count
    var position = 0
    while position < count {
        position = unsafe endOfASCII(bytes, from: position)
        if position == count { return nil }
        let sequence = unsafe UTF8Sequence(at: position, in: bytes)
        if !sequence.isValid { return position }
        position &+= sequence.length
    }
    return nil
}

/// Appends the bytes to the buffer, with U+FFFD for each maximal part of an ill-formed sequence.
///
/// That is the practice the Unicode standard recommends (chapter 3, U+FFFD substitution of maximal subparts), so the
/// result is the same as other decoders give. Well-formed bytes are appended as they are.
public func repairUTF8(_ bytes: UnsafeRawBufferPointer, into buffer: ByteBuffer) {
    let count = bytes.count
    var pending = 0
    var position = 0
    buffer.reserve(count)
    while position < count {
        position = unsafe endOfASCII(bytes, from: position)
        if position == count { break }
        let sequence = unsafe UTF8Sequence(at: position, in: bytes)
        if !sequence.isValid {
            unsafe buffer.append(UnsafeRawBufferPointer(rebasing: bytes[pending..<position]))
            buffer.append(0xEF)
            buffer.append(0xBF)
            buffer.append(0xBD)
            pending = position &+ sequence.length
        }
        position &+= sequence.length
    }
    if pending < count {
        unsafe buffer.append(UnsafeRawBufferPointer(rebasing: bytes[pending..<count]))
    }
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

/// What stands at a byte that is not ASCII: a well-formed sequence, or the maximal part of an ill-formed one.
private struct UTF8Sequence {
    let length: Int
    let isValid: Bool

    init(at start: Int, in bytes: UnsafeRawBufferPointer) {
        let lead = unsafe bytes[start]
        let wanted: Int
        // The second byte's range excludes overlong forms, surrogates and what is above U+10FFFF.
        var low: UInt8 = 0x80
        var high: UInt8 = 0xBF
        switch lead {
        case 0xC2...0xDF: wanted = 2
        case 0xE0: (wanted, low) = (3, 0xA0)
        case 0xED: (wanted, high) = (3, 0x9F)
        case 0xE1...0xEF: wanted = 3
        case 0xF0: (wanted, low) = (4, 0x90)
        case 0xF1...0xF3: wanted = 4
        case 0xF4: (wanted, high) = (4, 0x8F)
        default:
            (length, isValid) = (1, false)
            return
        }
        var found = 1
        while found < wanted, start &+ found < bytes.count {
            let byte = unsafe bytes[start &+ found]
            if byte < low || byte > high { break }
            (low, high) = (0x80, 0xBF)
            found &+= 1
        }
        (length, isValid) = (found, found == wanted)
    }
}
