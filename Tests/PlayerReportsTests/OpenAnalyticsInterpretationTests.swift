internal import EventModel
internal import PlayerReports
internal import Testing
internal import TextEncoding

/// The calls that events in the form of Open Analytics make.
struct OpenAnalyticsInterpretationTests {
    private static let all = EventTimeline.sessions + EventTimeline.players

    @Test("Events make the calls of the timelines", arguments: EventTimeline.sessions)
    func sessions(_ timeline: EventTimeline) {
        #expect(timeline.played() == timeline.calls)
    }

    @Test("Player libraries may do otherwise", arguments: EventTimeline.players)
    func players(_ timeline: EventTimeline) {
        #expect(timeline.played() == timeline.calls)
    }

    @Test("Put into order at the end, they make the calls that they made live", arguments: all)
    func settled(_ timeline: EventTimeline) {
        #expect(timeline.played(holdBack: nil) == timeline.calls)
    }

    @Test("Within the hold-back the order of coming does not matter", arguments: all)
    func permutations(_ timeline: EventTimeline) {
        var random = SplitMix64(seed: 11)
        for _ in 0..<50 {
            let sent = timeline.events.map(EventTimeline.Sent.init).map {
                ($0, $0.time + Int64(random.next() % 4_900_000))
            }
            #expect(EventTimeline.play(sent, timeline.options) == timeline.calls)
        }
    }

    private static let base = Timeline.beginning * 1000

    private func receive(
        _ line: String,
        at milliseconds: Int64,
        _ run: inout OpenAnalyticsInterpretation,
        _ calls: inout [TrackedCall]
    ) -> String? {
        run.receive(EventTimeline.Sent(line).text, at: Self.base + milliseconds * 1000, into: &calls)
    }

