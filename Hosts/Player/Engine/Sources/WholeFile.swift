/// Tells a whole MP4 file from segments of a stream (ISO/IEC 14496-12, 8.8).
///
/// In a segment each part of the media has a `moof` before it. GStreamer 1.22 waits for one in what has none, for ever,
/// or says that the stream is damaged.
package enum WholeFile {
    /// How much of a file says what it is, in bytes: no initialization of a stream is longer.
    static let beginning = 65_536

    /// Whether bytes are the beginning of one.
    package static func begins(with bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        var isMP4 = false
        while rest.count >= 16 {
            let size = number(rest.prefix(4))
            let type = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
            if type == "ftyp" { isMP4 = true }
            guard isMP4, !["moof", "styp", "sidx"].contains(type) else { return false }
            if type == "mdat" { return true }
            let length = size == 1 ? number(rest.dropFirst(8).prefix(8)) : size
            guard length >= 8 else { return false }
            // An index that goes on for so long is that of all the media.
            guard length < UInt64(rest.count) else { return type == "moov" && bytes.count >= beginning }
            rest = rest.dropFirst(Int(length))
        }
        return false
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
