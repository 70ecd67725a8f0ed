/// Messages one after another in memory that is used again and again; positions count bytes and only rise.
///
/// A message begins with its size and its kind, 32 bits each, and never lies across the memory's end: what is left
/// there is passed over. Sizes are multiples of 16.
@safe struct ByteRing {
    /// Where the memory begins, aligned to 16.
    let start: UnsafeMutableRawPointer
    /// How many bytes it has, a multiple of 16.
    let capacity: Int

    /// The kind of what is passed over.
    private static let nothing: UInt32 = 0

    /// The size that a message with so many bytes has.
    static func size(_ bytes: Int) -> Int { (bytes + 15) & ~15 }

    /// How many bytes a message of a size takes at a position, with what is passed over before it.
    func needed(_ size: Int, at position: UInt64) -> Int {
        let left = capacity - offset(position)
        return left < size ? left + size : size
    }

    /// The place of a message of a size, and the position behind it; what is passed over is marked.
    func place(_ size: Int, at position: UInt64) -> (place: UnsafeMutableRawPointer, end: UInt64) {
        let offset = offset(position)
        let left = capacity - offset
        guard left < size else { return unsafe (start + offset, position + UInt64(size)) }
        unsafe (start + offset).storeBytes(of: UInt32(left), as: UInt32.self)
        unsafe (start + offset).storeBytes(of: Self.nothing, toByteOffset: 4, as: UInt32.self)
        return unsafe (start, position + UInt64(left + size))
    }

    /// What lies at a position.
    @safe enum Found {
        /// Nothing is there yet.
        case nothing
        /// A message, and the position behind it.
        case message(UnsafeRawBufferPointer, end: UInt64)
        /// What cannot be there: whoever wrote it is out of its mind.
        case damaged
    }

    /// The message at a position, where all before `end` was written, by a process that need not be sane.
    ///
    /// The bytes may change while they are looked at: they are to be copied first, then understood.
    func message(at position: UInt64, before end: UInt64) -> Found {
        guard position <= end, end - position <= UInt64(capacity) else { return .damaged }
        guard position < end else { return .nothing }
        let offset = offset(position)
        let size = unsafe Int((start + offset).load(as: UInt32.self))
        let kind = unsafe (start + offset).load(fromByteOffset: 4, as: UInt32.self)
        guard size >= 16, size % 16 == 0, size <= capacity - offset, UInt64(size) <= end - position else {
            return .damaged
        }
        if kind == Self.nothing {
            guard size == capacity - offset else { return .damaged }
            return message(at: position + UInt64(size), before: end)
        }
        return unsafe .message(
            UnsafeRawBufferPointer(start: start + offset, count: size),
            end: position + UInt64(size)
        )
    }

    private func offset(_ position: UInt64) -> Int { Int(position % UInt64(capacity)) }
}