    @Test("Events of one time are in the order of the specification's table, whatever came first")
    func ties() {
        var run = OpenAnalyticsInterpretation()
        var calls: [TrackedCall] = []
        for event in ["stopped", "heartbeat", "playing", "loading", "init"] {
            #expect(receive("0 \(event) 0 0", at: 10, &run, &calls) == nil)
        }
        run.advance(to: Self.base + 6_000_000, into: &calls)
        #expect(
            calls.map(Timeline.described) == [
                "0 player_ready", "0 video_load", "0 play", "0 first_frame", "0 quality_sample", "0 video_unload",
            ]
        )
        #expect(run.isOver && run.nextDue == nil)
        #expect(receive("7000 playing 0 0", at: 7_000, &run, &calls) == "late")
    }

    @Test("An event that comes twice is used once, a late one keeps its own time, and a very late one is not used")
    func lateAndTwice() {
        var run = OpenAnalyticsInterpretation()
        var calls: [TrackedCall] = []
        #expect(receive("0 loading 0 0", at: 10, &run, &calls) == nil)
        #expect(receive("0 loading 0 0", at: 20, &run, &calls) == "duplicate")
        #expect(receive("70000 heartbeat 0 0", at: 70_000, &run, &calls) == nil)
        run.advance(to: Self.base + 75_000_000, into: &calls)
        #expect(run.knownUntil == Self.base + 70_000_000)
        #expect(receive("20000 playing 0 0", at: 76_000, &run, &calls) == nil)
        #expect(receive("9999 playing 0 0", at: 76_000, &run, &calls) == "late")
        run.advance(to: Self.base + 82_000_000, into: &calls)
        #expect(
            calls.map(Timeline.described) == [
                "0 video_load", "70000 quality_sample", "70000 play",
                "70000 first_frame epas_timestamp=1790000020000",
            ]
        )
    }

    @Test("An event without a time of its own is dated by its coming, and says so")
    func noTime() {
        var run = OpenAnalyticsInterpretation()
        var calls: [TrackedCall] = []
        let text = #"{"event":"init","sessionId":"s","timestamp":-1,"playhead":-1,"duration":-1}"#
        #expect(run.receive(text, at: Self.base + 3_000_000, into: &calls) == nil)
        run.advance(to: Self.base + 8_000_000, into: &calls)
        #expect(calls.map(Timeline.described) == ["3000 player_ready epas_timestamp=-1"])
    }

    @Test("An error is told when it is decided, and what is known does not pass it before")
    func errorHeldBack() {
        var run = OpenAnalyticsInterpretation()
        var calls: [TrackedCall] = []
        _ = receive("0 playing 0 0", at: 0, &run, &calls)
        _ = receive("1000 error 0 0", at: 1_000, &run, &calls)
        _ = receive("2000 warning 0 0", at: 2_000, &run, &calls)
        run.advance(to: Self.base + 20_000_000, into: &calls)
        #expect(calls.count == 3 && run.knownUntil == Self.base)
        // The end by silence comes first.
        #expect(run.nextDue == Self.base + 32_000_000)
        #expect(receive("19000 heartbeat 0 0", at: 20_000, &run, &calls) == nil)
        #expect(run.nextDue == Self.base + 25_000_000)
        run.advance(to: Self.base + 25_000_000, into: &calls)
        #expect(
            calls.dropFirst(3).map(Timeline.described) == [
                "1000 player_error error_fatal=false", "2000 player_error error_fatal=false", "19000 quality_sample",
            ]
        )
    }

    @Test("A pause may be silent for longer than playback, and the end is where the last event was")
    func silence() {
        for (event, seconds) in [("playing", Int64(600)), ("paused", 3600), ("error", 30)] {
            var run = OpenAnalyticsInterpretation()
            var calls: [TrackedCall] = []
            _ = receive("0 playing 0 0", at: 0, &run, &calls)
            _ = receive("1000 \(event) 0 0", at: 1_000, &run, &calls)
            run.advance(to: Self.base + (seconds + 1) * 1_000_000 - 1, into: &calls)
            #expect(!run.isOver, "\(event)")
            run.advance(to: Self.base + (seconds + 1) * 1_000_000, into: &calls)
            let last = calls.last.map(Timeline.described)
            #expect(run.isOver && last == "1000 video_unload ended_by=timeout", "\(event)")
        }
    }

    @Test("A clock that is wrong by an hour is corrected by the shortest way, and the device's own time stays")
    func wrongClock() {
        var run = OpenAnalyticsInterpretation()
        var calls: [TrackedCall] = []
        _ = receive("0 loading 0 0", at: 3_600_900, &run, &calls)
        _ = receive("1000 playing 0 0", at: 3_601_100, &run, &calls)
        run.advance(to: Self.base + 3_610_000_000, into: &calls)
        #expect(
            calls.map(Timeline.described) == [
                "3600100 video_load epas_timestamp=1790000000000", "3601100 play",
                "3601100 first_frame epas_timestamp=1790000001000",
            ]
        )
    }

    @Test(
        "What is no event is refused, and says why",
        arguments: [
            ("{", "syntax"), ("[]", "syntax"), (#"{"sessionId":"s"}"#, "missing"),
            (#"{"event":"playing","sessionId":"s","timestamp":1,"playhead":1}"#, "missing"),
            (#"{"event":"playing","sessionId":"s","timestamp":"1","playhead":1,"duration":1}"#, "type"),
            (#"{"event":"playing","sessionId":"s","timestamp":1,"playhead":null,"duration":1}"#, "type"),
            (#"{"event":"playing","sessionId":7,"timestamp":1,"playhead":1,"duration":1}"#, "type"),
            (#"{"event":"playing","sessionId":"","timestamp":1,"playhead":1,"duration":1}"#, "type"),
            (#"{"event":"playing","timestamp":1,"playhead":1,"duration":1,"payload":[]}"#, "type"),
            (#"{"event":"dancing","timestamp":1,"playhead":1,"duration":1}"#, "unknown"),
        ]
    )
    func refused(_ text: String, _ word: String) {
        #expect(throws: OpenAnalyticsEvent.Refusal.self) { try OpenAnalyticsEvent(text) }
        var run = OpenAnalyticsInterpretation()
        var calls: [TrackedCall] = []
        #expect(run.receive(text, at: Self.base, into: &calls) == word)
        #expect(run.nextDue == nil && calls.isEmpty)
    }

    @Test(
        "Held to the letter of the schema, an event has its own members and nothing else",
        arguments: [
            (#""event":"init""#, true), (#""event":"init","data":{}"#, false),
            (#""event":"playing","payload":{}"#, false),
            (#""event":"pause""#, false), (#""event":"resume""#, false), (#""event":"report""#, false),
            (#""event":"metadata""#, true), (#""event":"metadata","payload":{"live":true,"contentId":"film"}"#, true),
            (#""event":"metadata","payload":{"live":"yes"}"#, false), (#""event":"metadata","payload":null"#, false),
            (#""event":"bitrate_changed","payload":{"bitrate":2400,"width":1280}"#, true),
            (#""event":"bitrate_changed","payload":{"width":1280}"#, false), (#""event":"bitrate_changed""#, false),
            (#""event":"error","payload":{"code":"7","data":{}}"#, true),
            (#""event":"error","payload":{"code":7}"#, false),
            (#""event":"warning","payload":{"code":"7","data":{"a":1}}"#, false),
            (#""event":"stopped","payload":{"reason":"ended"}"#, true),
            (#""event":"stopped","payload":{"reason":null}"#, false),
            (#""event":"stopped","payload":{"reason":"ended","shardId":1}"#, false),
        ]
    )
    func strict(members: String, fits: Bool) throws {
        let value = try JSONParser().parse(
            "{\"sessionId\":\"s\",\"timestamp\":1,\"playhead\":0,\"duration\":0,\(members)}"
        )
        let made = try? OpenAnalyticsEvent(value, isStrict: true)
        #expect((made != nil) == fits)
        // What players do wrong is passed over otherwise.
        _ = try OpenAnalyticsEvent(value)
    }
}
