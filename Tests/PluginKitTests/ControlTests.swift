import PluginABI
import PluginKit
import Testing

@Suite("What a plugin takes at run time, over the ABI")
@safe struct ControlTests {
    private let host = FakeHost()
    private let tracker: HostedTracker
    private let block = TestBlock(.playheadSample)

    init() throws {
        let entry = unsafe TestLibrary.library.entry
        tracker = unsafe try #require(HostedTracker(entry, "org.tally.test.counter", host: host))
        #expect(tracker.start() == TALLY_OK)
        #expect(tracker.enable() == TALLY_OK)
    }

    @Test("A tracker that offers nothing of it answers NULL")
    func bare() throws {
        let entry = unsafe TestLibrary.library.entry
        let bare = unsafe try #require(HostedTracker(entry, "org.tally.test.bare", host: FakeHost()))
        for id in [TALLY_EXT_CONFIGURE, TALLY_EXT_COMMAND, TALLY_EXT_STATE] {
            #expect(!bare.offers(id))
            #expect(tracker.offers(id))
        }
        #expect(bare.control.commandList == nil)
    }

    @Test("A new configuration comes with the time and the player's state")
    func configure() {
        #expect(tracker.control.configure(#"{"step":5}"#, at: 3_000_000, block) == TALLY_OK)
        #expect(host.logs == ["1 step 5 at 3000000, playhead -1"])
        _ = tracker.handle(TestBlock(.play))
        #expect(tracker.control.command("count", "", block).answer == "5")
    }

    @Test("A new configuration that cannot be used is refused with its reason")
    func refused() {
        #expect(tracker.control.configure("{}", block) == TALLY_ERR_CONFIG)
        #expect(tracker.control.configure("{", block) == TALLY_ERR_CONFIG)
        #expect(host.errors.first == #"-4 the key "step" is missing; give it an integer"#)
        #expect(host.errors.last?.contains("no JSON") == true)
    }

    @Test("The list names each command, and whether it changes state")
    func list() {
        #expect(
            tracker.control.commandList == #"[{"name":"count","summary":"How many events came.","changes":false},"#
                + #"{"name":"add","summary":"Counts `by` events more.","changes":true},"#
                + #"{"name":"never","summary":"Is always refused.","changes":false}]"#
        )
    }

    @Test("A command answers in JSON")
    func command() {
        _ = tracker.handle(TestBlock(.play))
        let answer = tracker.control.command("add", #"{"by":4}"#, at: 9, block)
        #expect(answer.status == TALLY_OK)
        #expect(answer.answer == #"{"count":5,"time_us":9}"#)
    }

    @Test(
        "What is wrong with a command is told by status and text, and nothing is answered",
        arguments: [
            ("gone", "", TALLY_ERR_NOT_FOUND, #"there is no command "gone"; there are: count, add, never"#),
            ("add", "{}", TALLY_ERR_INVALID, #"the key "by" is missing; give it an integer"#),
            ("add", "[", TALLY_ERR_INVALID, "the configuration is no JSON"),
            ("never", "", TALLY_ERR_STATE, "not now; try again never"),
        ]
    )
    func wrong(name: String, arguments: String, status: tally_status, text: String) {
        let answer = tracker.control.command(name, arguments, block)
        #expect(answer.status == status)
        #expect(answer.answer.isEmpty)
        #expect(host.errors.count == 1)
        #expect(host.errors[0].contains(text))
    }

    @Test("A host of 1.0, which does not say what time it is, is told so")
    func oldHost() {
        #expect(tracker.control.configure(#"{"step":5}"#, nil) == TALLY_ERR_UNSUPPORTED)
        #expect(tracker.control.command("count", "", nil).status == TALLY_ERR_UNSUPPORTED)
        #expect(host.errors.count == 2)
        #expect(host.errors[0].contains("ABI 1.1"))
    }

    @Test("State goes from one instance to another of the same format")
    func state() throws {
        for _ in 0..<3 { _ = tracker.handle(TestBlock(.play)) }
        let saved = tracker.control.saveState()
        #expect(saved.status == TALLY_OK)
        #expect(tracker.control.stateFormat == 7)
        let entry = unsafe TestLibrary.library.entry
        let next = unsafe try #require(HostedTracker(entry, "org.tally.test.counter", host: FakeHost()))
        #expect(next.start() == TALLY_OK)
        #expect(next.control.loadState(saved.state) == TALLY_OK)
        #expect(next.control.command("count", "", block).answer == "3")
        #expect(next.control.loadState([1, 2]) == TALLY_ERR_INTERNAL)
        #expect(next.host.errors == ["-6 the state has 2 bytes, expected 1"])
    }

    @Test("A reporter takes a configuration and commands without a time")
    func reporter() throws {
        let entry = unsafe TestLibrary.library.entry
        let reporter = unsafe try HostedReporter(entry, "org.tally.test.counter-reporter")
        #expect(reporter.start() == TALLY_OK)
        #expect(reporter.control.configure(#"{"count":41}"#, nil) == TALLY_OK)
        #expect(reporter.control.configure("{}", nil) == TALLY_ERR_CONFIG)
        #expect(reporter.control.command("count", "", nil).answer == "41")
        #expect(reporter.control.command("add", "", nil).status == TALLY_ERR_NOT_FOUND)
        #expect(
            reporter.control.commandList == #"[{"name":"count","summary":"How many outputs came.","changes":false}]"#
        )
        let bare = unsafe try HostedReporter(PluginFile.entry("console"))
        #expect(bare.control.commandList == nil)
    }
}
