internal import CZlib

/// Packs what is sent to browsers, fast.
enum Gzip {
    /// The bytes in the form of gzip.
    static func packed(_ bytes: [UInt8]) -> [UInt8] {
        var stream = unsafe z_stream()
        let begun = unsafe tally_gzip_begin_fast(&stream)
        precondition(begun == Z_OK, "there is no memory to compress")
        defer { unsafe deflateEnd(&stream) }
        let bound = unsafe Int(deflateBound(&stream, UInt(bytes.count)))
        return unsafe bytes.withUnsafeBytes { input in
            unsafe [UInt8](unsafeUninitializedCapacity: bound) { output, count in
                unsafe stream.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
                unsafe stream.avail_in = UInt32(input.count)
                unsafe stream.next_out = output.baseAddress
                unsafe stream.avail_out = UInt32(bound)
                let end = unsafe deflate(&stream, Z_FINISH)
                precondition(end == Z_STREAM_END, "what is compressed is longer than it can be")
                count = unsafe bound - Int(stream.avail_out)
            }
        }
    }

    /// What was packed by ``packed(_:)``; nil when it is damaged.
    static func unpacked(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = unsafe z_stream()
        guard unsafe tally_gunzip_begin(&stream) == Z_OK else { return nil }
        defer { unsafe inflateEnd(&stream) }
        var result: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let isWhole = unsafe bytes.withUnsafeBytes { input in
            unsafe stream.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
            unsafe stream.avail_in = UInt32(input.count)
            while true {
                let (status, made) = unsafe chunk.withUnsafeMutableBufferPointer { output in
                    unsafe stream.next_out = output.baseAddress
                    unsafe stream.avail_out = UInt32(output.count)
                    let status = unsafe inflate(&stream, Z_NO_FLUSH)
                    return unsafe (status, output.count - Int(stream.avail_out))
                }
                result += chunk[..<made]
                if status == Z_STREAM_END { return true }
                guard status == Z_OK else { return false }
            }
        }
        return isWhole ? result : nil
    }
}
