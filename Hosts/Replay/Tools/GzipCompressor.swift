internal import CZlib
internal import TextEncoding

/// Writes gzip.
@safe final class GzipCompressor: Compressor {
    private let stream: UnsafeMutablePointer<z_stream>
    private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)

    init?() {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        guard unsafe tally_gzip_begin(stream) == Z_OK else { return nil }
    }

    deinit {
        unsafe deflateEnd(stream)
        unsafe stream.deallocate()
        unsafe chunk.deallocate()
    }

    func append(_ bytes: UnsafeRawBufferPointer, atEnd: Bool, to output: ByteBuffer) -> Bool {
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.bindMemory(to: UInt8.self).baseAddress)
        unsafe stream.pointee.avail_in = UInt32(bytes.count)
        while true {
            unsafe stream.pointee.next_out = chunk.bindMemory(to: UInt8.self).baseAddress
            unsafe stream.pointee.avail_out = UInt32(chunk.count)
            let result = unsafe deflate(stream, atEnd ? Z_FINISH : Z_NO_FLUSH)
            guard result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR else { return false }
            let made = unsafe chunk.count - Int(stream.pointee.avail_out)
            unsafe output.append(UnsafeRawBufferPointer(rebasing: chunk[..<made]))
            if unsafe made < chunk.count { return true }
        }
    }
}
