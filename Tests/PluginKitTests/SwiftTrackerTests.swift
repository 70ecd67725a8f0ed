import PluginABI
import PluginKit
import Testing

@Suite("The example tracker in Swift")
struct SwiftTrackerTests {
    private let playing = TALLY_STATE_IN_SESSION | TALLY_STATE_PLAYING | TALLY_STATE_STARTED

    @Test func watchedTimeLeavesOutPausesSeeksAndStalls() throws {
        let host = FakeHost()
        let entry = unsafe try PluginFile.entry("example-swift")
        let tracker = unsafe try #require(HostedTracker(entry, "org.tally.example.swift", host: host))
        #expect(tracker.start(#"{"url":"http://127.0.0.1/w"}"#) == TALLY_OK)
        #expect(tracker.enable() == TALLY_OK)
        _ = tracker.sessionBegin(TestBlock(.sessionSnapshot, state: TALLY_STATE_IN_SESSION))
        _ = tracker.handle(TestBlock(.play, at: 1_000_000, state: TALLY_STATE_IN_SESSION | TALLY_STATE_PLAYING))
        _ = tracker.handle(TestBlock(.firstFrame, at: 2_000_000, state: playing))
        #expect(host.timers.map(\.deadline) == [12_000_000])
        tracker.fire(host.timers[0], TestBlock(.playheadSample, state: playing))
        _ = tracker.handle(TestBlock(.bufferStart, at: 13_000_000, state: playing | TALLY_STATE_BUFFERING))
        _ = tracker.handle(TestBlock(.bufferComplete, at: 16_000_000, state: playing))
        _ = tracker.handle(TestBlock(.pause, at: 18_000_000, state: TALLY_STATE_PAUSED | TALLY_STATE_STARTED))
        tracker.sessionEnd(TALLY_END_UNLOAD, TestBlock(.videoUnload, at: 60_000_000, state: TALLY_STATE_PAUSED))
        tracker.disable()
        #expect(host.records.map(\.kind) == ["watch_time", "watch_time", "watch_time"])
        #expect(host.records.map { $0.value("cause") } == [.string("interval"), .string("pause"), .string("end")])
        #expect(host.records.map { $0.value("watched_ms") } == [.int(10_000), .int(13_000), .int(13_000)])
        let beacon = try #require(host.beacons.first)
        #expect(host.beacons.count == 1)
        #expect(beacon.url == "http://127.0.0.1/w")
        #expect(beacon.body == #"{"run":"run-1","watched_ms":13000}"#)
        #expect(beacon.records == [3])
    }

    @Test func aSecondSessionStartsFromZero() throws {
        let host = FakeHost()
        let entry = unsafe try PluginFile.entry("example-swift")
        let tracker = unsafe try #require(HostedTracker(entry, "org.tally.example.swift", host: host))
        #expect(tracker.start() == TALLY_OK)
        #expect(tracker.enable() == TALLY_OK)
        for start in [0, 100_000_000] as [Int64] {
            _ = tracker.sessionBegin(TestBlock(.sessionSnapshot, at: start, state: playing))
            tracker.sessionEnd(TALLY_END_UNLOAD, TestBlock(.videoUnload, at: start + 4_000_000))
        }
        #expect(host.records.map { $0.value("watched_ms") } == [.int(4000), .int(4000)])
    }
}
