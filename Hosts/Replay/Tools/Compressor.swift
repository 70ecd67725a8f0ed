internal import TextEncoding

/// Compresses bytes that come piece by piece.
protocol Compressor: AnyObject {
    /// Compresses the bytes; with `atEnd` all that is held comes out. False when there is no memory.
    func append(_ bytes: UnsafeRawBufferPointer, atEnd: Bool, to output: ByteBuffer) -> Bool
}
