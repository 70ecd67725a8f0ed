internal import PluginABI

/// Which events a tracker wants to be called with.
package struct WantedEvents: Sendable, Equatable {
    /// A bit for each type with a number, and one for all that have none; nil for every event.
    private let bits: [UInt64]?

    /// The last of the numbers that a list may have, and where the bit for types without a number lies.
    private static let unknown: UInt32 = 0xFFFF
    /// As many as there are well-known numbers: a list that goes on behind them has no end.
    private static let longestList = 0x1_0000

    /// Reads a list that ends with 0; NULL stands for every event.
    package init(_ list: UnsafePointer<UInt32>?) {
        guard let list = unsafe list else {
            bits = nil
            return
        }
        var bits: [UInt64] = []
        var index = 0
        while index < Self.longestList, case let type = unsafe list[index], type != 0 {
            let place = Self.place(type)
            if place.word >= bits.count { bits += [UInt64](repeating: 0, count: place.word + 1 - bits.count) }
            bits[place.word] |= place.bit
            index += 1
        }
        self.bits = bits
    }

    /// Whether a type is wanted.
    @inline(__always)
    package func contains(_ type: UInt32) -> Bool {
        guard let bits else { return true }
        let place = Self.place(type)
        return place.word < bits.count && bits[place.word] & place.bit != 0
    }

    @inline(__always)
    private static func place(_ type: UInt32) -> (word: Int, bit: UInt64) {
        let number = min(type, unknown)
        return (Int(number >> 6), 1 &<< UInt64(number & 63))
    }
}
