internal import TextEncoding

/// What is wrong with the bytes of a playlist, a manifest, a segment or a key.
enum ContentDamage: CaseIterable, Sendable {
    // Of any file.
    case truncated, flipped, blanked, emptied, doubled, webPage, garbage, otherFile
    // Of a text.
    case number, address, lineRemoved, lineDoubled, linesSwapped, tagInserted, lineEndings

    /// What may be wrong with a file that is a text, or is none.
    static func all(ofText isText: Bool) -> [ContentDamage] {
        let ofAny: [ContentDamage] = [
            .truncated, .flipped, .blanked, .emptied, .doubled, .webPage, .garbage, .otherFile,
        ]
        // A text that is broken altogether says less than one that says something odd.
        let ofText = allCases.filter { !ofAny.contains($0) }
        return isText ? ofAny + ofText + ofText + ofText : ofAny
    }

    /// The damaged bytes, the same for the same numbers; `other` is a file of the stream that takes the place of this one.
    func apply(to bytes: [UInt8], other: [UInt8], _ numbers: SplitMix64) -> [UInt8] {
        var numbers = numbers
        let place = bytes.isEmpty ? 0 : Int.random(in: 0..<bytes.count, using: &numbers)
        switch self {
        case .truncated: return Array(bytes[..<place])
        case .flipped:
            var bytes = bytes
            for _ in 0..<Int.random(in: 1...40, using: &numbers) where !bytes.isEmpty {
                bytes[Int.random(in: 0..<bytes.count, using: &numbers)] ^= 1 << UInt8.random(in: 0...7, using: &numbers)
            }
            return bytes
        case .blanked:
            var bytes = bytes
            for index in place..<min(place + Int.random(in: 1...2000, using: &numbers), bytes.count) {
                bytes[index] = 0
            }
            return bytes
        case .emptied: return []
        case .doubled: return bytes + bytes
        case .webPage: return Array("<!DOCTYPE html><html><body><h1>Sign in</h1></body></html>\n".utf8)
        case .garbage: return (0..<max(bytes.count, 100)).map { _ in UInt8.random(in: 0...255, using: &numbers) }
        case .otherFile: return other
        default:
            let text = String(decoding: bytes, as: UTF8.self)
            return Array(reworded(text, &numbers).utf8)
        }
    }

    // MARK: - Texts

    private static let oddNumbers = [
        "0", "-1", "1", "2", "7", "0.000001", "0.04", "2147483648", "99999999999999999999", "1e9", "nan", "", "0x10",
        "3.5.1",
    ]

    private static let oddAddresses = [
        "", "missing.ts", "low.m3u8", "high.m3u8", "master.m3u8", "stream.mpd", "low0.ts", "low0.m4s", "media.key",
        "/", "..", "?", "#", "%", "data:text/plain,x", "file:///etc/hostname", "http://127.0.0.1:1/refused.ts",
        "ftp://127.0.0.1/x", "http://", "//", "low%00.ts", "\u{FFFD}", String(repeating: "a/", count: 3000),
    ]

    private static let oddLines = [
        "#EXT-X-DISCONTINUITY", "#EXT-X-GAP", "#EXT-X-ENDLIST", "#EXT-X-I-FRAMES-ONLY", "#EXTM3U", "#EXTINF:0.5,",
        "#EXT-X-KEY:METHOD=AES-128,URI=\"missing.key\"", "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://k\"",
        "#EXT-X-KEY:METHOD=NONE", "#EXT-X-MAP:URI=\"missing.mp4\"", "#EXT-X-MAP:URI=\"low-init.mp4\"",
        "#EXT-X-BYTERANGE:1000@0", "#EXT-X-BYTERANGE:99999999@99999999", "#EXT-X-MEDIA-SEQUENCE:99",
        "#EXT-X-TARGETDURATION:0", "#EXT-X-PLAYLIST-TYPE:EVENT", "#EXT-X-START:TIME-OFFSET=-99",
        "#EXT-X-STREAM-INF:BANDWIDTH=1", "#EXT-X-PROGRAM-DATE-TIME:9999-99-99T99:99:99Z",
        "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"2026-01-01T00:00:00Z\",DURATION=-1",
        "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"a\",DEFAULT=YES,URI=\"low.m3u8\"", "<Period>", "</Period>",
        "<S t=\"0\" d=\"1\" r=\"-1\"/>", "</MPD>", "\u{FEFF}",
    ]

    private func reworded(_ text: String, _ numbers: inout SplitMix64) -> String {
        if self == .lineEndings { return text.split(separator: "\n").joined(separator: "\r\n") + "\r\n" }
        if self == .number {
            return replaced(text, Self.oddNumbers, &numbers) { $0.isNumber || $0 == "." }
        }
        if self == .address {
            return replaced(text, Self.oddAddresses, &numbers) {
                $0.isLetter || $0.isNumber || "._-$/".contains($0)
            }
        }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let place = Int.random(in: 0..<lines.count, using: &numbers)
        switch self {
        case .lineRemoved: lines.remove(at: place)
        case .lineDoubled: lines.insert(lines[place], at: place)
        case .linesSwapped: lines.swapAt(place, Int.random(in: 0..<lines.count, using: &numbers))
        default: lines.insert(Self.oddLines.randomElement(using: &numbers) ?? "", at: place)
        }
        return lines.joined(separator: "\n")
    }

    /// Puts something odd in place of one of the runs of such characters; an address is a run with a point in it.
    private func replaced(
        _ text: String,
        _ odd: [String],
        _ numbers: inout SplitMix64,
        where isPart: (Character) -> Bool
    ) -> String {
        var runs: [Range<String.Index>] = []
        var start: String.Index?
        for index in text.indices + [text.endIndex] {
            if index < text.endIndex, isPart(text[index]) {
                start = start ?? index
            } else if let from = start {
                start = nil
                let run = text[from..<index]
                if self == .number || (run.contains(".") && run.contains(where: \.isLetter)) {
                    runs.append(from..<index)
                }
            }
        }
        guard let run = runs.randomElement(using: &numbers) else { return text }
        return text.replacingCharacters(in: run, with: odd.randomElement(using: &numbers) ?? "")
    }
}

extension String {
    fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
        var whole = self
        whole.replaceSubrange(range, with: text)
        return whole
    }
}
