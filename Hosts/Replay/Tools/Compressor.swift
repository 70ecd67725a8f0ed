internal import CZlib
internal import CZstd
internal import TextEncoding

/// Compresses bytes that come piece by piece.
protocol Compressor: AnyObject {
    /// Compresses the bytes; with `atEnd` all that is held comes out. False when there is no memory.
    func append(_ bytes: UnsafeRawBufferPointer, atEnd: Bool, to output: ByteBuffer) -> Bool
}

/// Writes gzip.
@safe final class GzipCompressor: Compressor {
    private let stream: UnsafeMutablePointer<z_stream>
    private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)

    /// With a level from 1, fast, to 9, small; nil when there is no memory.
    init?(level: Int32 = Z_DEFAULT_COMPRESSION) {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        guard unsafe tally_gzip_begin_level(stream, level) == Z_OK else { return nil }
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

/// Writes zstd.
@safe final class ZstdCompressor: Compressor {
    private let stream: OpaquePointer
    private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 16)

    init?() {
        guard let made = unsafe ZSTD_createCStream() else { return nil }
        unsafe stream = made
    }

    deinit {
        unsafe ZSTD_freeCStream(stream)
        unsafe chunk.deallocate()
    }

    func append(_ bytes: UnsafeRawBufferPointer, atEnd: Bool, to output: ByteBuffer) -> Bool {
        var source = unsafe ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
        while true {
            var target = unsafe ZSTD_outBuffer(dst: chunk.baseAddress, size: chunk.count, pos: 0)
            let left = unsafe ZSTD_compressStream2(stream, &target, &source, atEnd ? ZSTD_e_end : ZSTD_e_continue)
            guard ZSTD_isError(left) == 0 else { return false }
            let made = unsafe target.pos
            unsafe output.append(UnsafeRawBufferPointer(rebasing: chunk[..<made]))
            if unsafe atEnd ? left == 0 : source.pos == source.size { return true }
        }
    }
}
