import PluginABI
import PluginKit
import Synchronization
import Testing

@Suite("A tracker's life cycle over the ABI")
@safe struct TrackerLifeCycleTests {
    private let entry = unsafe TestLibrary.library.entry

    @Test func theEntryIsTheSamePointerEachTimeAndListsAllPlugins() {
        unsafe #expect(entry == TestLibrary.library.entry)
        unsafe #expect(entry.pointee.count == 4)
        unsafe #expect(entry.pointee.descriptor(0) == entry.pointee.descriptor(0))
        unsafe #expect(entry.pointee.descriptor(4) == nil)
        unsafe #expect(entry.pointee.descriptor(UInt32.max) == nil)
    }

    @Test func theDescriptorSaysWhatTheAuthorWrote() throws {
        let scripted = unsafe try #require(entry.pointee.descriptor(0)).pointee
        unsafe #expect(text(scripted.id) == "org.tally.test.scripted")
        unsafe #expect(text(scripted.version) == "2.3.4")
        unsafe #expect(scripted.kind == TALLY_KIND_TRACKER)
        unsafe #expect(scripted.caps == TALLY_CAP_DETERMINISTIC)
        unsafe #expect(text(scripted.config_schema) == #"{"type":"object"}"#)
        unsafe #expect(texts(scripted.shared_config) == ["viewer"])
        unsafe #expect(texts(scripted.requires_extensions) == ["tally.emit/1", "tally.timer/1", "tally.random/1"])
        let bare = unsafe try #require(entry.pointee.descriptor(1)).pointee
        unsafe #expect(texts(bare.store_keys) == ["viewer_id"])
        unsafe #expect(texts(bare.requires_extensions).contains("tally.store/1"))
    }

    @Test(arguments: ["", "org.tally.test", "org.tally.test.scripted2", "ORG.TALLY.TEST.SCRIPTED"])
    func anUnknownIDGivesNoInstance(id: String) {
        unsafe #expect(HostedTracker(entry, id, host: FakeHost()) == nil)
    }

    @Test func creatingCallsNoHostFunctionAndDestroyingAtOnceIsLegal() {
        let host = FakeHost()
        let isGone = Flag()
        var script = ScriptedTracker.Script()
        script.gone = { isGone.set() }
        _ = TestLibrary.tracker(host, script)
        #expect(isGone.isSet)
        #expect(host.logs.isEmpty && host.errors.isEmpty)
    }

    @Test func aConfigurationThatIsRefusedGivesItsReasonAndDestroyingIsLegalThen() {
        let host = FakeHost()
        let isGone = Flag()
        var script = ScriptedTracker.Script()
        script.gone = { isGone.set() }
        script.configure = { (configuration) throws(ConfigurationError) in
            _ = try configuration.text("server")
        }
        do {
            let tracker = TestLibrary.tracker(host, script)
            #expect(tracker?.start(#"{"server":null}"#) == TALLY_ERR_CONFIG)
        }
        #expect(host.errors == [#"-4 the key "server" is missing; give it a string"#])
        #expect(isGone.isSet)
    }

    @Test func aConfigurationThatIsNoJSONSaysWhere() throws {
        let host = FakeHost()
        let tracker = unsafe try #require(HostedTracker(entry, "org.tally.test.bare", host: host))
        #expect(tracker.start("{\"a\":1,}") == TALLY_ERR_CONFIG)
        #expect(host.errors.count == 1)
        #expect(host.errors[0].contains("the configuration is no JSON: 1:7"))
    }

    @Test func anEmptyConfigurationIsOneWithoutKeys() throws {
        let tracker = unsafe try #require(HostedTracker(entry, "org.tally.test.bare", host: FakeHost()))
        #expect(tracker.start("") == TALLY_OK)
    }

    @Test(arguments: ["tally.emit/1", "tally.timer/1", "tally.random/1", "tally.store/1"])
    func aHostWithoutANeededExtensionIsToldWhichOne(id: String) throws {
        let host = FakeHost()
        host.withheld = [id]
        let tracker = unsafe try #require(HostedTracker(entry, "org.tally.test.bare", host: host))
        #expect(tracker.start() == TALLY_ERR_UNSUPPORTED)
        #expect(host.errors == ["-2 this host does not offer \(id), which is needed here"])
    }

    @Test func aTrackerWithDefaultsTakesEveryCall() throws {
        let tracker = unsafe try #require(HostedTracker(entry, "org.tally.test.bare", host: FakeHost()))
        #expect(tracker.start() == TALLY_OK)
        #expect(tracker.enable() == TALLY_OK)
        #expect(tracker.sessionBegin(TestBlock(.videoLoad)) == TALLY_OK)
        #expect(tracker.handle(TestBlock(EventType(rawValue: 0x10_0000))) == TALLY_OK)
        tracker.fire(FakeHost.Timer(id: 1, deadline: 5, scope: 1))
        tracker.sessionEnd(99, TestBlock(.videoUnload))
        tracker.disable()
        #expect(tracker.enable() == TALLY_OK)
        #expect(tracker.offers(TALLY_EXT_TRACKER))
        #expect(!tracker.offers("tally.tracker/2"))
        #expect(!tracker.offers(TALLY_EXT_REPORTER))
    }

    @Test func aFaultIsAnErrorWithItsText() throws {
        let host = TestLibrary.run { (_, event) throws(TrackerFault) in
            throw TrackerFault("no ad is open at \(event.time) us")
        }
        #expect(host.errors == ["-6 no ad is open at 5000000 us"])
    }

    private func text(_ text: UnsafePointer<CChar>?) -> String? {
        unsafe text.map { unsafe String(cString: $0) }
    }

    private func texts(_ list: UnsafePointer<UnsafePointer<CChar>?>?) -> [String] {
        var result: [String] = []
        var place = unsafe list
        while let text = unsafe place?.pointee {
            unsafe result.append(String(cString: text))
            unsafe place = unsafe place.map { unsafe $0 + 1 }
        }
        return result
    }
}

/// A truth that is set once.
final class Flag: Sendable {
    private let value = Atomic<Bool>(false)
    var isSet: Bool { value.load(ordering: .sequentiallyConsistent) }
    func set() { value.store(true, ordering: .sequentiallyConsistent) }
}
