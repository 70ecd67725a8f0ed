import Streaming
import Testing

struct ProgramTimelineTests {
    /// Noon of 17 January 2026 in UTC.
    private let noonMs: Int64 = 1_768_651_200_000

    private func playlist(_ lines: String, from sequence: Int = 0) throws -> MediaPlaylist {
        try #require(
            MediaPlaylist(text: "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:\(sequence)\n" + lines)
        )
    }

    @Test("The place in the stream becomes the date, and the date the place")
    func bothWays() throws {
        let media = try playlist("#EXT-X-PROGRAM-DATE-TIME:2026-01-17T12:00:00.500Z\n#EXTINF:2,\na\n#EXTINF:2,\nb\n")
        let timeline = try #require(ProgramTimeline(media, sequence: 1, atUs: 9_000_000))
        #expect(timeline.wallClockMs(atMs: 9000) == noonMs + 2500)
        #expect(timeline.wallClockMs(atMs: 10_250) == noonMs + 3750)
        #expect(timeline.wallClockMs(atMs: 6000) == noonMs - 500)
        #expect(timeline.positionMs(ofUs: (noonMs + 2500) * 1000) == 9000)
        #expect(timeline.positionMs(ofUs: (noonMs - 500) * 1000) == 6000)
        #expect(timeline.liveEdgeMs == noonMs + 4500)
    }

    @Test("A date behind the first segments dates these too")
    func extrapolatedBackwards() throws {
        let media = try playlist("#EXTINF:2,\na\n#EXTINF:2,\n#EXT-X-PROGRAM-DATE-TIME:2026-01-17T12:00:00Z\nb\n")
        let timeline = try #require(ProgramTimeline(media, sequence: 0, atUs: 0))
        #expect(timeline.wallClockMs(atMs: 0) == noonMs - 2000)
        #expect(timeline.wallClockMs(atMs: 2000) == noonMs)
    }

    @Test("A discontinuity begins with its own date, at the place where the media before it ends")
    func discontinuity() throws {
        let media = try playlist(
            "#EXT-X-PROGRAM-DATE-TIME:2026-01-17T12:00:00Z\n#EXTINF:2,\na\n#EXT-X-DISCONTINUITY\n"
                + "#EXT-X-PROGRAM-DATE-TIME:2026-01-17T13:00:00Z\n#EXTINF:2,\nb\n"
        )
        let timeline = try #require(ProgramTimeline(media, sequence: 0, atUs: 0))
        #expect(timeline.wallClockMs(atMs: 1999) == noonMs + 1999)
        #expect(timeline.wallClockMs(atMs: 2001) == noonMs + 3_600_001)
        // A date that no media has is where the dates jump over it.
        #expect(timeline.positionMs(ofUs: (noonMs + 600_000) * 1000) == 2000)
        #expect(timeline.positionMs(ofUs: (noonMs + 3_601_000) * 1000) == 3000)
    }

    @Test("A playlist without dates, and one without the segment on screen, are no timeline")
    func none() throws {
        #expect(ProgramTimeline(try playlist("#EXTINF:2,\na\n"), sequence: 0, atUs: 0) == nil)
        let dated = try playlist("#EXT-X-PROGRAM-DATE-TIME:2026-01-17T12:00:00Z\n#EXTINF:2,\na\n", from: 5)
        #expect(ProgramTimeline(dated, sequence: 4, atUs: 0) == nil)
        #expect(ProgramTimeline(dated, sequence: 5, atUs: 0) != nil)
    }

    @Test("A playlist that is older than the last changes nothing")
    func older() throws {
        let date = "#EXT-X-PROGRAM-DATE-TIME:2026-01-17T12:00:0"
        let new = try playlist("\(date)4Z\n#EXTINF:2,\nc\n#EXTINF:2,\nd\n", from: 2)
        var timeline = try #require(ProgramTimeline(new, sequence: 2, atUs: 4_000_000))
        let before = timeline
        timeline.update(from: try playlist("\(date)0Z\n#EXTINF:2,\na\n#EXTINF:2,\nb\n"))
        #expect(timeline == before)
    }

    @Test("The nearest start of a segment, and the end of the last one, are boundaries")
    func boundaries() throws {
        let media = try playlist("#EXT-X-PROGRAM-DATE-TIME:2026-01-17T12:00:00Z\n#EXTINF:2,\na\n#EXTINF:3,\nb\n")
        let timeline = try #require(ProgramTimeline(media, sequence: 0, atUs: 0))
        let found = [0, 900, 1100, 3400, 3600, 9000].map { timeline.boundaryMs(nearMs: $0) }
        #expect(found == [0, 0, 2000, 2000, 5000, 5000])
    }
}
