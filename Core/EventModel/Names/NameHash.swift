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
