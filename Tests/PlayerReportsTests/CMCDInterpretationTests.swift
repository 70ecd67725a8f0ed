internal import EventModel
internal import PlayerReports
internal import Testing
internal import TextEncoding

/// The calls that reports in CMCD's event mode make.
struct CMCDInterpretationTests {
    @Test("Reports make the calls of the timelines", arguments: Timeline.runs)
    func runs(_ timeline: Timeline) {
        #expect(timeline.played() == timeline.calls)
    }

    @Test("Players may do otherwise", arguments: Timeline.players)
    func players(_ timeline: Timeline) {
        #expect(timeline.played() == timeline.calls)
    }

    @Test(
        "Put into order at the end, they make the calls that they made live",
        arguments: Timeline.runs + Timeline.players
    )
    func settled(_ timeline: Timeline) {
        #expect(timeline.played(holdBack: nil) == timeline.calls)
    }

    @Test("Within the hold-back the order of coming does not matter", arguments: Timeline.runs + Timeline.players)
    func permutations(_ timeline: Timeline) {
        var random = SplitMix64(seed: 7)
        for _ in 0..<50 {
            let sent = timeline.sent.map { ($0, $0.time + Int64(random.next() % 4_900_000)) }
            // What is not numbered keeps the order of its coming where the times are the same, and none here are.
            #expect(Timeline.play(sent, timeline.options) == timeline.calls)
        }
    }

    private static let base = Timeline.beginning * 1000

    private func receive(
        _ line: String,
        at milliseconds: Int64,
        _ run: inout CMCDInterpretation,
        _ calls: inout [TrackedCall]
    ) -> String? {
        run.receive(Timeline.Sent(line).text, at: Self.base + milliseconds * 1000, into: &calls)
    }

    @Test("A report that comes twice is used once")
    func duplicates() {
        var run = CMCDInterpretation()
        var calls: [TrackedCall] = []
        #expect(receive("0 e=ps,sn=0,sta=s", at: 10, &run, &calls) == nil)
        #expect(receive("0 e=ps,sn=0,sta=s", at: 90_000, &run, &calls) == "duplicate")
        #expect(receive("0 e=ps,sn=0,sta=s,cid=\"ad\"", at: 90_000, &run, &calls) == nil)
        #expect(receive("100000 e=t", at: 100_000, &run, &calls) == nil)
        #expect(receive("100000 e=t", at: 100_000, &run, &calls) == "duplicate")
        #expect(receive("100000 e=", at: 100_000, &run, &calls) == "syntax")
    }

