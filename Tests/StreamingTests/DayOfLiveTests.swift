import Streaming
import Testing

/// Hours of a live stream on a virtual clock.
struct DayOfLiveTests {
    @Test(
        "After hours with discontinuities and missed playlists the wall clock is that of the sample on screen",
        arguments: VirtualLiveStream.Dates.allCases
    )
    func day(dates: VirtualLiveStream.Dates) throws {
        let stream = VirtualLiveStream(hours: 6, window: 6, dates: dates, seed: 7)
        var random = Random(state: 11)
        let joined = try #require(MediaPlaylist(text: stream.playlist(newest: 5)))
        // The viewer sees the third segment from the end, as engines join.
        var timeline = try #require(ProgramTimeline(joined, sequence: 3, atUs: stream.segments[3].positionUs))
        var worstMs: Int64 = 0
        var samples = 0
        var discontinuities = 0
        var missed = 0
        for newest in 6..<stream.segments.count {
            // Now and then a look at the playlist comes too late or fails, but not until the media itself is there.
            missed = missed < 2 && random.next(8) == 0 ? missed + 1 : 0
            if missed == 0 {
                timeline.update(from: try #require(MediaPlaylist(text: stream.playlist(newest: newest))))
            }
            // What is on screen meanwhile, sample by sample.
            let shown = stream.segments[newest - 3]
            if shown.isDiscontinuous { discontinuities += 1 }
            for offsetUs in stride(from: Int64(0), to: shown.durationUs, by: 250_000) {
                let wallMs = timeline.wallClockMs(atMs: (shown.positionUs + offsetUs) / 1000)
                var differenceMs = abs(wallMs - (shown.programUs + offsetUs) / 1000)
                // Half a sample around a discontinuity may still be dated by what is before it, or already by what is
                // behind it.
                if offsetUs < 125_000 {
                    let before = stream.segments[shown.sequence - 1]
                    let endUs = before.programUs + before.durationUs
                    differenceMs = min(differenceMs, abs(wallMs - (endUs + offsetUs) / 1000))
                }
                if shown.durationUs - offsetUs < 125_000 {
                    let startUs = stream.segments[shown.sequence + 1].programUs
                    differenceMs = min(differenceMs, abs(wallMs - (startUs + offsetUs - shown.durationUs) / 1000))
                }
                worstMs = max(worstMs, differenceMs)
                samples += 1
            }
        }
        #expect(samples > 85_000)
        #expect(discontinuities > 25)
        // A sample is 250 ms.
        #expect(worstMs <= 125, "the worst difference is \(worstMs) ms")
        let last = try #require(stream.segments.last)
        let edgeMs = try #require(timeline.liveEdgeMs)
        #expect(abs(edgeMs - (last.programUs + last.durationUs) / 1000) <= 7000)
    }

    @Test("When the player saw no playlist for minutes, the wall clock is right again behind the gap")
    func outage() throws {
        let stream = VirtualLiveStream(hours: 1, window: 6, dates: .all, seed: 3)
        let joined = try #require(MediaPlaylist(text: stream.playlist(newest: 5)))
        var timeline = try #require(ProgramTimeline(joined, sequence: 0, atUs: 0))
        // No discontinuity lies in this stretch of the stream.
        let stretch = try #require(
            (6..<500).first { start in !stream.segments[start - 5..<start + 40].contains { $0.isDiscontinuous } }
        )
        for newest in 6...stretch {
            timeline.update(from: try #require(MediaPlaylist(text: stream.playlist(newest: newest))))
        }
        timeline.update(from: try #require(MediaPlaylist(text: stream.playlist(newest: stretch + 35))))
        let shown = stream.segments[stretch + 33]
        #expect(abs(timeline.wallClockMs(atMs: shown.positionUs / 1000) - shown.programUs / 1000) <= 10)
    }
}
