internal import EventModel
internal import PlayerReports
internal import Testing

/// The calls that logged requests make.
struct CMCDRequestRunTests {
    private static let base = Timeline.beginning * 1000

    private func logged(_ time: Int64, _ cmcd: String, status: Int64 = 200, path: String = "/s.m4s?t=1") -> String {
        var request = LoggedRequest(time: Self.base + time * 1000, moment: .end, target: path)
        request.host = "cdn.example"
        request.status = status
        request.bytes = 10
        request.duration = 40
        request.headers = [LoggedRequest.Header("CMCD-Session", cmcd)]
        return request.text
    }

    private func calls(_ lines: [String]) -> (calls: [String], refused: [String]) {
        var options = CMCDOptions()
        options.patience.holdBack = nil
        var run = CMCDRequestRun(options)
        var calls: [TrackedCall] = []
        let refused = lines.compactMap { run.receive($0, at: Self.base, into: &calls) }
        while let due = run.nextDue { run.advance(to: due, into: &calls) }
        return (calls.map(Timeline.described), refused)
    }

    private static let answer = "request_url=/s.m4s request_host=cdn.example"
    private static let figures = "request_bytes=10 request_duration_ms=40"

    @Test("Requests become requests, renditions and samples, in the order of the log's times, and nothing else")
    func version1() {
        let made = calls([
            logged(2000, #"sid="s",ot=v,br=3000,d=4000,bs,mtp=9000,rtp=5000"#),
            logged(0, #"sid="s",cid="f",sf=h,st=v,ot=m"#),
            logged(1000, #"sid="s",ot=v,br=1000,d=4000,bl=0,su"#),
            logged(1500, #"sid="s",ot=a,br=128,d=4000"#, status: 404),
        ])
        #expect(made.refused.isEmpty)
        #expect(
            made.calls == [
                "0 video_load video_id=f stream_type=vod video_mime_type=application/vnd.apple.mpegurl"
                    + " cmcd_request_mode=true",
                "0 request_completed \(Self.answer) request_type=manifest request_status=200 \(Self.figures)",
                "1000 request_completed \(Self.answer) request_type=video request_status=200 \(Self.figures)"
                    + " request_media_duration_ms=4000 request_bitrate_bps=1000000",
                "1000 quality_sample buffer_length_ms=0",
                "1500 request_failed \(Self.answer) request_type=audio request_status=404 \(Self.figures)"
                    + " request_media_duration_ms=4000 request_bitrate_bps=128000",
                "2000 rendition_change rendition_phase=decided rendition_bitrate_bps=3000000 cmcd_ot=v",
                "2000 request_completed \(Self.answer) request_type=video request_status=200 \(Self.figures)"
                    + " request_media_duration_ms=4000 request_bitrate_bps=3000000",
                "2000 quality_sample cmcd_rtp=5000 cmcd_starvations=1 cmcd_bs=true",
                "2000 video_unload ended_by=timeout",
            ]
        )
    }

    @Test("States of version 2 are no calls, and another content is another session, once")
    func version2() {
        let made = calls([
            logged(0, #"sid="s",cid="f",sta=p,v=2"#), logged(10, #"sid="s",cid="g",sta=r,v=2"#),
            logged(20, #"sid="s",cid="f",sta=a,v=2"#),
        ])
        let types = made.calls.map { $0.split(separator: " ")[1] }
        #expect(
            types == [
                "video_load", "request_completed", "video_unload", "video_load", "request_completed",
                "request_completed", "video_unload",
            ]
        )
    }

    @Test("What is no request, has no CMCD, or comes twice is counted by a word")
    func refused() {
        let line = logged(0, #"sid="s""#)
        let plain = LoggedRequest(time: Self.base, moment: .end, target: "/a?cmcd=bs").text
        #expect(
            calls(["x", plain, line, line, logged(1, "v=3")]).refused == ["syntax", "no_cmcd", "duplicate", "version"]
        )
    }
}
