import Streaming
import Testing

struct StreamStartTests {
    /// Segments of 4, 3 and 4 seconds.
    private func playlist(_ start: String) throws -> MediaPlaylist {
        try #require(
            MediaPlaylist(
                text: "#EXTM3U\n#EXT-X-START:\(start)\n#EXTINF:4,\na\n#EXTINF:3,\nb\n#EXTINF:4,\nc\n#EXT-X-ENDLIST"
            )
        )
    }

    @Test(
        "Playback begins with the segment that has the place, or exactly there",
        arguments: [
            ("TIME-OFFSET=5.5", 4000), ("TIME-OFFSET=5.5,PRECISE=NO", 4000), ("TIME-OFFSET=5.5,PRECISE=YES", 5500),
            ("TIME-OFFSET=4", 4000), ("TIME-OFFSET=3.999", 0), ("TIME-OFFSET=-2.5", 7000),
            ("PRECISE=YES,TIME-OFFSET=-2.5", 8500), ("TIME-OFFSET=-100", 0), ("TIME-OFFSET=100,PRECISE=YES", 11_000),
            ("TIME-OFFSET=0", 0),
        ] as [(String, Int64)]
    )
    func place(start: String, placeMs: Int64) throws {
        #expect(try playlist(start).startPlaceMs == placeMs)
    }

    @Test(
        "A tag without a place, or with a mad one, says nothing",
        arguments: ["PRECISE=YES", "TIME-OFFSET=x", "TIME-OFFSET=1e300"]
    )
    func none(start: String) throws {
        #expect(try playlist(start).startPlaceMs == nil)
    }

    @Test("A master playlist says it for all of its playlists, and the first tag counts")
    func master() {
        let text =
            "#EXTM3U\n#EXT-X-START:TIME-OFFSET=-12.25\n#EXT-X-START:TIME-OFFSET=1\n"
            + "#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n"
        #expect(MasterPlaylist(text: text).start == StreamStart(offsetMs: -12_250, isPrecise: false))
        #expect(MasterPlaylist(text: text).variants.map(\.uri) == ["v.m3u8"])
    }
}
