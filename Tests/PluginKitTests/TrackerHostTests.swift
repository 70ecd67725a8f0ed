import PluginABI
import PluginKit
import TallyTesting
import Testing

@Suite("What a tracker asks of its host")
struct TrackerHostTests {
    @Test func emittingGivesTheOrdinal() {
        let seen = Seen()
        let host = TestLibrary.run { (host, _) throws(TrackerFault) in
            let record = RecordBuilder()
            record.begin("a")
            seen.note("\(host.emit(record))")
            seen.note("\(host.emit(record))")
        }
        #expect(seen.texts == ["1", "2"])
        #expect(host.records.map(\.kind) == ["a", "a"])
    }

    @Test func whatTheHostRefusesGivesZeroAndALogLine() {
        let seen = Seen()
        let host = TestLibrary.run(refusal: TALLY_ERR_TOO_LARGE) { (host, _) throws(TrackerFault) in
            let record = RecordBuilder()
            record.begin("big")
            let beacon = BeaconBuilder()
            beacon.begin(destination: "there")
            seen.note("\(host.emit(record)) \(host.emit(beacon)) \(String(describing: host.startTimer(at: 9)))")
            seen.note("\(host.store("key", "value"))")
        }
        #expect(seen.texts == ["0 false nil", "false"])
        #expect(host.logLines.count == 4)
        #expect(host.logLines[0] == FakeHost.LogLine(.warning, #"record "big" refused by the host with status -7"#))
        #expect(host.logLines[3].message.contains("storeKeys"))
    }

    @Test func refusalsWithoutEndDoNotFloodTheLog() {
        let host = TestLibrary.run(refusal: TALLY_ERR_TOO_LARGE) { (host, _) throws(TrackerFault) in
            let record = RecordBuilder()
            for _ in 0..<1000 {
                record.begin("big")
                host.emit(record)
            }
        }
        #expect(host.logLines.count == 20)
        #expect(host.logLines.last?.message.hasSuffix("further refusals are not logged") == true)
    }

    @Test func timersCarryTheirScopeAndCanBeCancelledTwice() {
        let host = TestLibrary.run { (host, event) throws(TrackerFault) in
            guard let timer = host.startTimer(at: event.time + 1_000_000, scope: .instance) else { return }
            host.startTimer(at: event.time + 2_000_000)
            host.cancel(timer)
            host.cancel(timer)
        }
        #expect(
            host.startedTimers == [
                FakeHost.Timer(id: 1, deadline: 6_000_000, scope: .instance),
                FakeHost.Timer(id: 2, deadline: 7_000_000, scope: .session),
            ]
        )
        // The second time the host knows it no more.
        #expect(host.cancelledTimers == [1, 1])
    }

    @Test func randomNumbersValuesAndErrorsGoThrough() {
        let seen = Seen()
        let host = TestLibrary.run { (host, _) throws(TrackerFault) in
            seen.note("\(host.random())")
            host.store("viewer_id", "abc")
            host.reportError(code: "E7", message: "no account", details: "set \"account\"")
            host.log(.debug, "line")
        }
        var numbers = SplitMix64(seed: 7)
        #expect(seen.texts == ["\(numbers.next())"])
        #expect(host.stored == ["viewer_id": "abc"])
        #expect(
            host.playerErrors == [FakeHost.PlayerError(code: "E7", message: "no account", details: "set \"account\"")]
        )
        #expect(host.logLines == [FakeHost.LogLine(.debug, "line")])
    }
}
