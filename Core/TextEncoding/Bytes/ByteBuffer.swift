/// A growable run of bytes that text is written into, and that keeps its memory when it is emptied.
///
/// Every encoder of this module appends to one. After its first use a buffer that is emptied and filled again
/// allocates nothing. It belongs to one thread at a time.
@safe
public final class ByteBuffer {
    // The properties are read and written by inlined code of other modules, where a dynamic exclusivity check
    // would cost more than the append itself. No method calls out while it changes them.
    @exclusivity(unchecked) @usableFromInline
    internal var storage: UnsafeMutablePointer<UInt8>

    @safe @exclusivity(unchecked) @usableFromInline
    internal var capacity: Int

    @safe @exclusivity(unchecked) @usableFromInline
    internal var used: Int = 0

    /// Makes an empty buffer with room for the given number of bytes.
    public init(capacity: Int = 256) {
        let room = max(capacity, 16)
        unsafe self.storage = UnsafeMutablePointer<UInt8>.allocate(capacity: room)
        self.capacity = room
    }

    deinit {
        unsafe storage.deallocate()
    }

    /// The number of bytes written.
    @inlinable public var count: Int { used }

    /// Whether nothing has been written.
    @inlinable public var isEmpty: Bool { used == 0 }

    /// Forgets all bytes and keeps the memory.
    @inlinable
    public func removeAll() {
        used = 0
    }

    /// Makes sure that the given number of further bytes fits without another allocation.
    @inlinable
    public func reserve(_ more: Int) {
        if more > capacity &- used {
            grow(by: more)
        }
    }

    @usableFromInline @inline(never)
    internal func grow(by more: Int) {
        let wanted = max(capacity * 2, used + more)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: wanted)
        unsafe larger.update(from: storage, count: used)
        unsafe storage.deallocate()
        unsafe storage = larger
        capacity = wanted
    }

    /// Calls the closure with the bytes written so far; the pointer is valid until the closure returns.
    ///
    /// The closure must not append to this buffer.
    @inlinable
    public func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(UnsafeRawBufferPointer(start: storage, count: used))
    }

    /// The byte at a position that has been written; it stops the program for any other position.
    @inlinable
    public subscript(position: Int) -> UInt8 {
        get {
            precondition(position >= 0 && position < used, "position outside the buffer")
            return unsafe storage[position]
        }
        set {
            precondition(position >= 0 && position < used, "position outside the buffer")
            unsafe storage[position] = newValue
        }
    }

    /// The bytes as a string, with U+FFFD for what is not UTF-8.
    public var string: String {
        unsafe String(decoding: UnsafeBufferPointer(start: storage, count: used), as: UTF8.self)
    }

    /// The bytes as an array.
    public var bytes: [UInt8] {
        unsafe Array(UnsafeBufferPointer(start: storage, count: used))
    }
}
