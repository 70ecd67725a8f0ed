import EventModel
import MediaRules
import PlayerSignals
import Tally
import Testing

/// What players' signals come to: the cases that players were seen in.
struct SignalCourseTests {
    private static let url = "http://host/films/film.mp4?token=1"
    private static let loaded = ["0 video_load", "0 play"]

    /// A player like mpv: it tells wishes, and nothing of its clock.
    private func wishing(showsSamples: Bool = false, durationMs: Int64 = 20_000) -> SignalTimeline {
        var line = SignalTimeline(showsSamples: showsSamples)
        line.at(0, .opening(url: Self.url, wantsPlaying: true))
        line.at(40, .opened(OpenedMedia(durationMs: durationMs, isLive: false, hasVideo: true)))
        line.at(100, .format(StreamRendition(width: 640, height: 360, framesPerSecondMilli: 25_000)), .picture)
        return line
    }

    /// A player like GStreamer: its clock halts by wishes and by waits.
    private func clocked(showsSamples: Bool = false) -> SignalTimeline {
        var line = SignalTimeline(showsSamples: showsSamples)
        line.at(0, .opening(url: Self.url, wantsPlaying: true), .running(false))
        line.at(100, .format(StreamRendition(width: 640, height: 360)), .picture)
        line.at(100, .opened(OpenedMedia(durationMs: 20_000, isLive: false, hasVideo: true)), .running(true))
        return line
    }

    private static let started =
        loaded + [
            "100 metadata_change", "100 rendition_change visible 640x360 - -", "100 first_frame",
        ]

