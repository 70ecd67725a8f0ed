import EventModel
import MediaRules
import PlayerSignals
import Testing

/// What players' signals come to: the cases that players were seen in.
struct SignalCourseTests {
    @Test("A file from its opening to its end")
    func plain() {
        var line = SignalTimeline.wishing(durationMs: 2_000)
        line.play(from: 250, to: 2_000, playhead: 150)
        line.at(2_100, .ended(isLimited: false))
        line.finish(2_200)
        #expect(
            line.lines == SignalTimeline.started + [
                "2100 complete", "2100 video_unload", "2200 application_terminated running_time_ms=2200",
            ]
        )
        #expect(line.known(at: .complete)?.state.playhead == 2_000)
    }

    @Test("The load says what is known then, and its description what is known later")
    func description() throws {
        let line = SignalTimeline.wishing()
        let load = try #require(line.known(at: .videoLoad))
        #expect(load.video.map(\.name) == ["player_name", "video_id", "video_name", "video_url", "stream_type"])
        #expect(load.video[1].value == .string("film.mp4"))
        #expect(load.state.duration == 20_000)
        #expect(load.state.playhead == nil)
        let described = try #require(line.known(at: .metadataChange))
        #expect(described.state.duration == 20_000)
        #expect(described.video.last == .init("stream_type", .string("vod")))
        let frame = try #require(line.known(at: .firstFrame))
        #expect(frame.quality == [.init("first_picture_time_ms", .int(100)), .init("startup_time_ms", .int(100))])
    }

    @Test("A list that leads elsewhere is no session")
    func redirect() {
        var line = SignalTimeline()
        line.at(0, .opening(url: "http://host/list.m3u", wantsPlaying: true))
        line.at(20, .redirected)
        line.at(21, .opening(url: SignalTimeline.url, wantsPlaying: true))
        line.at(60, .opened(OpenedMedia(durationMs: 1_000)))
        #expect(line.lines == ["21 video_load", "21 play"])
        line.at(70, .redirected)
        #expect(line.lines.count == 2)
        var alone = SignalTimeline()
        alone.at(0, .opening(url: "http://host/list.m3u", wantsPlaying: true))
        alone.at(20, .redirected)
        alone.at(400)
        #expect(alone.lines.isEmpty)
    }

    @Test("A load of which nothing more is heard is told after 250 ms, as of its time")
    func heldLoad() {
        var line = SignalTimeline()
        line.at(10, .opening(url: SignalTimeline.url, wantsPlaying: true))
        line.at(259)
        #expect(line.lines.isEmpty)
        line.at(260)
        #expect(line.lines == ["10 video_load", "10 play"])
    }

    @Test("What comes while the load is held is told behind it")
    func heldFacts() {
        var line = SignalTimeline()
        line.at(0, .opening(url: "http://me:secret@host/a.m3u8", wantsPlaying: true))
        line.at(20, .request(EngineRequest(url: "http://host/a.m3u8", status: 200)), .variant(bitrate: 500_000))
        line.at(30, .buffering(percent: 0))
        line.at(40, .opened(OpenedMedia(durationMs: 20_000)))
        line.at(90, .buffering(percent: 100))
        #expect(
            line.lines == SignalTimeline.loaded + [
                "40 metadata_change", "40 request_completed manifest 200",
                "40 rendition_change decided 0x0 500000 -", "40 buffer_start buffer_cause=initial",
                "90 buffer_complete",
            ]
        )
        #expect(line.known(at: .videoLoad)?.video.last == .init("video_url", .string("http://host/a.m3u8")))
    }

    @Test("Counters that begin anew become totals that never fall, and begin anew with an item")
    func counters() {
        var line = SignalTimeline.wishing()
        line.at(200, .dropped(source: 1, count: 30, isEvent: false), .dropped(source: 2, count: 5, isEvent: false))
        line.at(250, .position(ms: 100))
        line.at(300, .dropped(source: 1, count: 0, isEvent: false), .dropped(source: 1, count: 1, isEvent: false))
        line.at(400, .rendered(100))
        line.at(450, .rendered(20))
        line.at(500, .ended(isLimited: true))
        #expect(line.known(at: .videoUnload)?.state.droppedFrames == 36)
        #expect(line.known(at: .videoUnload)?.state.renderedFrames == 120)
        line.at(600, .opening(url: SignalTimeline.url, wantsPlaying: true))
        line.at(650, .opened(OpenedMedia()), .dropped(source: 1, count: 2, isEvent: false))
        line.at(700, .closed(cause: nil))
        #expect(line.known(at: .videoUnload)?.state.droppedFrames == 1)
    }

    @Test("A counter that is told at each drop has begun anew where it does not grow")
    func dropEvents() {
        var line = SignalTimeline.wishing()
        for count in [1, 2, 2, 1] { line.at(200, .dropped(source: 1, count: Int64(count), isEvent: true)) }
        line.at(300, .closed(cause: nil))
        #expect(line.known(at: .videoUnload)?.state.droppedFrames == 4)
    }

    @Test("Chapters begin, end, and are left by a seek")
    func chapters() {
        var line = SignalTimeline.wishing()
        line.at(
            120,
            .chapters([SignalledChapter(startMs: -21, title: "one"), SignalledChapter(startMs: 1_000, title: "two")])
        )
        line.play(from: 250, to: 1_250, playhead: 150)
        line.at(1_300, .seeking(toMs: 200, rate: nil))
        line.at(1_400, .seeked(atMs: 200))
        line.at(1_500, .position(ms: 300))
        #expect(
            line.lines == SignalTimeline.started + [
                "250 chapter_start", "1250 chapter_complete", "1250 chapter_start",
                "1300 seek_start seek_from_ms=1200 seek_to_ms=200", "1400 chapter_skip", "1400 seek_complete",
                "1500 chapter_start",
            ]
        )
        #expect(line.known(at: .chapterStart)?.chapter.first == .init("chapter_name", .string("one")))
    }

    @Test("Renditions that were decided for and that are on screen")
    func renditions() {
        var line = SignalTimeline.clocked()
        line.at(300, .variant(bitrate: 1_000_000))
        line.at(400, .variant(bitrate: 2_500_000), .variant(bitrate: 2_500_000))
        line.at(900, .format(StreamRendition(width: 1_280, height: 720)))
        #expect(
            line.lines.suffix(3) == [
                "300 rendition_change decided 0x0 1000000 -", "400 rendition_change decided 0x0 2500000 up",
                "900 rendition_change visible 1280x720 2500000 -",
            ]
        )
    }

    @Test("A live stream has no length")
    func live() {
        var line = SignalTimeline()
        line.at(0, .opening(url: SignalTimeline.url, wantsPlaying: true))
        line.at(40, .opened(OpenedMedia(durationMs: 6_000, isLive: true)), .picture)
        line.at(3_000, .ended(isLimited: false))
        #expect(line.lines.suffix(2) == ["3000 complete", "3000 video_unload"])
        #expect(line.known(at: .firstFrame)?.state.duration == -1)
    }

    @Test("The playhead is sampled while it moves, and the quality every 10 s")
    func samples() {
        var line = SignalTimeline.wishing(showsSamples: true)
        line.play(from: 250, to: 10_500, playhead: 150)
        line.at(10_600, .wanted(false))
        line.at(10_750, .position(ms: 10_600))
        let samples = line.lines.filter { $0.hasSuffix("playhead_sample") }
        #expect(samples.count == 42)
        #expect(line.lines.filter { $0.hasSuffix("quality_sample") } == ["100 quality_sample", "10250 quality_sample"])
        #expect(line.lines.last == "10600 pause")
    }

    @Test("Times that go back count as the last one")
    func backwards() {
        var line = SignalTimeline.wishing()
        line.at(2_000, .wanted(false))
        line.at(1_000, .wanted(true))
        #expect(line.lines.suffix(2) == ["2000 pause", "2000 play"])
    }
}
