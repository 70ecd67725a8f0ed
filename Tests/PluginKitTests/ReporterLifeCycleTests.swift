import PluginABI
import PluginKit
import Testing

@Suite("A reporter's life cycle over the ABI")
struct ReporterLifeCycleTests {
    @Test func destroyingAtOnceIsLegal() throws {
        let host = unsafe try HostedReporter(PluginFile.entry("discard")).host
        #expect(host.logs.isEmpty && host.errors.isEmpty)
    }

    @Test func aHostWithoutTheNeededExtensionIsToldWhichOne() throws {
        let reporter = unsafe try HostedReporter(PluginFile.entry("discard"))
        reporter.host.withheld = [TALLY_EXT_HOST_REPORTER]
        #expect(reporter.start() == TALLY_ERR_UNSUPPORTED)
        #expect(reporter.host.errors == ["-2 this host does not offer tally.host-reporter/1, which is needed here"])
    }

    @Test func discardTakesEverythingAndSaysHowMuch() throws {
        let reporter = unsafe try HostedReporter(PluginFile.entry("discard"))
        #expect(reporter.start() == TALLY_OK)
        #expect(reporter.wants == 0)
        #expect(reporter.enable() == TALLY_OK)
        let outputs = Outputs()
        outputs.addEvent(TestBlock(.play))
        outputs.addRecord("R", ordinal: 1, at: 0, attributes: [])
        outputs.addRecord("R", ordinal: 2, at: 0, attributes: [])
        outputs.addGap(5, at: 0)
        outputs.addNote(99)
        #expect(reporter.take(outputs) == 5)
        reporter.flush(3)
        #expect(reporter.host.answers == [FakeHost.Answer(token: 3, delivered: 5, kept: 0, dropped: 0)])
        reporter.disable()
        #expect(reporter.host.logs == ["1 discarded 1 events, 2 records and 0 beacons; a full queue cost 5 more"])
    }
}
