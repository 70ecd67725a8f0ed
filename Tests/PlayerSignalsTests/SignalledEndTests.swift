import EventModel
import MediaRules
import PlayerSignals
import Testing

/// Ends, failures, and what comes next.
struct SignalledEndTests {
    @Test("An end before the duration is an error")
    func cutFile() {
        var line = SignalTimeline.wishing(durationMs: 6_000)
        line.play(from: 250, to: 3_000, playhead: 150)
        line.at(3_300, .ended(isLimited: false))
        #expect(line.lines == SignalTimeline.started + ["3300 player_error truncated - 0 fatal", "3300 video_unload"])
        var fast = SignalTimeline.wishing(durationMs: 6_000)
        fast.at(200, .setting(PlayerSetting(rate: 4)))
        fast.play(from: 250, to: 1_250, playhead: 500, rate: 4)
        fast.at(1_490, .ended(isLimited: false))
        #expect(fast.lines.suffix(2) == ["1490 complete", "1490 video_unload"])
        var limited = SignalTimeline.wishing(durationMs: 6_000)
        limited.play(from: 250, to: 3_000, playhead: 150)
        limited.at(3_300, .ended(isLimited: true))
        #expect(limited.lines == SignalTimeline.started + ["3300 video_unload cause=limited"])
        var whole = SignalTimeline.wishing(durationMs: 2_000)
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
            (-16, nil, "", "not_media mpv -16"), (-14, nil, "No such file or directory", "engine_failure mpv -14"),
        ]
    )
    func failureOfMPV(code: Int, status: Int?, words: String, expected: String) {
        var line = SignalTimeline()
        line.at(0, .opening(url: SignalTimeline.url, wantsPlaying: true))
        let raw = RawEngineError(domain: "mpv", code: code, httpStatus: status, message: "m", debug: words)
        line.at(50, .failed(raw))
        #expect(line.lines == SignalTimeline.loaded + ["50 player_error \(expected) fatal", "50 video_unload"])
    }

    @Test("What is known of a failure may have come while the load was held")
    func failureInHold() {
        var line = SignalTimeline()
        line.at(0, .opening(url: SignalTimeline.url, wantsPlaying: true))
        line.at(10, .request(EngineRequest(url: SignalTimeline.url)))
        line.at(11, .failed(RawEngineError(domain: "gst-stream-error-quark", code: 1)))
        #expect(line.lines[3] == "11 player_error connection_refused gst-stream-error-quark 1 fatal")
    }

    @Test("A failure of GStreamer has the words of tally-player, and what follows from it is not told")
    func failureOfGStreamer() {
        var line = SignalTimeline.clocked()
        line.at(400, .request(EngineRequest(url: "http://host/films/part.ts", status: 404)))
        line.at(500, .failed(RawEngineError(domain: "gst-stream-error-quark", code: 1, message: "Internal error.")))
        line.at(501, .failed(RawEngineError(domain: "gst-core-error-quark", code: 1)))
        #expect(
            line.lines == SignalTimeline.started + [
                "400 request_failed media 404 the server answered with status 404",
                "500 player_error not_found http 404 fatal", "500 video_unload",
            ]
        )
    }

    @Test("What is opened while something is open ends that, and settings outlast it")
    func nextItem() {
        var line = SignalTimeline.wishing()
        line.at(200, .setting(PlayerSetting(volume: 1.3, isMuted: true)))
        line.at(1_000, .opening(url: "file:///b.mp4", wantsPlaying: nil))
        line.at(1_010, .opened(OpenedMedia()))
        line.at(1_020, .closed(cause: nil))
        #expect(
            line.lines == SignalTimeline.started + [
                "1000 video_unload", "1000 video_load", "1000 play", "1020 metadata_change", "1020 video_unload",
            ]
        )
        #expect(line.known(at: .videoLoad)?.state.volume == 1_000)
        #expect(line.known(at: .videoLoad)?.state.isMuted == true)
        #expect(line.known(at: .videoLoad)?.state.duration == nil)
    }

    @Test("A close says why, if the player knows", arguments: [nil, "stop", "quit"])
    func causeOfClose(cause: String?) {
        var line = SignalTimeline.wishing()
        line.at(200, .closed(cause: cause))
        #expect(line.lines == SignalTimeline.started + ["200 video_unload" + (cause.map { " cause=\($0)" } ?? "")])
    }
}
