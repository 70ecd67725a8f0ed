import PluginABI
import PluginKit
import Synchronization
import TallyTesting
import Testing

@Suite("A tracker's life cycle over the ABI")
@safe struct TrackerLifeCycleTests {
    private let entry = unsafe TestLibrary.library.entry

    @Test func theEntryIsTheSamePointerEachTimeAndListsAllPlugins() {
        unsafe #expect(entry == TestLibrary.library.entry)
        unsafe #expect(entry.pointee.count == 4)
        unsafe #expect(entry.pointee.descriptor(entry, 0) == entry.pointee.descriptor(entry, 0))
        unsafe #expect(entry.pointee.descriptor(entry, 4) == nil)
        unsafe #expect(entry.pointee.descriptor(entry, UInt32.max) == nil)
    }

    @Test func theDescriptorSaysWhatTheAuthorWrote() throws {
        let scripted = unsafe try #require(entry.pointee.descriptor(entry, 0)).pointee
        unsafe #expect(text(scripted.id) == "org.tally.test.scripted")
        unsafe #expect(text(scripted.version) == "2.3.4")
        unsafe #expect(scripted.kind == TALLY_KIND_TRACKER)
        unsafe #expect(scripted.caps == TALLY_CAP_DETERMINISTIC)
        unsafe #expect(text(scripted.config_schema) == #"{"type":"object"}"#)
        unsafe #expect(texts(scripted.shared_config) == ["viewer"])
        unsafe #expect(texts(scripted.store_keys) == ["viewer_id"])
        unsafe #expect(texts(scripted.requires_extensions).contains("tally.store/1"))
        let bare = unsafe try #require(entry.pointee.descriptor(entry, 1)).pointee
        unsafe #expect(texts(bare.requires_extensions) == ["tally.emit/1", "tally.timer/1", "tally.random/1"])
    }

    @Test(arguments: ["", "org.tally.test", "org.tally.test.scripted2", "ORG.TALLY.TEST.SCRIPTED"])
    func anUnknownIDGivesNoInstance(id: String) {
        #expect(!TestLibrary.host(id).create())
    }

    @Test func creatingCallsNoHostFunctionAndDestroyingAtOnceIsLegal() {
        let isGone = Flag()
        var script = ScriptedTracker.Script()
        script.gone = { isGone.set() }
        let host = TestLibrary.host(script)
        host.destroy()
        #expect(isGone.isSet)
        #expect(host.logLines.isEmpty && host.faults.isEmpty)
    }

    @Test func aConfigurationThatIsRefusedGivesItsReasonAndDestroyingIsLegalThen() {
        let isGone = Flag()
        var script = ScriptedTracker.Script()
        script.gone = { isGone.set() }
        script.configure = { (configuration) throws(ConfigurationError) in
            _ = try configuration.text("server")
        }
        let host = TestLibrary.host(script)
        #expect(host.initialize(["server": nil]) == TALLY_ERR_CONFIG)
        host.destroy()
        #expect(
            host.faults == [
                FakeHost.Fault(TALLY_ERR_CONFIG, #"the key "server" is missing; give it a string"#)
            ]
        )
        #expect(isGone.isSet)
    }

    @Test func aConfigurationThatIsNoJSONSaysWhere() {
        let host = TestLibrary.host("org.tally.test.bare")
        #expect(host.create())
        #expect(host.initialize(text: "{\"a\":1,}") == TALLY_ERR_CONFIG)
        #expect(host.faults.count == 1)
        #expect(host.faults[0].text.contains("the configuration is no JSON: 1:7"))
    }

    @Test func anEmptyConfigurationIsOneWithoutKeys() {
        let host = TestLibrary.host("org.tally.test.bare")
        #expect(host.create())
        #expect(host.initialize(text: "") == TALLY_OK)
    }

    @Test(arguments: ["tally.emit/1", "tally.timer/1", "tally.random/1", "tally.store/1"])
    func aHostWithoutANeededExtensionIsToldWhichOne(id: String) {
        let host = TestLibrary.host("org.tally.test.scripted")
        host.withheldExtensions = [id]
        #expect(host.create())
        #expect(host.initialize() == TALLY_ERR_UNSUPPORTED)
        #expect(
            host.faults == [
                FakeHost.Fault(TALLY_ERR_UNSUPPORTED, "this host does not offer \(id), which is needed here")
            ]
        )
    }

    @Test func aTrackerWithDefaultsTakesEveryCall() throws {
        let host = TestLibrary.host("org.tally.test.bare")
        try host.start()
        #expect(host.beginSession() == TALLY_OK)
        #expect(host.send(EventType(rawValue: 0x10_0000)) == TALLY_OK)
        host.fire(1, at: 5)
        host.endSession(SessionEndReason(rawValue: 99))
        host.disable()
        #expect(host.enable() == TALLY_OK)
        #expect(host.offers(TALLY_EXT_TRACKER))
        #expect(!host.offers("tally.tracker/2"))
        #expect(!host.offers(TALLY_EXT_REPORTER))
    }

    @Test func joiningFollowsTheBeginOfASessionThatGoesOnAlready() {
        let seen = Seen()
        var script = ScriptedTracker.Script()
        script.session = { seen.note($1) }
        let host = TestLibrary.host(script)
        host.initialize()
        host.enable()
        host.beginSession()
        host.endSession(.disable)
        #expect(seen.texts == ["begin"])
        host.beginSession([("joined", .bool(true))])
        #expect(seen.texts == ["begin", "begin", "join"])
        host.destroy()
    }

    @Test func consentConcernsATrackerByItsScope() {
        let seen = Seen()
        var script = ScriptedTracker.Script()
        script.handle = { seen.note($1.consent(for: "mine").map(\.rawValue) ?? "none") }
        let host = TestLibrary.host(script)
        host.initialize()
        host.enable()
        for (scope, state) in [("all", "in"), ("mine", "out"), ("yours", "in"), ("all", "pending"), ("all", "perhaps")]
        {
            host.send(.consent, [("consent_scope", .string(scope)), ("consent_state", .string(state))])
        }
        host.send(.consent, [("consent_state", .string("out"))])
        host.destroy()
        #expect(seen.texts == ["in", "out", "none", "pending", "none", "out"])
    }

    @Test func theReasonSaysWhetherTheTrackerLeavesASessionThatGoesOn() {
        let leaving = [SessionEndReason.unload, .disable, .replace, .shutdown].filter(\.isLeave)
        #expect(leaving == [.disable, .replace])
    }

    @Test func aFaultIsAnErrorWithItsText() throws {
        let host = TestLibrary.run { (_, event) throws(TrackerFault) in
            throw TrackerFault("no ad is open at \(event.time) us")
        }
        #expect(host.faults == [FakeHost.Fault(TALLY_ERR_INTERNAL, "no ad is open at 5000000 us")])
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
