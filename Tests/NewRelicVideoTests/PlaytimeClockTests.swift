import NewRelicVideo
import Testing

/// The clock counts between start and stop, and is read at each event.
struct PlaytimeClockTests {
    @Test func `it stands until it is started`() {
        var clock = PlaytimeClock()
        clock.read(at: 500)
        #expect(clock.sinceLastEvent == 0 && clock.total == 0)
    }

    @Test func `each reading counts from the one before`() {
        var clock = PlaytimeClock()
        clock.start(at: 1000)
        clock.read(at: 1300)
        #expect(clock.sinceLastEvent == 300 && clock.total == 300)
        clock.read(at: 1450)
        #expect(clock.sinceLastEvent == 150 && clock.total == 450)
    }

    @Test func `a stopped clock says 0 and keeps the total`() {
        var clock = PlaytimeClock()
        clock.start(at: 0)
        clock.read(at: 70)
        clock.stop()
        clock.read(at: 900)
        #expect(clock.sinceLastEvent == 0 && clock.total == 70)
    }

    @Test func `a sleep is left out, read in its midst or not`() {
        var clock = PlaytimeClock()
        clock.start(at: 0)
        clock.skip(3_600_000)
        clock.read(at: 500)
        #expect(clock.total == 0)
        clock.read(at: 3_600_200)
        #expect(clock.sinceLastEvent == 200 && clock.total == 200)
        clock.stop()
        clock.skip(1000)
        clock.start(at: 4_000_000)
        #expect(clock.unread(at: 4_000_010) == 10)
    }

    @Test func `it follows the playhead while it is told to, and never goes faster than time`() {
        var clock = PlaytimeClock()
        clock.start(at: 0, playhead: 5_000)
        #expect(clock.unread(at: 100, playhead: 5_000) == 100)
        clock.follow(playheadOnly: true, at: 100, playhead: 5_000)
        #expect(clock.unread(at: 900, playhead: 5_000) == 100)
        #expect(clock.unread(at: 900, playhead: 5_020) == 120)
        #expect(clock.unread(at: 900, playhead: 9_000) == 900)
        #expect(clock.unread(at: 900, playhead: 4_000) == 100)
        #expect(clock.unread(at: 900, playhead: nil) == 900)
        clock.read(at: 900, playhead: 5_020)
        #expect(clock.total == 120)
        clock.follow(playheadOnly: false, at: 1_000, playhead: 5_020)
        clock.read(at: 1_300, playhead: 5_020)
        #expect(clock.sinceLastEvent == 300)
    }

    @Test func `time zero is a time like any other`() {
        var clock = PlaytimeClock()
        clock.start(at: 0)
        clock.read(at: 5)
        #expect(clock.total == 5)
    }
}
