import PluginABI
import PluginKit
import TallyTesting
import Testing

@Suite("The example tracker in Swift")
struct SwiftTrackerTests {
    private let playing = TALLY_STATE_IN_SESSION | TALLY_STATE_PLAYING | TALLY_STATE_STARTED

    @Test func watchedTimeLeavesOutPausesSeeksAndStalls() throws {
        let host = try FakeHost(.file(PluginFiles.plugin("example-swift")))
        try host.start(["url": "http://127.0.0.1/w"])
        host.player.flags = TALLY_STATE_IN_SESSION
        host.beginSession()
        host.advance(to: 1_000_000)
        host.player.flags = TALLY_STATE_IN_SESSION | TALLY_STATE_PLAYING
        host.send(.play)
        host.advance(to: 2_000_000)
        host.player.flags = playing
        host.send(.firstFrame)
        #expect(host.startedTimers.map(\.deadline) == [12_000_000])
        host.advance(to: 13_000_000)
        host.player.flags = playing | TALLY_STATE_BUFFERING
        host.send(.bufferStart)
        host.advance(to: 16_000_000)
        host.player.flags = playing
        host.send(.bufferComplete)
        host.advance(to: 18_000_000)
        host.player.flags = TALLY_STATE_PAUSED | TALLY_STATE_STARTED
        host.send(.pause)
        host.advance(to: 60_000_000)
        host.player.flags = TALLY_STATE_PAUSED
        host.endSession()
        host.disable()
        #expect(host.records.map(\.kind) == ["watch_time", "watch_time", "watch_time"])
        #expect(host.records.map { $0["cause"] } == [.string("interval"), .string("pause"), .string("end")])
        #expect(host.records.map { $0["watched_ms"] } == [.int(10_000), .int(13_000), .int(13_000)])
        let beacon = try #require(host.beacons.first)
        #expect(host.beacons.count == 1)
        #expect(beacon.url == "http://127.0.0.1/w")
        #expect(beacon.bodyText == #"{"run":"run-1","watched_ms":13000}"#)
        #expect(beacon.records == [3])
    }

    @Test func aSecondSessionStartsFromZero() throws {
        let host = try FakeHost(.file(PluginFiles.plugin("example-swift")))
        try host.start()
        for start in [0, 100_000_000] as [Int64] {
            host.advance(to: start)
            host.player.flags = playing
            host.beginSession()
            host.advance(to: start + 4_000_000)
            host.player.flags = 0
            host.endSession()
        }
        #expect(host.records.map { $0["watched_ms"] } == [.int(4000), .int(4000)])
    }
}
