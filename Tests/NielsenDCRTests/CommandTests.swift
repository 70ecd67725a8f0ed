import Glibc
import PluginKit
import Tally
import TallyTesting
import Testing

/// The vendor's properties and calls for privacy as commands, and the choice that outlasts a run.
@Suite struct CommandTests {
    @Test("the queries answer, and are neither recorded nor heard of in a replay")
    func queries() throws {
        let run = try Self.run([("optOutURL", [:]), ("optOutStatus", [:]), ("state", [:])])
        #expect(
            run.answers == [
                #"{"optOutURL":"https://priv-policy.imrworldwide.com/priv/mobile/us/en/optout_legacy.html"}"#,
                #"{"optOutStatus":false,"source":null}"#, #"{"state":"initial"}"#,
            ]
        )
        #expect(run.recorded.live.lines.isEmpty)
        let page = "https://example.org/out"
        let other = try Self.run([("optOutURL", [:])], configuration: ["optOutURL": .string(page)])
        #expect(other.answers == [#"{"optOutURL":"\#(page)"}"#])
    }

    @Test("the user's choice is taken over, kept for the next run, and marks its pings")
    func userOptOut() throws {
        let store = RecordedRun.temporaryArchive() + ".json"
        defer { unsafe unlink(store) }
        let first = try Self.run([("userOptOut", Self.out), ("optOutStatus", [:])], store: store)
        #expect(first.answers == [#"{"accepted":true}"#, #"{"optOutStatus":true,"source":"user"}"#])

        let second = try Self.run([("optOutStatus", [:])], store: store, plays: true)
        #expect(second.answers == [#"{"optOutStatus":true,"source":"user"}"#])
        #expect(second.recorded.live.lines.first { $0.kind == "ping" }?.attributes["uoo"] == .string("true"))

        let replayed = try second.recorded.replay(through: [Setup.tracker()], from: [Self.file])
        #expect(OutputTranscript.difference(second.recorded.live, replayed) == nil)

        let third = try Self.run([("userOptOut", Self.in)], store: store)
        #expect(third.answers == [#"{"accepted":true}"#])
        let fourth = try Self.run([("optOutStatus", [:])], store: store)
        #expect(fourth.answers == [#"{"optOutStatus":false,"source":null}"#])
    }

    @Test("the choice outlasts switching the tracker off and on")
    func switchedOff() throws {
        var answer = ""
        _ = try Self.virtual(nil).record { player, run, clock in
            _ = try run.command(plugin: "nielsen", "userOptOut", Self.out)
            for action in [PlayerAction.disable("nielsen"), .enable("nielsen")] {
                clock.advance(to: clock.now() + 1_000_000)
                player.perform(action, on: run)
                run.pump()
            }
            answer = try run.command(plugin: "nielsen", "optOutStatus").canonicalText
        }
        #expect(answer == #"{"optOutStatus":true,"source":"user"}"#)
    }

    @Test("the system's opt-out holds whatever the user chooses")
    func systemOptOut() throws {
        let run = try Self.run(
            [("optOutStatus", [:]), ("userOptOut", Self.in), ("optOutStatus", [:])],
            configuration: ["systemOptOut": true]
        )
        let system = #"{"optOutStatus":true,"source":"system"}"#
        #expect(run.answers == [system, #"{"accepted":true}"#, system])
    }

    @Test("any text but the two addresses is refused")
    func otherText() throws {
        let run = try Self.run([("userOptOut", ["url": "https://example.org"]), ("userOptOut", [:])])
        #expect(run.answers.first == #"{"accepted":false}"#)
        #expect(run.answers.last?.contains("the key \"url\" is missing") == true)
        #expect(run.recorded.live.lines.contains { $0.kind == "error" && $0.attributes["key"] == .string("url") })
    }

    @Test("an application for children stays opted out")
    func kids() throws {
        let run = try Self.run([("userOptOut", Self.in), ("optOutStatus", [:])], configuration: ["kids": true])
        #expect(run.answers == [#"{"accepted":false}"#, #"{"optOutStatus":true,"source":"kids"}"#])
    }

    @Test("appDisableApi switches the instance off and on")
    func disableAPI() throws {
        let run = try Self.run([
            ("appDisableApi", ["value": true]), ("state", [:]), ("appDisableApi", ["value": false]), ("state", [:]),
        ])
        #expect(
            run.answers == [
                #"{"appDisableApi":true}"#, #"{"state":"disabled"}"#, #"{"appDisableApi":false}"#,
                #"{"state":"idle"}"#,
            ]
        )
    }

    @Test("a command that is not known is refused")
    func unknown() throws {
        let run = try Self.run([("optOut", [:])])
        #expect(run.answers.first?.hasPrefix("refused: ") == true)
        #expect(run.recorded.live.lines.isEmpty)
    }

    @Test("commands that change state are replayed where they were")
    func replay() throws {
        let run = try Self.run([("userOptOut", Self.out), ("appDisableApi", [:])], plays: true).recorded
        let replayed = try run.replay(through: [Setup.tracker()], from: [Self.file])
        #expect(OutputTranscript.difference(run.live, replayed) == nil)
        let kinds = run.live.lines.map(\.kind)
        #expect(kinds.contains("userOptOut") && kinds.contains("optOutStatus") && kinds.contains("appDisableApi"))
    }

    // MARK: - Running

    private static let out: JSONValue = ["url": "nielsenappsdk://1"]
    private static let `in`: JSONValue = ["url": "nielsenappsdk://0"]
    private static let file = PluginSource.file(PluginFiles.plugin("nielsen-dcr"))

    private static func virtual(_ store: String?, _ configuration: [String: JSONValue] = [:]) -> VirtualRun {
        var run = VirtualRun(plugins: [Setup.tracker(configuration)], sources: [file])
        run.storeFile = store
        return run
    }

    /// Gives the commands, a second apart; an answer is JSON text, or says why there is none.
    private static func run(
        _ commands: [(String, JSONValue)],
        configuration: [String: JSONValue] = [:],
        store: String? = nil,
        plays: Bool = false
    ) throws -> (recorded: RecordedRun, answers: [String]) {
        var answers: [String] = []
        let recorded = try virtual(store, configuration).record { player, run, clock in
            if plays {
                for action in [PlayerAction.load, .play, .firstFrame] {
                    player.perform(action, on: run)
                    run.pump()
                }
            }
            for (command, arguments) in commands {
                clock.advance(to: clock.now() + 1_000_000)
                run.pump()
                do throws(ControlError) {
                    answers.append(try run.command(plugin: "nielsen", command, arguments).canonicalText)
                } catch {
                    answers.append("refused: \(error)")
                }
            }
        }
        return (recorded, answers)
    }
}
