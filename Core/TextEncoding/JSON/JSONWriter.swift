/// Writes JSON into a byte buffer, without white space, and puts the commas where they belong.
///
/// The caller keeps to the grammar: inside an object a key comes before each value, and each begin has its end.
/// Text must be valid UTF-8. Only what RFC 8259 demands is escaped: the quote, the backslash and what is below 0x20.
public struct JSONWriter {
    /// Where the text goes.
    public let buffer: ByteBuffer

    // One flag is enough for any depth: whoever closes a container leaves a parent that has an element.
    @usableFromInline internal var needsComma = false

    /// Makes a writer that appends to the buffer.
    @inlinable
    public init(_ buffer: ByteBuffer) {
        self.buffer = buffer
    }

    /// Forgets what was written before, so that the next value stands at the top level again.
    @inlinable
    public mutating func startOver() {
        needsComma = false
    }

    @inlinable
    internal mutating func separate() {
        if needsComma {
            buffer.append(UInt8(ascii: ","))
        }
        needsComma = true
    }

    /// Opens an object.
    @inlinable
    public mutating func beginObject() {
        separate()
        buffer.append(UInt8(ascii: "{"))
        needsComma = false
    }

    /// Closes an object.
    @inlinable
    public mutating func endObject() {
        buffer.append(UInt8(ascii: "}"))
        needsComma = true
    }

    /// Opens an array.
    @inlinable
    public mutating func beginArray() {
        separate()
        buffer.append(UInt8(ascii: "["))
        needsComma = false
    }

    /// Closes an array.
    @inlinable
    public mutating func endArray() {
        buffer.append(UInt8(ascii: "]"))
        needsComma = true
    }
}
