internal import CZlib

/// Compression of bodies.
enum Gzip {
    /// The bytes in the form of gzip; nil when there is no memory for it.
    static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = unsafe z_stream()
        guard unsafe tally_gzip_begin(&stream) == Z_OK else { return nil }
        defer { unsafe deflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: Int(unsafe deflateBound(&stream, UInt(bytes.count))))
        let status = unsafe input.withUnsafeMutableBufferPointer { input in
            unsafe output.withUnsafeMutableBufferPointer { output in
                unsafe stream.next_in = input.baseAddress
                unsafe stream.avail_in = UInt32(input.count)
                unsafe stream.next_out = output.baseAddress
                unsafe stream.avail_out = UInt32(output.count)
                return unsafe deflate(&stream, Z_FINISH)
            }
        }
        guard status == Z_STREAM_END else { return nil }
        return unsafe Array(output.prefix(Int(stream.total_out)))
    }
}
