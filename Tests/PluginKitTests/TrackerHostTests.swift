import PluginABI
import PluginKit
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
        let host = TestLibrary.run(status: TALLY_ERR_TOO_LARGE) { (host, _) throws(TrackerFault) in
            let record = RecordBuilder()
            record.begin("big")
            let beacon = BeaconBuilder()
            beacon.begin(destination: "there")
            seen.note("\(host.emit(record)) \(host.emit(beacon)) \(String(describing: host.startTimer(at: 9)))")
            seen.note("\(host.store("key", "value"))")
        }
        #expect(seen.texts == ["0 false nil", "false"])
        #expect(host.logs.count == 4)
        #expect(host.logs[0] == #"2 record "big" refused by the host with status -7"#)
        #expect(host.logs[3].contains("storeKeys"))
    }

    @Test func refusalsWithoutEndDoNotFloodTheLog() {
        let host = TestLibrary.run(status: TALLY_ERR_TOO_LARGE) { (host, _) throws(TrackerFault) in
            let record = RecordBuilder()
            for _ in 0..<1000 {
                record.begin("big")
                host.emit(record)
            }
        }
        #expect(host.logs.count == 20)
        #expect(host.logs.last?.hasSuffix("further refusals are not logged") == true)
    }

    @Test func timersCarryTheirScopeAndCanBeCancelledTwice() {
        let host = TestLibrary.run { (host, event) throws(TrackerFault) in
            guard let timer = host.startTimer(at: event.time + 1_000_000, scope: .instance) else { return }
            host.startTimer(at: event.time + 2_000_000)
            host.cancel(timer)
            host.cancel(timer)
        }
        #expect(
            host.timers == [
                FakeHost.Timer(id: 100, deadline: 6_000_000, scope: TALLY_TIMER_INSTANCE),
                FakeHost.Timer(id: 101, deadline: 7_000_000, scope: TALLY_TIMER_SESSION),
            ]
        )
        // The host is asked once: the kit knows which timers run.
        #expect(host.cancelled == [100])
    }

    @Test func randomNumbersValuesAndErrorsGoThrough() {
        let seen = Seen()
        let host = TestLibrary.run { (host, _) throws(TrackerFault) in
            seen.note("\(host.random())")
            host.store("viewer_id", "abc")
            host.reportError(code: "E7", message: "no account", details: "set \"account\"")
            host.log(.debug, "line")
        }
        #expect(seen.texts == ["\(UInt64(0xFEED_FACE_CAFE_BEEF))"])
        #expect(host.stored == ["viewer_id=abc"])
        #expect(host.playerErrors == ["E7|no account|set \"account\""])
        #expect(host.logs == ["0 line"])
    }
}
