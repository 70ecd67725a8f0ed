import Streaming
import Testing

/// Breaks that tags between segments mark.
struct StreamCueTests {
    /// Out of network, with a break of 60.293566 s, and its Base64 (SCTE 35, example 14.2).
    private static let insert = "/DAvAAAAAAAA///wFAVIAACPf+/+c2nALv4AUsz1AAAAAAAKAAhDVUVJAAABNWLbowo="

    /// Segments of two seconds, the first of which has the number 10 and the date 0; `tags` by the segment's number.
    private func playlist(_ tags: [Int: String], from first: Int = 10, count: Int = 20) throws -> MediaPlaylist {
        let segments = (first..<first + count).map { number in
            (tags[number].map { $0 + "\n" } ?? "") + "#EXTINF:2,\ns\(number).ts\n"
        }
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:\(first)\n" + segments.joined()
        return try #require(MediaPlaylist(text: text))
    }

    private func breaks(_ playlists: MediaPlaylist...) throws -> [[Int64?]] {
        var markers = StreamMarkers()
        var timeline = try #require(ProgramTimeline(playlists[0].dated(fromUs: 0), sequence: 10, atUs: 0))
        for (index, playlist) in playlists.enumerated() {
            if index > 0 { timeline.update(from: playlist) }
            markers.add(playlist)
            markers.addCues(of: playlist, on: timeline)
        }
        // What is marked once has one ad, which is all of it.
        for found in markers.breaks { #expect(found.ads.map(\.id) == [found.id]) }
        return markers.breaks.map { [$0.startUs / 1_000_000, $0.endUs.map { $0 / 1_000_000 }] }
    }

    @Test(
        "A break lasts as long as it is said to, however that is written",
        arguments: [
            "#EXT-X-CUE-OUT:10", "#EXT-X-CUE-OUT:10.0", "#EXT-X-CUE-OUT:DURATION=10", "#EXT-X-CUE-OUT:Duration=\"10\"",
        ]
    )
    func planned(tag: String) throws {
        #expect(try breaks(playlist([12: tag])) == [[4, 14]])
    }

    @Test("It ends where the main content is back, be that earlier, or the only thing that is said")
    func back() throws {
        #expect(try breaks(playlist([12: "#EXT-X-CUE-OUT:30", 15: "#EXT-X-CUE-IN"])) == [[4, 10]])
        #expect(try breaks(playlist([12: "#EXT-X-CUE-OUT", 15: "#EXT-X-CUE-IN"])) == [[4, 10]])
        #expect(try breaks(playlist([12: "#EXT-X-CUE-OUT"])) == [[4, nil]])
        #expect(
            try breaks(playlist([11: "#EXT-X-CUE-OUT:4", 13: "#EXT-X-CUE-IN", 15: "#EXT-X-CUE-OUT:4"])) == [
                [2, 6], [10, 14],
            ]
        )
    }

    @Test("Splice information says how long it is, as a tag of its own or within the cue")
    func splice() throws {
        #expect(try breaks(playlist([12: "#EXT-OATCLS-SCTE35:\(Self.insert)\n#EXT-X-CUE-OUT"])) == [[4, 64]])
        #expect(try breaks(playlist([12: "#EXT-X-CUE-OUT:SCTE35=\(Self.insert)"])) == [[4, 64]])
        // What the tag says goes before it.
        #expect(try breaks(playlist([12: "#EXT-OATCLS-SCTE35:\(Self.insert)\n#EXT-X-CUE-OUT:10"])) == [[4, 14]])
    }

    @Test(
        "Who joins within a break knows where it began",
        arguments: [
            ("#EXT-X-CUE-OUT-CONT:6/10", "#EXT-X-CUE-OUT-CONT:8/10"),
            ("#EXT-X-CUE-OUT-CONT:ElapsedTime=6,Duration=10", "#EXT-X-CUE-OUT-CONT:ElapsedTime=8,Duration=10"),
        ]
    )
    func joined(first: String, second: String) throws {
        #expect(try breaks(playlist([10: first, 11: second])) == [[-6, 4]])
    }

    @Test("Later playlists add to it: a break is one, also when its beginning has left them")
    func updated() throws {
        let first = try playlist([12: "#EXT-X-CUE-OUT:10", 13: "#EXT-X-CUE-OUT-CONT:2/10"], count: 5)
        let second = try playlist([13: "#EXT-X-CUE-OUT-CONT:2/10", 14: "#EXT-X-CUE-OUT-CONT:4/10"], from: 13, count: 3)
        let third = try playlist([14: "#EXT-X-CUE-OUT-CONT:4/10", 16: "#EXT-X-CUE-IN"], from: 14, count: 4)
        #expect(try breaks(first, second) == [[4, 14]])
        #expect(try breaks(first, second, third) == [[4, 12]])
    }

    @Test("A break that a date range marks too is there once")
    func twice() throws {
        let range = "#EXT-X-DATERANGE:ID=\"spot\",START-DATE=\"1970-01-01T00:00:04Z\",DURATION=10,SCTE35-OUT=0xFC002F"
        #expect(try breaks(playlist([12: range + "\n#EXT-X-CUE-OUT:10"])) == [[4, 14]])
    }

    @Test(
        "Tags without what they need are ignored",
        arguments: ["#EXT-X-CUE-OUT-CONT", "#EXT-X-CUE-OUT-CONT:10", "#EXT-X-CUE-IN", "#EXT-X-CUE"]
    )
    func ignored(tag: String) throws {
        #expect(try breaks(playlist([12: tag])) == [])
    }
}
