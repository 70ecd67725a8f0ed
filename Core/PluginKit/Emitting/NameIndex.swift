internal import Glibc

/// Finds the attribute that has a name: a hash table of fixed size that is emptied by counting up.
@safe struct NameIndex: ~Copyable {
    // A slot holds 32 bits of the hash, 24 of the generation it was written in, 8 of the attribute's index. A slot of
    // an earlier generation is empty, so that beginning a record touches no memory.
    private let slots: UnsafeMutablePointer<UInt64>
    private var generation: UInt64 = 1
    private static let count = 512
    private static let generations: UInt64 = 1 << 24

    init() {
        unsafe slots = .allocate(capacity: Self.count)
        unsafe slots.initialize(repeating: 0, count: Self.count)
    }

    deinit {
        unsafe slots.deallocate()
    }

    /// Forgets all names.
    mutating func removeAll() {
        generation += 1
        if generation == Self.generations {
            unsafe slots.update(repeating: 0, count: Self.count)
            generation = 1
        }
    }

    /// The index that was put for a name with this hash and for which the closure says yes; else notes `new` for it.
    @inline(__always)
    func find(_ hash: UInt64, orInsert new: Int, isSame: (Int) -> Bool) -> Int? {
        let tag = hash & 0xFFFF_FFFF_0000_0000 | generation << 8
        var place = Int(truncatingIfNeeded: hash) & (Self.count - 1)
        while true {
            let slot = unsafe slots[place]
            if slot & ~0xFF == tag, isSame(Int(slot & 0xFF)) { return Int(slot & 0xFF) }
            if (slot >> 8) & (Self.generations - 1) != generation {
                unsafe slots[place] = tag | UInt64(new)
                return nil
            }
            place = (place + 1) & (Self.count - 1)
        }
    }

    /// A hash of the length, the first and the last bytes, which is what tells names apart.
    @inline(__always)
    static func hash(_ name: UTF8Text) -> UInt64 {
        let start = unsafe UnsafeRawPointer(name.start)
        let count = name.count
        var first: UInt64 = 0
        var last: UInt64 = 0
        if count >= 8 {
            first = unsafe start.loadUnaligned(as: UInt64.self)
            last = unsafe (start + count - 8).loadUnaligned(as: UInt64.self)
            if count > 16 {
                unsafe last ^= (start + (count >> 1) - 4).loadUnaligned(as: UInt64.self) &* 0x9E37_79B9_7F4A_7C15
            }
        } else if count >= 4 {
            first = unsafe UInt64(start.loadUnaligned(as: UInt32.self))
            last = unsafe UInt64((start + count - 4).loadUnaligned(as: UInt32.self))
        } else {
            for index in 0..<count {
                first = unsafe first << 8 | UInt64(name.start[index])
            }
        }
        let mixed = (first ^ (last &* 0xC2B2_AE3D_27D4_EB4F) ^ UInt64(count)) &* 0x9E37_79B9_7F4A_7C15
        return mixed ^ mixed >> 29
    }
}
