/// The 64-byte block that MD5 and SHA-256 work on, how it is filled, and the padding that both end with.
internal struct DigestBlock: Sendable {
    private var bytes = InlineArray<64, UInt8>(repeating: 0)
    private var filled = 0
    private var total: UInt64 = 0

    /// Takes bytes from the front of the input; true when the block is full and must be worked in.
    internal mutating func fill(from input: inout UnsafeRawBufferPointer) -> Bool {
        let taken = min(64 &- filled, input.count)
        if taken == 64 {
            unsafe bytes = input.loadUnaligned(as: InlineArray<64, UInt8>.self)
        } else {
            for position in 0..<taken {
                unsafe bytes[filled &+ position] = input[position]
            }
        }
        unsafe input = UnsafeRawBufferPointer(rebasing: input[taken...])
        filled &+= taken
        total &+= UInt64(taken)
        if filled < 64 { return false }
        filled = 0
        return true
    }

    internal var isEmpty: Bool { filled == 0 }

    /// Counts whole blocks that were worked in elsewhere.
    internal mutating func skip(_ count: Int) { total &+= UInt64(count) }

    /// Sets the mark that ends the message; true when the length needs another block and this one must be worked in.
    internal mutating func beginPadding() -> Bool {
        bytes[filled] = 0x80
        filled &+= 1
        if filled <= 56 { return false }
        clear(upTo: 64)
        filled = 0
        return true
    }

    /// Sets the message's length in bits, which completes the last block.
    internal mutating func endPadding(lengthIsBigEndian: Bool) {
        clear(upTo: 56)
        let bits = total &* 8
        for index in 0..<8 {
            let shift = UInt64(lengthIsBigEndian ? 56 &- 8 &* index : 8 &* index)
            bytes[56 &+ index] = UInt8(truncatingIfNeeded: bits >> shift)
        }
    }

    private mutating func clear(upTo end: Int) {
        while filled < end {
            bytes[filled] = 0
            filled &+= 1
        }
    }

    /// The block as the 16 words that MD5 reads.
    internal var littleEndianWords: InlineArray<16, UInt32> {
        unsafe unsafeBitCast(bytes, to: InlineArray<16, UInt32>.self)
    }
}
