internal import CZstd

/// Reads zstd, also several frames one after another.
@safe final class ZstdDecompression: Decompression {
    private(set) var isComplete = true
    private let stream: OpaquePointer

    init?() {
        guard let made = unsafe ZSTD_createDStream() else { return nil }
        unsafe stream = made
    }

    deinit {
        unsafe ZSTD_freeDStream(stream)
    }

    func step(_ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer) -> (taken: Int, made: Int)? {
        var source = unsafe ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var target = unsafe ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let result = unsafe ZSTD_decompressStream(stream, &target, &source)
        guard ZSTD_isError(result) == 0 else { return nil }
        isComplete = result == 0
        return unsafe (source.pos, target.pos)
    }
}
