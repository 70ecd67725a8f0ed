internal import AdDocuments
internal import Advertising
internal import Testing

/// When which break is due.
struct ScheduleTests {
    @Test("A schedule keeps its linear breaks in order, and says what it cannot use")
    func schedule() throws {
        let schedule = try AdServer.schedule("vmap.xml")
        #expect(schedule.breaks.map(\.id) == ["before", "between", "behind"])
        #expect(schedule.breaks.map(\.offset) == [.start, .time(2000), .end])
        #expect(schedule.breaks[0].tracking["breakEnd"] == [AdServer.base + "track/before/breakEnd"])
        #expect(AdServer.resolver().resolve(schedule.breaks[0].source).ads.first?.location == AdServer.base + "ad1.mp4")
        #expect(schedule.breaks[1].source == .tag(AdServer.base + "pod.xml"))
        let parts = try AdServer.schedule("vmap-parts.xml")
        #expect(parts.breaks.map(\.id) == ["half", "hollow"])
        #expect(parts.failures.map(\.code) == [.invalid])
    }

    @Test("A document without a schedule is one break before the main content")
    func bareVAST() throws {
        let schedule = try AdServer.schedule("inline.xml")
        #expect(schedule.breaks.map(\.offset) == [.start])
    }

    @Test("A break says where it lies: before the main content, at its place in it, or behind it")
    func places() {
        let offsets: [AdBreakOffset] = [.start, .time(0), .time(2000), .part(500), .end]
        let breaks = offsets.map { ScheduledBreak(offset: $0, source: .tag("a.xml")) }
        #expect(breaks.map(\.type) == ["pre", "pre", "mid", "mid", "post"])
        // The playhead is a little behind the place, and may be far behind it after a seek.
        #expect(breaks.map { $0.startMs(ofDuration: 8000, playheadMs: 7020) } == [0, 0, 2000, 4000, 8000])
        #expect(breaks.map { $0.startMs(ofDuration: nil, playheadMs: 7020) } == [0, 0, 2000, 7020, 7020])
    }

    @Test("A document that is neither is refused", arguments: ["page.xml", "malformed.xml", "nothing.xml"])
    func neither(name: String) {
        #expect(throws: AdFailure.self) { try AdServer.schedule(name) }
    }

    @Test("A break is due once, as the playhead comes to its place")
    func clock() throws {
        var clock = try AdBreakClock(AdServer.schedule("vmap.xml").breaks)
        #expect(clock.nextAtStart()?.scheduled.id == "before")
        #expect(clock.nextAtStart() == nil)
        #expect(clock.next(atMs: 1999, ofDuration: 4000) == nil)
        let between = clock.next(atMs: 2000, ofDuration: 4000)
        #expect(between?.scheduled.id == "between")
        #expect(between?.position == 2)
        #expect(clock.next(atMs: 4000, ofDuration: 4000) == nil)
        #expect(!clock.isOver)
        #expect(clock.nextAtEnd()?.position == 3)
        #expect(clock.isOver)
    }

    @Test("Of breaks that a seek passes the last is due, and the others are over")
    func seek() throws {
        var clock = try AdBreakClock(AdServer.schedule("vmap-parts.xml").breaks)
        #expect(clock.next(atMs: 3500, ofDuration: nil)?.scheduled.id == "hollow")
        var other = try AdBreakClock(AdServer.schedule("vmap-parts.xml").breaks)
        #expect(other.next(atMs: 3500, ofDuration: 4000)?.scheduled.id == "hollow")
        #expect(other.isOver)
    }

    @Test("The break that comes next is known ahead")
    func upcoming() throws {
        let clock = try AdBreakClock(AdServer.schedule("vmap-parts.xml").breaks)
        #expect(clock.upcoming(atMs: 0, within: 1000, ofDuration: 4000) == nil)
        #expect(clock.upcoming(atMs: 0, within: 2000, ofDuration: 4000)?.id == "half")
    }

