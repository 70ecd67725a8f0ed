import Glibc
import NielsenDCR
import PluginKit
import Tally
import TallyTesting
import Testing

/// The vendor's properties and calls for privacy as commands, and the choice that outlasts a run.
@Suite struct CommandTests {
    @Test("the queries answer without a record of their own")
    func queries() throws {
        let run = try Self.run([("optOutURL", ""), ("optOutStatus", ""), ("state", "")])
        #expect(
            Self.answers(run.live) == [
                #"{"optOutURL":"https://priv-policy.imrworldwide.com/priv/mobile/us/en/optout_legacy.html"}"#,
                #"{"optOutStatus":false,"source":null}"#, #"{"state":"initial"}"#,
            ]
        )
        #expect(run.live.lines.allSatisfy { $0.kind == "answer" })
    }

    @Test("the user's choice is taken over, kept for the next run, and marks its pings")
    func userOptOut() throws {
        let store = RecordedRun.temporaryArchive() + ".json"
        defer { unsafe unlink(store) }
        let first = try Self.run([("userOptOut", #"{"url":"nielsenappsdk://1"}"#), ("optOutStatus", "")], store: store)
        #expect(Self.answers(first.live) == [#"{"accepted":true}"#, #"{"optOutStatus":true,"source":"user"}"#])

        let second = try Self.run([("optOutStatus", "")], store: store, plays: true)
        #expect(Self.answers(second.live) == [#"{"optOutStatus":true,"source":"user"}"#])
        #expect(second.live.lines.first { $0.kind == "ping" }?.attributes["uoo"] == .string("true"))

        let third = try Self.run([("userOptOut", #"{"url":"nielsenappsdk://0"}"#)], store: store)
        #expect(Self.answers(third.live) == [#"{"accepted":true}"#])
        let fourth = try Self.run([("optOutStatus", "")], store: store)
        #expect(Self.answers(fourth.live) == [#"{"optOutStatus":false,"source":null}"#])
    }

    @Test("the choice outlasts switching the tracker off and on")
    func switchedOff() throws {
        let run = try Self.virtual(nil).record { player, run, clock in
            player.perform(.custom(name: "userOptOut", value: .string(#"{"url":"nielsenappsdk://1"}"#)), on: run)
            run.pump()
            for action in [PlayerAction.disable("nielsen"), .enable("nielsen")] {
                clock.advance(to: clock.now() + 1_000_000)
                player.perform(action, on: run)
                run.pump()
            }
            player.perform(.custom(name: "optOutStatus", value: .null), on: run)
            run.pump()
        }
        #expect(Self.answers(run.live).last == #"{"optOutStatus":true,"source":"user"}"#)
    }

    @Test("any text but the two addresses is refused")
    func otherText() throws {
        let run = try Self.run([("userOptOut", #"{"url":"https://example.org"}"#), ("userOptOut", "{}")])
        #expect(
            Self.answers(run.live) == [
                #"{"accepted":false}"#, #"error: the key "url" is missing; give it a string"#,
            ]
        )
        #expect(run.live.lines.contains { $0.kind == "error" && $0.attributes["key"] == .string("url") })
    }

    @Test("an application for children stays opted out")
    func kids() throws {
        let run = try Self.run(
            [("userOptOut", #"{"url":"nielsenappsdk://0"}"#), ("optOutStatus", "")],
            configuration: ["kids": true]
        )
        #expect(Self.answers(run.live) == [#"{"accepted":false}"#, #"{"optOutStatus":true,"source":"kids"}"#])
    }

    @Test("appDisableApi switches the instance off and on")
    func disableAPI() throws {
        let run = try Self.run([
            ("appDisableApi", #"{"value":true}"#), ("state", ""), ("appDisableApi", #"{"value":false}"#),
        ])
        #expect(
            Self.answers(run.live) == [
                #"{"appDisableApi":true}"#, #"{"state":"disabled"}"#, #"{"appDisableApi":false}"#,
            ]
        )
    }

    @Test("a command that is not known is refused with those that are")
    func unknown() throws {
        let run = try Self.run([("optOut", "")])
        #expect(
            Self.answers(run.live) == [
                "error: there is no command \"optOut\"; there are: optOutURL, optOutStatus, userOptOut, appDisableApi, "
                    + "state"
            ]
        )
    }

    @Test("commands replay like events")
    func replay() throws {
        let run = try Self.run([("userOptOut", #"{"url":"nielsenappsdk://1"}"#), ("appDisableApi", "{}")], plays: true)
        let replayed = try unsafe run.replay(
            through: [Setup.tracker()],
            from: [.linked { unsafe Linked.commanded.entry }]
        )
        #expect(OutputTranscript.difference(run.live, replayed) == nil)
    }

    // MARK: - Running

    private static func virtual(_ store: String?, _ configuration: [String: JSONValue] = [:]) -> VirtualRun {
        var run = unsafe VirtualRun(
            plugins: [Setup.tracker(configuration)],
            sources: [.linked { unsafe Linked.commanded.entry }]
        )
        run.storeFile = store
        return run
    }

    private static func run(
        _ commands: [(String, String)],
        configuration: [String: JSONValue] = [:],
        store: String? = nil,
        plays: Bool = false
    ) throws -> RecordedRun {
        try virtual(store, configuration).record { player, run, clock in
            if plays {
                for action in [PlayerAction.load, .play, .firstFrame] {
                    player.perform(action, on: run)
                    run.pump()
                }
            }
            for (command, arguments) in commands {
                clock.advance(to: clock.now() + 1_000_000)
                player.perform(.custom(name: command, value: .string(arguments)), on: run)
                run.pump()
            }
        }
    }

    private static func answers(_ transcript: OutputTranscript) -> [String] {
        transcript.lines.filter { $0.kind == "answer" }.compactMap { line in
            if case .string(let text)? = line.attributes["text"] { return text }
            if case .string(let text)? = line.attributes["error"] { return "error: " + text }
            return nil
        }
    }
}
