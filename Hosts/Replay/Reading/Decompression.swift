internal import CZlib
internal import CZstd

/// Turns compressed bytes into plain ones.
protocol Decompression: AnyObject {
    /// Whether the compressed bytes may end here: no member of them is incomplete.
    var isComplete: Bool { get }

    /// Takes bytes from the front of `input` and puts plain ones into `output`.
    ///
    /// - Returns: how many bytes were taken and made; nil when the compressed bytes are damaged.
    func step(_ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer) -> (taken: Int, made: Int)?
}

/// Reads gzip, also several members one after another, as `cat` and parallel compressors make them.
@safe final class GzipDecompression: Decompression {
    private(set) var isComplete = true
    private let stream: UnsafeMutablePointer<z_stream>

    init?() {
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        guard unsafe tally_gunzip_begin(stream) == Z_OK else { return nil }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    func step(_ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer) -> (taken: Int, made: Int)? {
        if isComplete, input.count > 0 {
            guard unsafe inflateReset(stream) == Z_OK else { return nil }
            isComplete = false
        }
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
        unsafe stream.pointee.avail_in = UInt32(input.count)
        unsafe stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
        unsafe stream.pointee.avail_out = UInt32(output.count)
        let result = unsafe inflate(stream, Z_NO_FLUSH)
        guard result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR else { return nil }
        isComplete = result == Z_STREAM_END || isComplete
        return unsafe (input.count - Int(stream.pointee.avail_in), output.count - Int(stream.pointee.avail_out))
    }
}

/// Reads zstd, also several frames one after another.
@safe final class ZstdDecompression: Decompression {
    private(set) var isComplete = true
    private let stream: OpaquePointer

    /// Whether a file that begins with these four bytes is packed so: a frame begins, also one without content, which
    /// is what erasing the first run of an archive leaves.
    static func reads(_ first: some Sequence<UInt8>) -> Bool {
        let first = Array(first)
        return first == [0x28, 0xB5, 0x2F, 0xFD]
            || (first.count == 4 && first[0] & 0xF0 == 0x50 && first[1...] == [0x2A, 0x4D, 0x18])
    }

    init?() {
        guard let made = unsafe ZSTD_createDStream() else { return nil }
        unsafe stream = made
    }

    deinit { unsafe ZSTD_freeDStream(stream) }

    func step(_ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer) -> (taken: Int, made: Int)? {
        var source = unsafe ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var target = unsafe ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let result = unsafe ZSTD_decompressStream(stream, &target, &source)
        guard ZSTD_isError(result) == 0 else { return nil }
        isComplete = result == 0
        return unsafe (source.pos, target.pos)
    }
}