    @Test("Quarters and places are told once and in their order, all of them at the end")
    func course() throws {
        var ad = try #require(AdServer.resolve("skippable.xml").ads.first)
        ad.tracking.progress = [
            AdTracking.Progress(offset: .time(600), url: "later"),
            AdTracking.Progress(offset: .part(100), url: "early"),
        ]
        var course = AdCourse(ad)
        #expect(course.msUntilSkippable == 300)
        #expect(course.moved(toMs: 90) == [])
        #expect(course.moved(toMs: 260) == [.progress(url: "early"), .quartile(1)])
        #expect(course.moved(toMs: 100) == [])
        #expect(course.msUntilSkippable == 40)
        #expect(course.ended() == [.quartile(2), .progress(url: "later"), .quartile(3)])
        #expect(course.ended() == [])
        #expect(course.msUntilSkippable == 0)
    }

    @Test("The media's own duration counts more than the announced one")
    func measuredDuration() throws {
        var course = AdCourse(try #require(AdServer.resolve("inline.xml").ads.first))
        course.measured(durationMs: 2000)
        #expect(course.moved(toMs: 499) == [])
        #expect(course.moved(toMs: 500) == [.quartile(1)])
        #expect(course.msUntilSkippable == nil)
    }

    private func schedule(_ breaks: String, version: String = " version=\"1.0\"") throws -> AdSchedule {
        let text = "<vmap:VMAP xmlns:vmap=\"http://www.iab.net/videosuite/vmap\"\(version)>\(breaks)</vmap:VMAP>"
        return try AdSchedule(Array(text.utf8), from: AdServer.base + "vmap.xml")
    }

    @Test(
        "A break's place is start, end, a time or a part of the main content",
        arguments: [
            ("start", .start), ("end", .end), ("00:00:00", .start), ("00:00:00.000", .start),
            ("01:02:03", .time(3_723_000)),
            ("00:00:01.5", .time(1500)), ("0%", .start), ("50%", .part(500)), ("33.3%", .part(333)), ("100%", .end),
            (" 00:00:02 ", .time(2000)), ("Start", .start),
        ] as [(String, AdBreakOffset)]
    )
    func offsets(text: String, offset: AdBreakOffset) throws {
        let schedule = try schedule(AdDocuments.adBreak(text, id: "a", AdDocuments.tag("b.xml")))
        #expect(schedule.breaks.map(\.offset) == [offset])
        #expect(schedule.failures.isEmpty)
    }

    @Test(
        "A break whose place cannot be read is an error that its server hears of",
        arguments: ["10", "101%", "", "1:00"]
    )
    func badOffsets(text: String) throws {
        let error = "<vmap:TrackingEvents><vmap:Tracking event=\"error\">track/a/e</vmap:Tracking>"
        let entry = AdDocuments.adBreak(text, id: "a", AdDocuments.tag("b.xml"))
        let schedule = try schedule(entry.replacing("<vmap:TrackingEvents>", with: error))
        #expect(schedule.breaks.isEmpty)
        #expect(schedule.failures.map(\.errorURLs) == [[AdServer.base + "track/a/e"]])
    }

    @Test(
        "A break is played when linear ads are among what it is for",
        arguments: [
            ("linear", true), ("nonlinear,linear", true), ("Linear , display", true), ("nonlinear", false),
            ("display", false), ("nonlinear,display", false), ("", false),
        ]
    )
    func types(text: String, isPlayed: Bool) throws {
        let schedule = try schedule(AdDocuments.adBreak("start", id: "a", AdDocuments.tag("b.xml"), type: text))
        #expect(schedule.breaks.count == (isPlayed ? 1 : 0))
        #expect(schedule.failures.isEmpty)
    }

    @Test(
        "The version is 1 or not said",
        arguments: [("", true), (" version=\"1\"", true), (" version=\"1.0.1\"", true)]
    )
    func versions(text: String, isRead: Bool) throws {
        #expect(try schedule("", version: text).breaks.isEmpty)
        #expect(throws: AdFailure.self) { try schedule("", version: " version=\"2.0\"") }
        #expect(throws: AdFailure.self) { try schedule("", version: " version=\"10\"") }
    }

    @Test("A document within the schedule may be text, and its address keeps its macros until it is asked for")
    func sources() throws {
        let document =
            "<VAST version=\"3.0\">\(AdDocuments.inline("one").replacing("]]>", with: "").replacing("<![CDATA[", with: ""))</VAST>"
        let text = try schedule(
            AdDocuments.adBreak("start", id: "a", "<vmap:VASTAdData><![CDATA[ \(document) ]]></vmap:VASTAdData>")
                + AdDocuments.adBreak("end", id: "b", AdDocuments.tag("ad.xml?r=[CACHEBUSTING]&c=%%X%%"))
                + AdDocuments.adBreak("end", id: "c", "<vmap:CustomAdData>x</vmap:CustomAdData>")
                + AdDocuments.adBreak("end", id: "d", AdDocuments.tag("ftp://a.example/"))
        )
        #expect(AdServer.resolver().resolve(text.breaks[0].source).ads.map(\.id) == ["one"])
        #expect(text.breaks[1].source == .tag(AdServer.base + "ad.xml?r=[CACHEBUSTING]&c=%25%25X%25%25"))
        #expect(text.breaks.count == 2)
        #expect(text.failures.map(\.code) == [.invalid, .invalid])
        #expect(text.unusable == ["AdTagURI 'ftp://a.example/' in '\(AdServer.base)vmap.xml'"])
    }

    @Test("Events of a break are kept by their names, several of each")
    func breakTracking() throws {
        let more = "<vmap:Tracking event=\"breakStart\">track/x</vmap:Tracking></vmap:TrackingEvents>"
        let entry = AdDocuments.adBreak("start", id: "a", AdDocuments.tag("b.xml"))
        let tracking = try schedule(entry.replacing("</vmap:TrackingEvents>", with: more)).breaks[0].tracking
        #expect(tracking["breakStart"] == [AdServer.base + "track/a/breakStart", AdServer.base + "track/x"])
    }

    @Test("A break that repeats is due again after each interval, as long as there is main content")
    func repeated() throws {
        let entry = AdDocuments.adBreak("00:00:02", id: "a", AdDocuments.tag("b.xml"))
        let text = entry.replacing("<vmap:AdBreak ", with: "<vmap:AdBreak repeatAfter=\"00:00:10\" ")
        var clock = AdBreakClock(try schedule(text).breaks)
        #expect(clock.next(atMs: 2000, ofDuration: 40_000)?.scheduled.offset == .time(2000))
        #expect(clock.next(atMs: 11_999, ofDuration: 40_000) == nil)
        #expect(clock.upcoming(atMs: 11_000, within: 2000, ofDuration: 40_000)?.id == "a")
        let second = clock.next(atMs: 12_000, ofDuration: 40_000)
        #expect(second?.scheduled.offset == .time(12_000) && second?.position == 2)
        // Of those that a seek passes the last one is played.
        #expect(clock.next(atMs: 39_000, ofDuration: 40_000)?.scheduled.offset == .time(32_000))
        #expect(clock.isOver)
        // Without a duration it goes on, and so does what began before the main content.
        var start = AdBreakClock(try schedule(text.replacing("00:00:02", with: "start")).breaks)
        #expect(start.nextAtStart() != nil && start.nextAtStart() == nil)
        #expect(start.next(atMs: 10_000, ofDuration: nil)?.scheduled.offset == .time(10_000))
        #expect(start.next(atMs: 20_000, ofDuration: nil)?.scheduled.offset == .time(20_000))
    }

    @Test(
        "An interval that is none, or shorter than a second, repeats nothing",
        arguments: ["00:00:00", "1", "00:00:00.999"]
    )
    func noRepeat(text: String) throws {
        let entry = AdDocuments.adBreak("00:00:02", id: "a", AdDocuments.tag("b.xml"))
        let changed = entry.replacing("<vmap:AdBreak ", with: "<vmap:AdBreak repeatAfter=\"\(text)\" ")
        var clock = AdBreakClock(try schedule(changed).breaks)
        #expect(clock.next(atMs: 2000, ofDuration: nil) != nil)
        #expect(clock.isOver)
    }
}
