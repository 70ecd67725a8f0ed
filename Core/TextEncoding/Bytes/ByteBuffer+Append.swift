extension ByteBuffer {
    /// Appends one byte.
    @inlinable
    public func append(_ byte: UInt8) {
        reserve(1)
        unsafe storage[used] = byte
        used &+= 1
    }

    /// Appends a literal.
    @inlinable
    public func append(_ text: StaticString) {
        if text.hasPointerRepresentation {
            unsafe append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        } else {
            append(String(describing: text))
        }
    }

    /// Appends bytes as they are; they must not lie in this buffer.
    @inlinable
    public func append(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        let more = bytes.count
        reserve(more)
        unsafe UnsafeMutableRawPointer(storage + used).copyMemory(from: start, byteCount: more)
        used &+= more
    }

    /// Appends bytes as they are; they must not lie in this buffer.
    @inlinable
    public func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        unsafe append(UnsafeRawBufferPointer(bytes))
    }

    /// Appends bytes as they are.
    @inlinable
    public func append(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { unsafe append($0) }
    }

    // A literal alone would be taken for a String: disfavoured, so that it reaches the faster method above.

    /// Appends the UTF-8 of a string.
    @inlinable @_disfavoredOverload
    public func append(_ string: String) {
        let done: Void? = unsafe string.utf8.withContiguousStorageIfAvailable {
            unsafe append(UnsafeRawBufferPointer($0))
        }
        if done == nil {
            for byte in string.utf8 {
                append(byte)
            }
        }
    }

    /// Appends what another buffer holds.
    @inlinable
    public func append(_ other: ByteBuffer) {
        let more = other.used
        reserve(more)
        unsafe UnsafeMutableRawPointer(storage + used).copyMemory(from: other.storage, byteCount: more)
        used &+= more
    }

    /// Appends one byte several times; a count below one appends nothing.
    public func append(repeating byte: UInt8, count: Int) {
        guard count > 0 else { return }
        reserve(count)
        unsafe (storage + used).update(repeating: byte, count: count)
        used &+= count
    }
}
