/// Makes a fragment of MP4 without samples, in place of one that is missing (ISO/IEC 14496-12, 8.8).
enum EmptyFragment {
    /// The fragment that lies so far before another one, or behind it; nil when that, or the initialization, is not
    /// understood.
    static func bytes(initialization: [UInt8], other: [UInt8], distanceUs: Int64) -> [UInt8]? {
        let scales = timescales(in: initialization)
        guard let moof = boxes(in: other[...]).first(where: { $0.type == "moof" }) else { return nil }
        var tracks: [UInt8] = []
        for traf in boxes(in: moof.body) where traf.type == "traf" {
            let parts = boxes(in: traf.body)
            guard let header = parts.first(where: { $0.type == "tfhd" }),
                let track = number(header.body, at: 4, bytes: 4),
                let times = parts.first(where: { $0.type == "tfdt" }),
                let version = number(times.body, at: 0, bytes: 1),
                let time = number(times.body, at: 4, bytes: version == 1 ? 8 : 4),
                let scale = scales[track], time < UInt64(Int64.max)
            else { return nil }
            let distance = Int64(Double(distanceUs) * Double(scale) / 1_000_000)
            // The duration is empty, and places count from the fragment (8.8.7).
            let empty = box("tfhd", [0, 0x03, 0, 0] + big(track, bytes: 4))
            tracks += box(
                "traf",
                empty + box("tfdt", [1, 0, 0, 0] + big(UInt64(max(0, Int64(time) - distance)), bytes: 8))
            )
        }
        guard !tracks.isEmpty else { return nil }
        // Behind an empty `mdat` the demuxer of GStreamer 1.22 would keep all that follows for later.
        return box("moof", box("mfhd", [0, 0, 0, 0] + big(1, bytes: 4)) + tracks)
    }

    /// How many units a second has, by tracks.
    private static func timescales(in initialization: [UInt8]) -> [UInt64: UInt64] {
        guard let moov = boxes(in: initialization[...]).first(where: { $0.type == "moov" }) else { return [:] }
        var scales: [UInt64: UInt64] = [:]
        for trak in boxes(in: moov.body) where trak.type == "trak" {
            let parts = boxes(in: trak.body)
            guard let track = parts.first(where: { $0.type == "tkhd" }).flatMap({ field($0.body, at: 12, long: 20) }),
                let media = parts.first(where: { $0.type == "mdia" }),
                let header = boxes(in: media.body).first(where: { $0.type == "mdhd" }),
                let scale = field(header.body, at: 12, long: 20), scale > 0
            else { continue }
            scales[track] = scale
        }
        return scales
    }

    /// A number of 32 bits behind two times, which are longer in version 1.
    private static func field(_ body: ArraySlice<UInt8>, at short: Int, long: Int) -> UInt64? {
        number(body, at: body.first == 1 ? long : short, bytes: 4)
    }

    private struct Box {
        let type: String
        let body: ArraySlice<UInt8>
    }

    private static func boxes(in bytes: ArraySlice<UInt8>) -> [Box] {
        var found: [Box] = []
        var rest = bytes
        while let size = number(rest, at: 0, bytes: 4), rest.count >= 8 {
            let type = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
            var (length, head) = (size == 0 ? UInt64(rest.count) : size, 8)
            if size == 1 {
                guard let long = number(rest, at: 8, bytes: 8) else { break }
                (length, head) = (long, 16)
            }
            guard length >= UInt64(head), length <= UInt64(rest.count) else { break }
            found.append(Box(type: type, body: rest.prefix(Int(length)).dropFirst(head)))
            rest = rest.dropFirst(Int(length))
        }
        return found
    }

    private static func number(_ bytes: ArraySlice<UInt8>, at offset: Int, bytes count: Int) -> UInt64? {
        guard bytes.count >= offset + count else { return nil }
        return bytes.dropFirst(offset).prefix(count).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
        big(UInt64(8 + body.count), bytes: 4) + Array(type.utf8) + body
    }

    private static func big(_ number: UInt64, bytes count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
    }
}
