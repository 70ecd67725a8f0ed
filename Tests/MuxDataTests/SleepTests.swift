import EventModel
import PluginKit
import TallyTesting
import Testing

/// What the tracker makes of a sleep of the machine.
@Suite struct SleepTests {
    /// A host whose player plays the content from time 0 on, with a report every 250 ms until 5 s.
    private static func playing() -> FakeHost {
        let host = Mux.host()
        host.player.playheadMilliseconds = 0
        host.send(.videoLoad, at: 0)
        host.send(.play, at: 0)
        host.send(.firstFrame, at: 0)
        sample(host, from: 250, through: 5_000, ahead: 0)
        return host
    }

    /// Reports of a playhead that is so much behind the clock, ms.
    private static func sample(_ host: FakeHost, from first: Int64, through last: Int64, ahead: Int64) {
        for time in stride(from: first, through: last, by: 250) {
            host.player.playheadMilliseconds = time - ahead
            host.send(.playheadSample, at: time)
        }
    }

    private static func sleep(_ host: FakeHost, of length: Int64, from begin: Int64) {
        host.send(.systemSuspended, [("step_us", .int(length * 1000))], at: begin)
    }

    @Test(
        "A sleep is no watched time, has its two events, and no heartbeat comes of it",
        arguments: [60_000, 1_800_000, 3_590_000] as [Int64]
    )
    func longSleep(length: Int64) throws {
        let host = Self.playing()
        let before = host.records.count
        Self.sleep(host, of: length, from: 5_000)
        // Timers that were due in the sleep fire after it, each at its deadline.
        host.advance(to: (5_000 + length) * 1000)
        #expect(host.events(from: before) == ["devicesleep", "devicewake"])
        let (sleep, wake) = (host.records[before], host.records[before + 1])
        #expect(sleep.int("viewer_time") == Mux.epoch + 5_000)
        #expect(wake.int("viewer_time") == Mux.epoch + 5_000 + length)
        #expect(sleep.int("view_watch_time") == 5_000 && wake.int("view_watch_time") == 5_000)
        #expect(host.beacons.count == 2, "one with viewstart, one at the next multiple of 10 s")

        Self.sample(host, from: 5_250 + length, through: 10_000 + length, ahead: length)
        host.send(.videoUnload, at: 10_000 + length)
        #expect(host.events(from: before) == ["devicesleep", "devicewake", "viewend"])
        let end = try #require(host.records.last { $0.kind == "viewend" })
        #expect(end.int("view_watch_time") == 10_000 && end.int("view_playing_time") == 10_000)
        #expect(end.int("view_content_playback_time") == 10_000)
        #expect(end["view_rebuffer_count"] == nil)
        #expect(try #require(host.records.last).int("content_time_ms") == 10_000)
    }

    @Test("The next heartbeat comes 10 s after the machine woke")
    func heartbeatAfterSleep() {
        let host = Self.playing()
        let before = host.records.count
        Self.sleep(host, of: 600_000, from: 5_000)
        host.advance(to: 625_000_000)
        #expect(host.events(from: before) == ["devicesleep", "devicewake", "hb", "hb"])
        #expect(host.records.suffix(2).map { $0.time / 1000 } == [615_000, 625_000])
    }

    @Test("A playhead that went on in the sleep was not played")
    func liveStream() throws {
        let host = Self.playing()
        Self.sleep(host, of: 60_000, from: 5_000)
        Self.sample(host, from: 65_250, through: 70_000, ahead: 0)
        host.send(.videoUnload, at: 70_000)
        let end = try #require(host.records.last { $0.kind == "viewend" })
        #expect(end.int("view_watch_time") == 10_000 && end.int("view_content_playback_time") == 9_750)
    }

    @Test("A pause outlasts the sleep, and its events are all that is said")
    func pausedSleep() throws {
        let host = Self.playing()
        host.send(.pause, at: 5_000)
        let before = host.records.count
        Self.sleep(host, of: 60_000, from: 5_100)
        host.advance(to: 90_000_000)
        #expect(host.events(from: before) == ["devicesleep", "devicewake"])
        host.send(.videoUnload, at: 90_000)
        #expect(try #require(host.records.last { $0.kind == "viewend" }).int("view_watch_time") == 5_000)
    }

    @Test("A stall ends with the sleep, and a sleep within an ad is no time of the ad")
    func stallAndAd() throws {
        let stalled = Self.playing()
        stalled.send(.bufferStart, at: 5_000)
        Self.sleep(stalled, of: 60_000, from: 6_000)
        #expect(stalled.events().suffix(3) == ["rebufferend", "devicesleep", "devicewake"])
        #expect(try #require(stalled.records.last).int("view_rebuffer_duration") == 1_000)

        let ad = Self.playing()
        ad.send(.adBreakStart, at: 5_000)
        ad.send(.adStart, at: 5_000)
        Self.sleep(ad, of: 60_000, from: 6_000)
        ad.send(.adComplete, at: 67_000)
        ad.send(.adBreakComplete, at: 67_000)
        let end = try #require(ad.records.last { $0.kind == "adended" })
        #expect(end.int("ad_playing_time_ms_cumulative") == 2_000 && end.int("view_watch_time") == 7_000)
    }

    @Test("A nap of up to 30 s has no events, and is no watched time either")
    func nap() throws {
        let host = Self.playing()
        let before = host.records.count
        Self.sleep(host, of: 20_000, from: 5_000)
        Self.sample(host, from: 25_250, through: 29_750, ahead: 20_000)
        host.send(.videoUnload, at: 29_900)
        #expect(host.events(from: before) == ["viewend"])
        let end = try #require(host.records.last { $0.kind == "viewend" })
        #expect(end.int("view_watch_time") == 9_900 && end["view_rebuffer_count"] == nil)
    }

    @Test("A sleep of more than an hour ends the view, as that much silence does")
    func veryLongSleep() {
        let host = Self.playing()
        let before = host.records.count
        Self.sleep(host, of: 3_700_000, from: 5_000)
        Self.sample(host, from: 3_705_250, through: 3_705_250, ahead: 3_700_000)
        #expect(
            host.events(from: before)
                == ["devicesleep", "devicewake", "viewend", "viewinit", "viewstart", "play", "playing"]
        )
    }
}
