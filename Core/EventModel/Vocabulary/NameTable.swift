/// Finds the number of a well-known name, bytewise; built once and then only read.
///
/// Its memory lives as long as the process: tables are made for the vocabulary alone.
@safe struct NameTable: @unchecked Sendable {
    private let slots: UnsafeMutablePointer<UInt16>
    private let names: UnsafeMutablePointer<UTF8Text>
    private let mask: Int

    /// Makes a table in which the name at a place is found as that place.
    init(names: [StaticString]) {
        var size = 64
        while size < names.count * 4 {
            size *= 2
        }
        mask = size - 1
        unsafe slots = .allocate(capacity: size)
        unsafe slots.initialize(repeating: .max, count: size)
        unsafe self.names = .allocate(capacity: names.count)
        for (index, name) in names.enumerated() {
            unsafe (self.names + index).initialize(to: UTF8Text(name))
            var slot = Int(truncatingIfNeeded: NameHash.of(UTF8Text(name))) & mask
            while unsafe slots[slot] != .max {
                slot = (slot + 1) & mask
            }
            unsafe slots[slot] = UInt16(index)
        }
    }

    /// The place of a name with a hash, nil when the table does not have it.
    @inline(__always)
    func index(of name: UTF8Text, hash: UInt64) -> Int? {
        var slot = Int(truncatingIfNeeded: hash) & mask
        while unsafe slots[slot] != .max {
            let index = unsafe Int(slots[slot])
            if unsafe name == names[index] {
                return index
            }
            slot = (slot &+ 1) & mask
        }
        return nil
    }
}

/// A quick hash of short names.
///
/// Its values mean nothing outside this process.
enum NameHash {
    /// Mixes the length with the first and the last bytes, which tell names apart well enough.
    @inline(__always)
    static func of(_ name: UTF8Text) -> UInt64 {
        let count = name.count
        let bytes = unsafe UnsafeRawPointer(name.start)
        let first: UInt64
        let last: UInt64
        if count >= 8 {
            first = unsafe bytes.loadUnaligned(as: UInt64.self)
            last = unsafe (bytes + (count &- 8)).loadUnaligned(as: UInt64.self)
        } else if count >= 4 {
            first = unsafe UInt64(bytes.loadUnaligned(as: UInt32.self))
            last = unsafe UInt64((bytes + (count &- 4)).loadUnaligned(as: UInt32.self))
        } else {
            first = unsafe count > 0 ? UInt64(name.start[0]) : 0
            last = unsafe count > 0 ? UInt64(name.start[count / 2]) << 8 | UInt64(name.start[count &- 1]) : 0
        }
        let mixed = (first ^ UInt64(count)) &* 0x9E37_79B9_7F4A_7C15 ^ last &* 0xBF58_476D_1CE4_E5B9
        return (mixed ^ mixed >> 32) &* 0x94D0_49BB_1331_11EB >> 24
    }
}
