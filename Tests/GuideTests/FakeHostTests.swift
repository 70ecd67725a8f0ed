import Tally
import TallyTesting
import Testing

@Test("A wait that is shorter than configured is left out, the next one is told with the playhead")
func shortWait() throws {
    let host = try FakeHost(.file(PluginFiles.fixture("waiting")))
    try host.start(["shortest_ms": 100])
    host.beginSession()
    for length in [99, 100] as [Int64] {
        host.send(.bufferStart)
        host.wait(milliseconds: length)
        host.player.playheadMilliseconds = 6_000
        host.send(.bufferComplete)
    }
    #expect(host.records.map(\.kind) == ["wait"])
    #expect(host.records.first?["waited_ms"] == .int(100))
    #expect(host.records.first?["playhead_ms"] == .int(6_000))
    host.endSession(.shutdown)
    #expect(host.records.last?["waited_ms"] == .int(100))
}

@Test("A configuration that makes no sense is refused with the key")
func refused() throws {
    let host = try FakeHost(.file(PluginFiles.fixture("waiting")))
    #expect(host.create())
    #expect(host.initialize(["shortest_ms": -1]) < 0)
    #expect(host.faults.last?.text.contains("shortest_ms") == true)
}
