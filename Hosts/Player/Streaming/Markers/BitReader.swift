/// Reads numbers of so many bits out of bytes, the highest first.
struct BitReader {
    private let bytes: [UInt8]
    private var bit = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The byte that the next bit is in.
    var byteIndex: Int { bit / 8 }

    /// How many whole bytes are left.
    var bytesLeft: Int { (bytes.count * 8 - bit) / 8 }

    /// The next number; nil when there are not so many bits.
    mutating func take(_ count: Int) -> UInt64? {
        guard bit + count <= bytes.count * 8 else { return nil }
        var number: UInt64 = 0
        for _ in 0..<count {
            number = number << 1 | UInt64(bytes[bit / 8] >> UInt8(7 - bit % 8) & 1)
            bit += 1
        }
        return number
    }

    /// Leaves bits out; false when there are not so many.
    mutating func skip(bits: Int) -> Bool {
        guard bit + bits <= bytes.count * 8 else { return false }
        bit += bits
        return true
    }

    /// Goes on at a byte; false when there is none, or it was passed already.
    mutating func move(toByte index: Int) -> Bool {
        guard index * 8 >= bit, index <= bytes.count else { return false }
        bit = index * 8
        return true
    }
}
