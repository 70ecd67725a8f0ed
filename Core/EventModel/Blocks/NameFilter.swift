/// Which names may be in a block: tells most of those that are not there without looking at the block.
struct NameFilter {
    private typealias Words = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

    /// Which well-known numbers are in the block, a bit each.
    private var numbers: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    /// Two bits in one of the words for each name without a number, by its hash.
    ///
    /// So many words, because a record has up to a hundred such names, and a wrong guess costs a look at all of them.
    private var hashes: Words = (0, 0, 0, 0, 0, 0, 0, 0)

    /// Whether a name may be in the block; true for some that are not.
    @inline(__always)
    func mayHold(_ key: AttributeKey, _ hash: UInt64) -> Bool {
        guard key != .none else {
            let bits = Self.bits(hash)
            return unsafe withUnsafeBytes(of: hashes) { words in
                unsafe words.loadUnaligned(fromByteOffset: Self.offset(hash), as: UInt64.self) & bits == bits
            }
        }
        let bit = UInt64(1) &<< UInt64(key.rawValue & 63)
        switch key.rawValue >> 6 {
        case 0: return numbers.0 & bit != 0
        case 1: return numbers.1 & bit != 0
        case 2: return numbers.2 & bit != 0
        case 3: return numbers.3 & bit != 0
        default: return true
        }
    }

    /// Marks a name as being in the block.
    @inline(__always)
    mutating func add(_ key: AttributeKey, _ hash: UInt64) {
        guard key != .none else {
            unsafe withUnsafeMutableBytes(of: &hashes) { words in
                let offset = Self.offset(hash)
                let word = unsafe words.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                unsafe words.storeBytes(of: word | Self.bits(hash), toByteOffset: offset, as: UInt64.self)
            }
            return
        }
        let bit = UInt64(1) &<< UInt64(key.rawValue & 63)
        switch key.rawValue >> 6 {
        case 0: numbers.0 |= bit
        case 1: numbers.1 |= bit
        case 2: numbers.2 |= bit
        case 3: numbers.3 |= bit
        default: break
        }
    }

    /// Where the word of a hash lies.
    @inline(__always)
    private static func offset(_ hash: UInt64) -> Int {
        Int(truncatingIfNeeded: hash >> 9) & 56
    }

    /// The bits of a hash in its word.
    @inline(__always)
    private static func bits(_ hash: UInt64) -> UInt64 {
        1 &<< (hash & 63) | 1 &<< ((hash >> 6) & 63)
    }
}
