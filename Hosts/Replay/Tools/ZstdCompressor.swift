internal import CZstd
internal import TextEncoding

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
