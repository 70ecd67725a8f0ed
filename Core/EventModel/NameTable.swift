/// Finds the number of a well-known name, bytewise; built once and then only read.
struct NameTable: Sendable {
    private var slots: [UInt16]
    private var names: [StaticString]
    private let mask: Int

    /// Makes a table in which the name at a place is found as that place.
    init(names: [StaticString]) {
        var size = 64
        while size < names.count * 4 {
            size *= 2
        }
        mask = size - 1
        self.names = names
        slots = [UInt16](repeating: .max, count: size)
        for (index, name) in names.enumerated() {
            var slot = NameTable.hash(UTF8Text(name)) & mask
            while slots[slot] != .max {
                slot = (slot + 1) & mask
            }
            slots[slot] = UInt16(index)
        }
    }

    /// The place of a name, nil when the table does not have it.
    func index(of name: UTF8Text) -> Int? {
        var slot = NameTable.hash(name) & mask
        while slots[slot] != .max {
            let index = Int(slots[slot])
            if name == names[index] {
                return index
            }
            slot = (slot + 1) & mask
        }
        return nil
    }

    /// Mixes the length with the first and the last bytes, which tell the names of the vocabulary apart well enough.
    private static func hash(_ name: UTF8Text) -> Int {
        guard name.count > 0 else { return 0 }
        let bytes = unsafe name.bytes
        var value = UInt64(name.count) &* 0x9E37_79B9_7F4A_7C15
        let middle = bytes.count / 2
        unsafe value ^= UInt64(bytes[0]) << 8 | UInt64(bytes[bytes.count - 1]) << 16 | UInt64(bytes[middle]) << 24
        unsafe value ^= UInt64(bytes[middle / 2]) << 32 | UInt64(bytes[(middle + bytes.count) / 2]) << 40
        unsafe value ^= UInt64(bytes[max(0, bytes.count - 4)]) << 48
        value &*= 0xBF58_476D_1CE4_E5B9
        return Int(truncatingIfNeeded: value >> 40)
    }
}
