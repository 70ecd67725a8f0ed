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
}
