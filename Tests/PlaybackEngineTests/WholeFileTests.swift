import PlaybackEngine
import Testing
import XML

/// A whole MP4 file where a segment belongs.
struct WholeFileTests {
    private static func box(_ type: String, _ size: Int) -> [UInt8] {
        let length = (0..<4).reversed().map { UInt8(truncatingIfNeeded: (8 + size) >> (8 * $0)) }
        return length + Array(type.utf8) + [UInt8](repeating: 7, count: size)
    }

    private static let start = box("ftyp", 16) + box("moov", 200)
    private static let fragment = box("styp", 8) + box("moof", 60) + box("mdat", 500)

    @Test func mediaThatNoFragmentAnnouncesIsThatOfAFile() {
        let files = [
            Self.start + Self.box("free", 0) + Self.box("mdat", 500),
            Self.box("ftyp", 16) + Self.box("mdat", 500) + Self.box("moov", 200),
            Array((Self.box("ftyp", 16) + Self.box("moov", 100_000)).prefix(65_536)),
        ]
        for (index, file) in files.enumerated() { #expect(WholeFile.begins(with: file), "\(index)") }
        let others = [
            Self.start, Self.start + Self.fragment, Self.fragment,
            Self.start + Self.box("moof", 60) + Self.box("mdat", 9),
            [UInt8](repeating: 0x47, count: 1880), Self.box("mdat", 500), [],
            [0, 0, 0, 1] + Array("ftypmdatmdatmdat".utf8),
            Self.box("ftyp", 16) + [UInt8](repeating: 0, count: 100),
        ]
        for (index, other) in others.enumerated() { #expect(!WholeFile.begins(with: other), "\(index)") }
    }

    @Test func itIsFoundAmongTheSegmentsThatCameLast() {
        let whole = Self.start + Self.box("mdat", 500)
        let detours = StreamDetours(
            get: { _, _, _ in .failure(FetchFailure(reason: "")) },
            answer: { _ in nil },
            peek: { url, _, _ in
                .success(url.hasSuffix("2.mp4") || url.hasSuffix("i.mp4") ? whole : Self.fragment)
            }
        )
        let list = "#EXTM3U\n#EXT-X-MAP:URI=\"i.mp4\"\n" + (0..<9).map { "#EXTINF:1,\n\($0).mp4\n" }.joined()
        #expect(detours.begin(list + "#EXT-X-ENDLIST\n", at: "http://a/m.m3u8") == .asItIs)
        for name in ["i", "0", "1", "2", "3"] {
            #expect(detours.wholeFile() == nil, "\(name)")
            detours.finished(StreamDetours.Part(address: "http://a/\(name).mp4"), status: 200, succeeded: name != "2")
        }
        #expect(detours.wholeFile() == nil)
        detours.finished(StreamDetours.Part(address: "http://a/2.mp4"), status: 200, succeeded: true)
        #expect(detours.wholeFile() == "http://a/2.mp4")
    }
}
