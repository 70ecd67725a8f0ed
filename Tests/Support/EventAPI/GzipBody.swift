internal import CZlib

/// Reads bodies that came compressed.
enum GzipBody {
    /// The body as it was before it was compressed; nil when it is not whole.
    ///
    /// One that has more than `limit` bytes is read just beyond it, so that the caller sees that it is too large.
    static func uncompressed(_ body: [UInt8], limit: Int) -> [UInt8]? {
        var stream = unsafe z_stream()
        guard unsafe tally_gunzip_begin(&stream) == Z_OK else { return nil }
        defer { unsafe inflateEnd(&stream) }
        var input = body
        var output = [UInt8](repeating: 0, count: limit + 1)
        let result = unsafe input.withUnsafeMutableBufferPointer { input in
            unsafe output.withUnsafeMutableBufferPointer { output in
                unsafe stream.next_in = input.baseAddress
                unsafe stream.avail_in = UInt32(input.count)
                unsafe stream.next_out = output.baseAddress
                unsafe stream.avail_out = UInt32(output.count)
                return unsafe inflate(&stream, Z_FINISH)
            }
        }
        let count = unsafe output.count - Int(stream.avail_out)
        guard result == Z_STREAM_END || count == output.count else { return nil }
        return Array(output[..<count])
    }
}
