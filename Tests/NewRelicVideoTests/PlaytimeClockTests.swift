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

    @Test func `time zero is a time like any other`() {
        var clock = PlaytimeClock()
        clock.start(at: 0)
        clock.read(at: 5)
        #expect(clock.total == 5)
    }
}