    @Test("A file from its opening to its end")
    func plain() {
        var line = wishing(durationMs: 2_000)
        line.play(from: 250, to: 2_000, playhead: 150)
        line.at(2_100, .ended(isLimited: false))
        line.finish(2_200)
        #expect(
            line.lines == Self.started + [
                "2100 complete", "2100 video_unload", "2200 application_terminated running_time_ms=2200",
            ]
        )
        #expect(line.known(at: .complete)?.state.playhead == 2_000)
    }

    @Test("The load says what is known then, and its description what is known later")
    func description() throws {
        let line = wishing()
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
        line.at(21, .opening(url: Self.url, wantsPlaying: true))
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
        line.at(10, .opening(url: Self.url, wantsPlaying: true))
        line.at(259)
        #expect(line.lines.isEmpty)
        line.at(260)
        #expect(line.lines == ["10 video_load", "10 play"])
    }

    @Test("A halt that begins in a stall belongs to it, and goes with it")
    func haltInStall() {
        var line = clocked()
        line.play(from: 250, to: 2_000, playhead: 150)
        line.at(2_300, .buffering(percent: 2))
        line.at(2_301, .running(false))
        line.at(2_700, .buffering(percent: 37))
        line.at(4_270, .buffering(percent: 100))
        line.at(4_271, .running(true))
        line.at(6_000, .position(ms: 3_900))
        #expect(line.lines == Self.started + ["2301 buffer_start buffer_cause=stall", "4270 buffer_complete"])
    }

    @Test("A halt that lasts behind a stall has become a pause")
    func pauseInStall() {
        var line = clocked()
        line.at(2_300, .buffering(percent: 2))
        line.at(2_301, .running(false))
        line.at(4_270, .buffering(percent: 100))
        line.at(4_519)
        #expect(line.lines.count == Self.started.count + 2)
        line.at(4_520)
        line.at(9_000, .running(true))
        #expect(line.lines.suffix(2) == ["4520 pause", "9000 play"])
    }

    @Test("A halt with full buffers is a pause")
    func pause() {
        var line = clocked()
        line.at(2_000, .buffering(percent: 100), .running(false))
        line.at(3_000, .running(true))
        #expect(line.lines == Self.started + ["2000 pause", "3000 play"])
    }

    @Test("A pause is where the playhead is by then, and not where it was looked at, unless it stood there")
    func placeOfPause() {
        var line = clocked()
        line.play(from: 250, to: 2_000, playhead: 150)
        line.at(2_180, .running(false))
        #expect(line.lines.last == "2180 pause")
        #expect(line.known(at: .pause)?.state.playhead == 2_080)

        var standing = clocked()
        standing.play(from: 250, to: 2_000, playhead: 150)
        standing.at(2_250, .position(ms: 1_900))
        standing.at(2_400, .running(false))
        #expect(standing.known(at: .pause)?.state.playhead == 1_900)
    }

    @Test("A halt right behind full buffers is a program that comes late, and a pause only if it lasts")
    func lateHalt() {
        var line = clocked()
        line.at(2_000, .buffering(percent: 73))
        line.at(2_000, .buffering(percent: 100))
        line.at(2_001, .running(false))
        line.at(2_002, .running(true))
        line.at(3_000, .buffering(percent: 73))
        line.at(3_000, .buffering(percent: 100))
        line.at(3_100, .running(false))
        line.at(3_249)
        #expect(line.lines == Self.started)
        line.at(3_250)
        line.at(4_000, .running(true))
        #expect(line.lines == Self.started + ["3250 pause", "4000 play"])
    }

    @Test("A wish to pause and to go on in a stall is told, and the stall lasts")
    func wishInStall() {
        var line = wishing()
        line.at(1_265, .buffering(percent: 0))
        line.at(1_727, .wanted(false))
        line.at(2_723, .wanted(true))
        line.at(4_082, .buffering(percent: 100))
        #expect(
            line.lines == Self.started + [
                "1265 buffer_start buffer_cause=stall", "1727 pause", "2723 play", "4082 buffer_complete",
            ]
        )
    }

    @Test("Nobody waits while playback is paused: the stall begins when it is wanted again")
    func waitInPause() {
        var line = wishing()
        line.at(1_000, .wanted(false))
        line.at(1_500, .buffering(percent: 0))
        line.at(2_000, .wanted(true))
        line.at(2_500, .buffering(percent: 100))
        #expect(
            line.lines == Self.started + [
                "1000 pause", "2000 play", "2000 buffer_start buffer_cause=stall", "2500 buffer_complete",
            ]
        )
    }

    @Test("Buffers that a player with a running clock tells of are no stall, unless the playhead stands still")
    func runningWithLowBuffers() {
        var line = clocked()
        line.play(from: 250, to: 1_000, playhead: 150)
        line.at(1_100, .buffering(percent: 40))
        line.play(from: 1_250, to: 2_000, playhead: 1_150)
        #expect(line.lines == Self.started)
        for time in stride(from: Int64(2_250), through: 3_500, by: 250) { line.at(time, .position(ms: 1_900)) }
        line.at(3_750, .position(ms: 2_000))
        #expect(line.lines == Self.started + ["3250 buffer_start buffer_cause=stall", "3750 buffer_complete"])
    }

    @Test("A playhead that stands still for a second, and nothing is waited for")
    func frozen() {
        var line = wishing()
        line.play(from: 250, to: 1_000, playhead: 150)
        for time in stride(from: Int64(1_250), through: 2_500, by: 250) { line.at(time, .position(ms: 900)) }
        line.at(2_750, .position(ms: 1_000))
        #expect(line.lines == Self.started + ["2250 buffer_start buffer_cause=frozen", "2750 buffer_complete"])
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
            line.lines == Self.loaded + [
                "40 metadata_change", "40 request_completed manifest 200",
                "40 rendition_change decided 0x0 500000 -", "40 buffer_start buffer_cause=initial",
                "90 buffer_complete",
            ]
        )
        #expect(line.known(at: .videoLoad)?.video.last == .init("video_url", .string("http://host/a.m3u8")))
    }

    @Test("Seeks during a seek are one")
    func mergedSeeks() {
        var line = wishing()
        line.play(from: 250, to: 1_750, playhead: 150)
        line.at(1_759, .seeking(toMs: 12_000, rate: nil))
        line.at(2_007, .seeking(toMs: 14_000, rate: nil))
        line.at(2_100, .position(ms: 14_000))
        line.at(2_268, .seeked(atMs: 14_000))
        #expect(
            line.lines == Self.started + [
                "1759 seek_start seek_from_ms=1659 seek_to_ms=12000", "2268 seek_complete",
            ]
        )
        #expect(line.known(at: .seekComplete)?.state.playhead == 14_000)
    }

    @Test("A seek before the first picture is a part of the load")
    func startPlace() {
        var line = SignalTimeline()
        line.at(0, .opening(url: Self.url, wantsPlaying: true))
        line.at(40, .opened(OpenedMedia(durationMs: 20_000)), .seeking(toMs: 5_000, rate: nil))
        line.at(90, .picture, .seeked(atMs: 5_000))
        #expect(line.known(at: .firstFrame)?.state.playhead == 5_000)
        #expect(line.lines == Self.loaded + ["90 metadata_change", "90 first_frame"])
    }

    @Test("The clock that halts for a seek, and runs behind it, is no pause and no wish")
    func clockInSeek() {
        var line = clocked()
        line.play(from: 250, to: 1_000, playhead: 150)
        line.at(1_105, .seeking(toMs: 10_000, rate: 1), .running(false))
        line.at(1_149, .seeked(atMs: nil))
        #expect(line.known(at: .seekComplete)?.state.playhead == 10_000)
        line.at(1_150, .running(true))
        line.at(1_400, .position(ms: 10_240))
        #expect(
            line.lines == Self.started + ["1105 seek_start seek_from_ms=1005 seek_to_ms=10000", "1149 seek_complete"]
        )
    }

    @Test("A seek to the present place at another rate is a change of the rate")
    func rateChange() {
        var line = clocked()
        line.play(from: 250, to: 1_000, playhead: 150)
        line.at(1_100, .seeking(toMs: 1_000, rate: 2))
        line.at(1_150, .seeked(atMs: nil))
        #expect(line.lines == Self.started)
        #expect(line.known(at: .playheadSample)?.state.rate == 2_000)
    }

    @Test("Counters that begin anew become totals that never fall, and begin anew with an item")
    func counters() {
        var line = wishing()
        line.at(200, .dropped(source: 1, count: 30, isEvent: false), .dropped(source: 2, count: 5, isEvent: false))
        line.at(250, .position(ms: 100))
        line.at(300, .dropped(source: 1, count: 0, isEvent: false), .dropped(source: 1, count: 1, isEvent: false))
        line.at(400, .rendered(100))
        line.at(450, .rendered(20))
        line.at(500, .ended(isLimited: true))
        #expect(line.known(at: .videoUnload)?.state.droppedFrames == 36)
        #expect(line.known(at: .videoUnload)?.state.renderedFrames == 120)
        line.at(600, .opening(url: Self.url, wantsPlaying: true))
        line.at(650, .opened(OpenedMedia()), .dropped(source: 1, count: 2, isEvent: false))
        line.at(700, .closed)
        #expect(line.known(at: .videoUnload)?.state.droppedFrames == 1)
    }

    @Test("A counter that is told at each drop has begun anew where it does not grow")
    func dropEvents() {
        var line = wishing()
        for count in [1, 2, 2, 1] { line.at(200, .dropped(source: 1, count: Int64(count), isEvent: true)) }
        line.at(300, .closed)
        #expect(line.known(at: .videoUnload)?.state.droppedFrames == 4)
    }

    @Test("An end before the duration is an error")
    func cutFile() {
        var line = wishing(durationMs: 6_000)
        line.play(from: 250, to: 3_000, playhead: 150)
        line.at(3_300, .ended(isLimited: false))
        #expect(line.lines == Self.started + ["3300 player_error truncated - 0 fatal", "3300 video_unload"])
        var fast = wishing(durationMs: 6_000)
        fast.at(200, .setting(PlayerSetting(rate: 4)))
        fast.play(from: 250, to: 1_250, playhead: 500, rate: 4)
        fast.at(1_490, .ended(isLimited: false))
        #expect(fast.lines.suffix(2) == ["1490 complete", "1490 video_unload"])
        var limited = wishing(durationMs: 6_000)
        limited.play(from: 250, to: 3_000, playhead: 150)
        limited.at(3_300, .ended(isLimited: true))
        #expect(limited.lines == Self.started + ["3300 video_unload"])
        var whole = wishing(durationMs: 2_000)
        whole.play(from: 250, to: 1_750, playhead: 150)
        whole.at(2_000, .ended(isLimited: true))
        #expect(whole.lines.suffix(2) == ["2000 complete", "2000 video_unload"])
    }

    @Test(
        "What mpv says of a failure",
        arguments: [
            (-13, 404, "", "not_found http 404"), (-13, 503, "", "http_error http 503"),
            (-13, nil, "tcp: Connection refused", "connection_refused mpv -13"),
            (-13, nil, "Failed to resolve hostname", "host_not_found mpv -13"), (-17, nil, "", "not_media mpv -17"),
            (-16, nil, "", "not_media mpv -16"),
        ]
    )
    func failureOfMPV(code: Int, status: Int?, words: String, expected: String) {
        var line = SignalTimeline()
        line.at(0, .opening(url: Self.url, wantsPlaying: true))
        let raw = RawEngineError(domain: "mpv", code: code, httpStatus: status, message: "m", debug: words)
        line.at(50, .failed(raw))
        #expect(line.lines == Self.loaded + ["50 player_error \(expected) fatal", "50 video_unload"])
    }

    @Test("What is known of a failure may have come while the load was held")
    func failureInHold() {
        var line = SignalTimeline()
        line.at(0, .opening(url: Self.url, wantsPlaying: true))
        line.at(10, .request(EngineRequest(url: Self.url)))
        line.at(11, .failed(RawEngineError(domain: "gst-stream-error-quark", code: 1)))
        #expect(line.lines[3] == "11 player_error connection_refused gst-stream-error-quark 1 fatal")
    }

    @Test("A failure of GStreamer has the words of tally-player, and what follows from it is not told")
    func failureOfGStreamer() {
        var line = clocked()
        line.at(400, .request(EngineRequest(url: "http://host/films/part.ts", status: 404)))
        line.at(500, .failed(RawEngineError(domain: "gst-stream-error-quark", code: 1, message: "Internal error.")))
        line.at(501, .failed(RawEngineError(domain: "gst-core-error-quark", code: 1)))
        #expect(
            line.lines == Self.started + [
                "400 request_failed media 404 the server answered with status 404",
                "500 player_error not_found http 404 fatal", "500 video_unload",
            ]
        )
    }

    @Test("A picture that stands is no first frame")
    func pausedStart() {
        var line = SignalTimeline()
        line.at(0, .opening(url: Self.url, wantsPlaying: false))
        line.at(40, .opened(OpenedMedia(durationMs: 20_000)))
        line.at(100, .picture)
        #expect(line.lines == ["0 video_load"])
        line.at(5_000, .wanted(true))
        #expect(line.lines == ["0 video_load", "5000 metadata_change", "5000 play", "5000 first_frame"])
        #expect(line.known(at: .firstFrame)?.quality.last == .init("startup_time_ms", .int(0)))
    }

    @Test("The first wait for data is the initial one")
    func initialWait() {
        var line = SignalTimeline()
        line.at(0, .opening(url: Self.url, wantsPlaying: true), .running(false))
        line.at(300, .opened(OpenedMedia(durationMs: 20_000)), .buffering(percent: 10), .picture)
        line.at(900, .buffering(percent: 100))
        line.at(901, .running(true))
        #expect(
            line.lines == Self.loaded + [
                "300 metadata_change", "300 buffer_start buffer_cause=initial", "900 buffer_complete",
                "901 first_frame",
            ]
        )
    }

    @Test("Chapters begin, end, and are left by a seek")
    func chapters() {
        var line = wishing()
        line.at(
            120,
            .chapters([SignalledChapter(startMs: -21, title: "one"), SignalledChapter(startMs: 1_000, title: "two")])
        )
        line.play(from: 250, to: 1_250, playhead: 150)
        line.at(1_300, .seeking(toMs: 200, rate: nil))
        line.at(1_400, .seeked(atMs: 200))
        line.at(1_500, .position(ms: 300))
        #expect(
            line.lines == Self.started + [
                "250 chapter_start", "1250 chapter_complete", "1250 chapter_start",
                "1300 seek_start seek_from_ms=1200 seek_to_ms=200", "1400 chapter_skip", "1400 seek_complete",
                "1500 chapter_start",
            ]
        )
        #expect(line.known(at: .chapterStart)?.chapter.first == .init("chapter_name", .string("one")))
    }

    @Test("What is opened while something is open ends that, and settings outlast it")
    func nextItem() {
        var line = wishing()
        line.at(200, .setting(PlayerSetting(volume: 1.3, isMuted: true)))
        line.at(1_000, .opening(url: "file:///b.mp4", wantsPlaying: nil))
        line.at(1_010, .opened(OpenedMedia()))
        line.at(1_020, .closed)
        #expect(
            line.lines == Self.started + [
                "1000 video_unload", "1000 video_load", "1000 play", "1020 metadata_change", "1020 video_unload",
            ]
        )
        #expect(line.known(at: .videoLoad)?.state.volume == 1_000)
        #expect(line.known(at: .videoLoad)?.state.isMuted == true)
        #expect(line.known(at: .videoLoad)?.state.duration == nil)
    }

    @Test("Renditions that were decided for and that are on screen")
    func renditions() {
        var line = clocked()
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
        line.at(0, .opening(url: Self.url, wantsPlaying: true))
        line.at(40, .opened(OpenedMedia(durationMs: 6_000, isLive: true)), .picture)
        line.at(3_000, .ended(isLimited: false))
        #expect(line.lines.suffix(2) == ["3000 complete", "3000 video_unload"])
        #expect(line.known(at: .firstFrame)?.state.duration == -1)
    }

    @Test("The playhead is sampled while it moves, and the quality every 10 s")
    func samples() {
        var line = wishing(showsSamples: true)
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
        var line = wishing()
        line.at(2_000, .wanted(false))
        line.at(1_000, .wanted(true))
        #expect(line.lines.suffix(2) == ["2000 pause", "2000 play"])
    }
}
