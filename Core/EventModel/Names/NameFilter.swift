/// Which names may be in a block: tells most of those that are not there without looking at the block.
struct NameFilter {
    /// Which well-known numbers are in the block, a bit each.
    private var numbers: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    /// A bit in each for each name without a number, by its hash: a name whose bits are not set is not in the block.
    private var hashes: (UInt64, UInt64) = (0, 0)

    /// Whether a name may be in the block; true for some that are not.
    @inline(__always)
    func mayHold(_ key: AttributeKey, _ hash: UInt64) -> Bool {
        guard key != .none else {
            return hashes.0 & Self.bit(hash) != 0 && hashes.1 & Self.bit(hash >> 6) != 0
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

    /// Notes that a name is in the block.
    @inline(__always)
    mutating func add(_ key: AttributeKey, _ hash: UInt64) {
        guard key != .none else {
            hashes.0 |= Self.bit(hash)
            hashes.1 |= Self.bit(hash >> 6)
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

    @inline(__always)
    private static func bit(_ hash: UInt64) -> UInt64 {
        1 &<< (hash & 63)
    }
}