    @Test("A late report is dated by what was played already, and keeps its own time; a very late one is not played")
    func late() {
        var run = CMCDInterpretation()
        var calls: [TrackedCall] = []
        _ = receive("0 e=ps,sn=0,sta=s", at: 0, &run, &calls)
        _ = receive("70000 e=t,sn=2", at: 70_000, &run, &calls)
        run.advance(to: Self.base + 75_000_000, into: &calls)
        #expect(run.knownUntil == Self.base + 70_000_000)
        #expect(receive("20000 e=ps,sn=1,sta=p", at: 76_000, &run, &calls) == nil)
        #expect(receive("9999 e=ps,sta=p", at: 76_000, &run, &calls) == "late")
        run.advance(to: Self.base + 82_000_000, into: &calls)
        #expect(
            calls.map(Timeline.described) == [
                "0 video_load", "0 play", "70000 quality_sample", "70000 first_frame cmcd_ts=1790000020000",
            ]
        )
    }

    @Test("A clock that is wrong is corrected once, by the shortest way")
    func wrongClock() {
        let sent = ["0 e=ps,sn=0,sta=s", "100 e=ps,sn=1,sta=p", "60000 e=t,sn=2"].map(Timeline.Sent.init)
        let delays: [Int64] = [3_600_900_000, 3_600_100_000, 3_600_700_000]
        let calls = Timeline.play(zip(sent, delays).map { ($0, $0.time + $1) }, CMCDOptions())
        #expect(
            calls == [
                "3600100 video_load", "3600100 play cmcd_ts=1790000000000", "3600200 first_frame cmcd_ts=1790000000100",
                "3660100 quality_sample cmcd_ts=1790000060000", "3660100 video_unload ended_by=timeout",
            ]
        )
        let near = Timeline.play(sent.map { ($0, $0.time + 4_000_000) }, CMCDOptions())
        #expect(near.first == "0 video_load")
    }

    @Test("A clock that is set in mid-run bends no time")
    func clockStep() {
        let lines = ["0 e=ps,sn=0,sta=p", "30000 e=t,sn=1", "3660000 e=t,sn=2", "90000 e=t,sn=3"]
        let came: [Int64] = [0, 30_000, 60_000, 90_000]
        let sent = zip(lines, came).map { (Timeline.Sent($0), Self.base + $1 * 1000) }
        #expect(
            Timeline.play(sent, CMCDOptions()).suffix(6) == [
                "30000 quality_sample", "60000 custom custom_name=device_clock_step step_ms=3600000",
                "60000 quality_sample cmcd_ts=1790003660000",
                "90000 custom custom_name=device_clock_step step_ms=-3600000", "90000 quality_sample",
                "90000 video_unload ended_by=timeout",
            ]
        )
    }

    @Test("A time that is none is that of the report's coming")
    func noClock() {
        var run = CMCDInterpretation()
        var calls: [TrackedCall] = []
        _ = run.receive("e=t,ts=5,v=2,sn=0", at: Self.base, into: &calls)
        _ = run.receive("e=t,ts=999999999999999,v=2,sn=1", at: Self.base + 1000, into: &calls)
        run.advance(to: Self.base + 6_000_000, into: &calls)
        #expect(
            calls.map(Timeline.described) == [
                "0 video_load", "0 quality_sample cmcd_ts=5", "1 quality_sample cmcd_ts=999999999999999",
            ]
        )
    }

    @Test("A run ends when nothing comes for as long as its state allows")
    func silence() {
        for (state, seconds) in [("p", 600), ("a", 3600), ("e", 30), ("q", 30), ("f", 30)] as [(String, Int64)] {
            var run = CMCDInterpretation()
            var calls: [TrackedCall] = []
            _ = receive("0 e=ps,sn=0,sta=\(state)", at: 0, &run, &calls)
            run.advance(to: Self.base + seconds * 1_000_000 - 1, into: &calls)
            #expect(!run.isOver && run.nextDue == Self.base + seconds * 1_000_000)
            run.advance(to: Self.base + seconds * 1_000_000, into: &calls)
            #expect(run.isOver && run.nextDue == nil)
            #expect(calls.last?.type == .videoUnload && calls.last?.time == Self.base)
            #expect(receive("1 e=t,sn=1", at: 9_000_000, &run, &calls) == "late")
        }
    }

    @Test("Playheads are estimated between two reports that agree, and only there")
    func estimates() {
        func samples(_ lines: [String]) -> [String] {
            var options = CMCDOptions()
            options.estimatesPlayhead = true
            let timeline = Timeline("", lines, makes: [], options)
            return timeline.played(holdBack: nil).filter { $0.contains("cmcd_estimated") }
        }
        let first = #"0 e=t,sn=0,sta=p,pt=5000"#
        #expect(
            samples([first, "1000 e=t,sn=1,sta=p,pt=6000"]) == [
                "250 playhead_sample at=5250 cmcd_estimated=true", "500 playhead_sample at=5500 cmcd_estimated=true",
                "750 playhead_sample at=5750 cmcd_estimated=true",
            ]
        )
        #expect(samples([first, "500 e=bc,sn=1", "1000 e=t,sn=2,sta=p,pt=6000"]).count == 3)
        #expect(samples([first, "1000 e=t,sn=1,sta=p,pt=7001"]).isEmpty)
        #expect(samples([first, "1000 e=t,sn=2,sta=p,pt=6000"]).isEmpty)
        #expect(samples([first, "500 e=ps,sn=1,sta=r", "600 e=ps,sn=2,sta=p", "1000 e=t,sn=3,sta=p,pt=6000"]).isEmpty)
        #expect(samples([first, "1000 e=t,sn=1,sta=p,pt=6000,pr=2"]).isEmpty)
    }
}
