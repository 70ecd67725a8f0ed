/// Lets the standard library print into a buffer.
internal struct ByteBufferTextStream: TextOutputStream {
    internal let buffer: ByteBuffer

    internal mutating func write(_ string: String) {
        buffer.append(string)
    }

    // The standard library hands a number's text over here when a stream has this method, and makes a String on the
    // heap when it has not. Without it everything works, with one allocation for each long number.
    internal mutating func _writeASCII(_ text: UnsafeBufferPointer<UInt8>) {
        unsafe buffer.append(text)
    }
}
