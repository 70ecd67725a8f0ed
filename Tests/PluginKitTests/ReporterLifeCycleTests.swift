import PluginABI
import PluginKit
import TallyTesting
import Testing

@Suite("A reporter's life cycle over the ABI")
struct ReporterLifeCycleTests {
    @Test func destroyingAtOnceIsLegal() throws {
        let host = try FakeHost(.file(PluginFiles.plugin("discard")))
        #expect(host.create())
        host.destroy()
        #expect(host.logLines.isEmpty && host.faults.isEmpty)
    }

    @Test func aHostWithoutTheNeededExtensionIsToldWhichOne() throws {
        let host = try FakeHost(.file(PluginFiles.plugin("discard")))
        host.withheldExtensions = [TALLY_EXT_HOST_REPORTER]
        #expect(host.create())
        #expect(host.initialize() == TALLY_ERR_UNSUPPORTED)
        #expect(
            host.faults == [
                FakeHost.Fault(
                    TALLY_ERR_UNSUPPORTED,
                    "this host does not offer tally.host-reporter/1, which is needed here"
                )
            ]
        )
    }

    @Test func discardTakesEverythingAndSaysHowMuch() throws {
        let host = try FakeHost(.file(PluginFiles.plugin("discard")))
        #expect(host.create())
        #expect(host.initialize() == TALLY_OK)
        #expect(host.wants == [])
        #expect(host.enable() == TALLY_OK)
        let outputs = ReporterOutputs()
        outputs.add(EventBlock(.play))
        outputs.add(FakeHost.Record(kind: "R"), ordinal: 1)
        outputs.add(FakeHost.Record(kind: "R"), ordinal: 2)
        outputs.addGap(5)
        outputs.add(kind: 99)
        #expect(host.deliver(outputs) == 5)
        host.flush(token: 3)
        #expect(host.flushAnswers == [FakeHost.FlushAnswer(token: 3, delivered: 5)])
        host.disable()
        #expect(
            host.logLines == [
                FakeHost.LogLine(.info, "discarded 1 events, 2 records and 0 beacons; a full queue cost 5 more")
            ]
        )
    }
}
