import Streaming
import Testing

struct MediaPlaylistTests {
    private let event = """
        #EXTM3U
        #EXT-X-VERSION:7
        #EXT-X-TARGETDURATION:4
        #EXT-X-MEDIA-SEQUENCE:120
        #EXT-X-DISCONTINUITY-SEQUENCE:3
        #EXT-X-MAP:URI="init.mp4"
        #EXT-X-DATERANGE:ID="b,1",START-DATE="2026-01-17T12:00:04Z",DURATION=12.5,SCTE35-OUT=0xFC00
        #EXT-X-PROGRAM-DATE-TIME:2026-01-17T13:00:00.040+01:00
        #EXTINF:4.004,a title, with a comma
        s120.m4s

        #EXTINF:3
        s121.m4s
        #EXT-X-DISCONTINUITY
        #EXT-X-UNKNOWN:1
        #EXTINF:4,
        ../other/s122.m4s?token=1
        #EXT-X-ENDLIST
        """

    @Test("A media playlist has segments with numbers, durations, dates and discontinuities")
    func segments() throws {
        let playlist = try #require(MediaPlaylist(text: event))
        #expect(playlist.targetDurationUs == 4_000_000)
        #expect(playlist.discontinuitySequence == 3)
        #expect(playlist.isEnded)
        #expect(playlist.segments.map(\.sequence) == [120, 121, 122])
        #expect(playlist.segments.map(\.durationUs) == [4_004_000, 3_000_000, 4_000_000])
        #expect(playlist.segments.map(\.programUs) == [1_768_651_200_040_000, nil, nil])
        #expect(playlist.segments.map(\.isDiscontinuous) == [false, false, true])
        #expect(playlist.dateRanges.map(\.id) == ["b,1"])
        #expect(playlist.dateRanges.first?.endUs == 1_768_651_216_500_000)
        #expect(MediaPlaylist(text: event.split(separator: "\n").joined(separator: "\r\n")) == playlist)
    }

    @Test("An address is a segment's also where the server led the request elsewhere")
    func addresses() throws {
        let segments = try #require(MediaPlaylist(text: event)).segments
        #expect(segments[0].isAt("http://a.example/live/s120.m4s"))
        #expect(segments[0].isAt("http://b.example/s120.m4s"))
        #expect(!segments[0].isAt("http://a.example/live/xs120.m4s"))
        #expect(!segments[0].isAt("http://a.example/live/s120.m4s?x"))
        #expect(segments[2].isAt("http://a.example/other/s122.m4s?token=1"))
    }

    @Test("What is no media playlist is none")
    func none() {
        #expect(MediaPlaylist(text: "") == nil)
        #expect(MediaPlaylist(text: "<html></html>") == nil)
        #expect(MediaPlaylist(text: "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8") == nil)
    }

    @Test(
        "Dates are read with their zone and fraction",
        arguments: [
            ("2026-01-17T12:00:00Z", 1_768_651_200_000_000), ("2026-01-17T12:00:00.5", 1_768_651_200_500_000),
            ("2026-01-17T07:30:00-0430", 1_768_651_200_000_000),
            ("2026-01-17T14:00:00.0000019+02", 1_768_651_200_000_001),
            ("2024-02-29T23:59:60Z", 1_709_251_200_000_000), ("1970-01-01T00:00Z", 0),
        ] as [(String, Int64)]
    )
    func dates(text: String, microseconds: Int64) {
        #expect(ProgramDate.microseconds(text) == microseconds)
    }

    @Test(
        "What is no date is none",
        arguments: [
            "", "2026-01-17", "2026-13-01T00:00:00Z", "2026-01-17T12:00:00.Z", "2026-01-17T12:00:00+",
            "1969-12-31T00:00:00Z", "2026-01-17T12:00:00Z ", "99999-01-01T00:00:00Z", "2026-01-17T12:61:00Z",
        ]
    )
    func noDates(text: String) {
        #expect(ProgramDate.microseconds(text) == nil)
    }

    @Test("Numbers that no stream has are not taken")
    func hugeNumbers() throws {
        let text = """
            #EXTM3U
            #EXT-X-TARGETDURATION:1e300
            #EXT-X-MEDIA-SEQUENCE:99999999999999999999
            #EXTINF:inf,
            a
            #EXTINF:-1,
            b
            #EXTINF:nan,
            c
            #EXTINF:0x10,
            d
            #EXTINF:2,
            e
            """
        let playlist = try #require(MediaPlaylist(text: text))
        #expect(playlist.targetDurationUs == 0)
        #expect(playlist.segments.map(\.uri) == ["e"])
        #expect(playlist.segments.map(\.sequence) == [0])
    }

    @Test("3,000 damaged playlists are read, or not, and nothing else happens")
    func damaged() {
        let range = "#EXT-X-DATERANGE:ID=\"i\",CLASS=\"com.apple.hls.interstitial\",X-ASSET-URI=\"a\""
        let source = Array((event + "\n" + range).utf8)
        var random = Random(state: 99)
        var playlists = 0
        for _ in 0..<3000 {
            var bytes = source
            for _ in 0...random.next(12) {
                let place = Int(random.next(UInt64(bytes.count)))
                switch random.next(4) {
                case 0: bytes[place] = UInt8(random.next(256))
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(UInt8(random.next(256)), at: place)
                default: bytes.insert(contentsOf: source[..<Int(random.next(UInt64(source.count)))], at: place)
                }
            }
            let text = String(decoding: bytes, as: UTF8.self)
            _ = MasterPlaylist(text: text)
            guard let playlist = MediaPlaylist(text: text) else { continue }
            playlists += 1
            var markers = StreamMarkers()
            markers.add(playlist)
            _ = markers.breaks
            _ = markers.interstitials
            guard let first = playlist.segments.first,
                var timeline = ProgramTimeline(playlist, sequence: first.sequence, atUs: 0)
            else { continue }
            timeline.update(from: playlist)
            _ = timeline.wallClockMs(atMs: 1000) + timeline.positionMs(ofUs: 0) + timeline.boundaryMs(nearMs: 5)
        }
        #expect(playlists > 300)
    }
}
