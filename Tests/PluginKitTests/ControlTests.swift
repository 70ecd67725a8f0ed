import PluginABI
import PluginKit
import TallyTesting
import Testing

@Suite("What a plugin takes at run time, over the ABI")
struct ControlTests {
    private let host = TestLibrary.host("org.tally.test.counter")

    init() throws {
        try host.start()
    }

    @Test("A tracker that offers nothing of it answers NULL")
    func bare() {
        let bare = TestLibrary.host("org.tally.test.bare")
        #expect(bare.create())
        for id in [TALLY_EXT_CONFIGURE, TALLY_EXT_COMMAND] {
            #expect(!bare.offers(id))
            #expect(host.offers(id))
        }
        #expect(bare.commandList == nil)
    }

    @Test("A new configuration comes with the time and the player's state")
    func configure() {
        host.advance(to: 3_000_000)
        host.player.playheadMilliseconds = 2_900
        #expect(host.reconfigure(["step": 5]) == TALLY_OK)
        #expect(host.logLines == [FakeHost.LogLine(.info, "step 5 at 3000000, playhead 2900")])
        host.send(.play)
        #expect(host.command("count", text: "").text == "5")
    }

    @Test("A new configuration that cannot be used is refused with its reason")
    func refused() {
        #expect(host.reconfigure([:]) == TALLY_ERR_CONFIG)
        #expect(host.reconfigure(text: "{") == TALLY_ERR_CONFIG)
        #expect(
            host.faults.first == FakeHost.Fault(TALLY_ERR_CONFIG, #"the key "step" is missing; give it an integer"#)
        )
        #expect(host.faults.last?.text.contains("no JSON") == true)
    }

    @Test("The list names each command, and whether it changes state")
    func list() {
        #expect(
            host.commandList == #"[{"name":"count","summary":"How many events came.","changes":false},"#
                + #"{"name":"add","summary":"Counts `by` events more.","changes":true},"#
                + #"{"name":"never","summary":"Is always refused.","changes":false}]"#
        )
    }

    @Test("A command answers in JSON")
    func command() {
        host.send(.play)
        host.advance(to: 9)
        let answer = host.command("add", ["by": 4])
        #expect(answer.status == TALLY_OK)
        #expect(answer.text == #"{"count":5,"time_us":9}"#)
        #expect(answer.value == ["count": 5, "time_us": 9])
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
        let answer = host.command(name, text: arguments)
        #expect(answer.status == status)
        #expect(answer.text.isEmpty)
        #expect(answer.value == nil)
        #expect(host.faults.count == 1)
        #expect(host.faults[0].text.contains(text))
    }

    @Test("A reporter takes a configuration and commands without a time")
    func reporter() throws {
        let reporter = TestLibrary.host("org.tally.test.counter-reporter")
        #expect(reporter.create())
        #expect(reporter.initialize() == TALLY_OK)
        #expect(reporter.reconfigure(["count": 41]) == TALLY_OK)
        #expect(reporter.reconfigure([:]) == TALLY_ERR_CONFIG)
        #expect(reporter.command("count", text: "").text == "41")
        #expect(reporter.command("add", text: "").status == TALLY_ERR_NOT_FOUND)
        #expect(
            reporter.commandList == #"[{"name":"count","summary":"How many outputs came.","changes":false}]"#
        )
        let bare = try FakeHost(.file(PluginFiles.plugin("console")))
        #expect(bare.create())
        #expect(bare.commandList == nil)
    }
}
