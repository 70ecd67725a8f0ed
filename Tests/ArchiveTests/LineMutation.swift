import TextEncoding

/// Damage to the sample lines, from a seed.
struct LineMutation {
    private static let pieces = [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud800", "\\udc00", "0", "-", ".", "e9", "1e400", "null",
        "true",
        "false", "{\"$f\":\"nan\"}", "{\"$b\":\"AA==\"}", "\"run\":", "\"n\":", "\"t_us\":", "\"event\":",
        "\"state\":{",
        "\"attributes\":{", "\"tally\":{", "\"mark\":true", "\"end\":\"x\"", "99999999999999999999", " ", "\t", "\u{0}",
        "é", "😀", "\"flags\":[", "[[[[[[[[[[",
    ].map { Array($0.utf8) }

    private var random: SplitMix64

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    /// A sample line with one to six injuries.
    mutating func line() -> [UInt8] {
        var bytes = Array(SampleLines.all[below(SampleLines.all.count)].utf8)
        for _ in 0...below(6) {
            injure(&bytes)
        }
        // A line holds no line break.
        return bytes.map { $0 == 0x0A ? 0x20 : $0 }
    }

    private mutating func below(_ limit: Int) -> Int {
        Int(random.next() % UInt64(max(1, limit)))
    }

    private mutating func injure(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        let place = below(bytes.count)
        switch random.next() % 8 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes[place] ^= 1 << UInt8(random.next() % 8)
        case 2: bytes.remove(at: place)
        case 3: bytes.insert(contentsOf: Self.pieces[below(Self.pieces.count)], at: place)
        case 4:
            let end = min(bytes.count, place + 1 + below(20))
            bytes.replaceSubrange(place..<end, with: Self.pieces[below(Self.pieces.count)])
        case 5:
            let end = min(bytes.count, place + below(40))
            bytes.insert(contentsOf: Array(bytes[place..<end]), at: below(bytes.count))
        case 6: bytes.removeSubrange(place..<min(bytes.count, place + below(10)))
        default:
            // A digit more or less, a sign, a point: numbers break most easily.
            if let digit = bytes[place...].firstIndex(where: { (0x30...0x39).contains($0) }) {
                bytes.replaceSubrange(
                    digit...digit,
                    with: Array(["0", "00", "9", "-1", "1.", ".5", "1e5", "-", "1.5"][below(9)].utf8)
                )
            }
        }
    }
}
