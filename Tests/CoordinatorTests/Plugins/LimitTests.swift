import EventModel
import PluginABI
import PluginKit
import Tally
import TallyTesting
import Testing

/// What a tracker says is held against the limits, with a status that tells a limit from a mistake.
@Suite struct LimitTests {
    @Test("Each limit is enforced with TOO_LARGE and a mistake with INVALID, live and in replay")
    func limits() throws {
        let selection = PluginSelection("org.tally.fixture.emits-too-much", name: "greedy")
        let sources: [PluginSource] = [.file(PluginFiles.fixture("emits-too-much"))]
        let run = try VirtualRun(plugins: [selection], sources: sources).record { player, run, _ in
            player.perform(.load, on: run)
        }
        #expect(run.live.lines.map(\.kind) == ["limits"])
        let tooLarge = PlainValue.int(Int64(TALLY_ERR_TOO_LARGE))
        #expect(
            run.live.lines.first?.attributes == [
                "attributes": tooLarge, "record": tooLarge, "value": tooLarge, "name": tooLarge, "depth": tooLarge,
                "beacon": tooLarge, "kind": tooLarge, "timers": tooLarge, "started": .int(Int64(Limits.timers)),
                "invalid_kind": .int(Int64(TALLY_ERR_INVALID)),
            ]
        )
        let replay = try run.replay(through: [selection], from: sources)
        #expect(OutputTranscript.difference(run.live, replay) == nil)
    }

    @Test("What a tracker keeps for later runs has a limit together, and what it had kept stays")
    func kept() throws {
        var script = ScriptedTracker.Script()
        script.handle = { host, _ in
            let answers = [
                host.store("first", String(repeating: "a", count: 8_000)),
                host.store("second", String(repeating: "b", count: 200)),
                host.store("second", "b"), host.store("first", String(repeating: "\u{1}", count: 1_400)),
            ]
            let record = RecordBuilder()
            record.begin("kept")
            for (name, answer) in zip(["large", "beyond", "small", "escaped"] as [StaticString], answers) {
                record.set(name, answer)
            }
            host.emit(record)
        }
        let run = try ScriptedRun.record(script) { _, _, _ in }
        let expected: [String: PlainValue] = [
            "large": .bool(true), "beyond": .bool(false), "small": .bool(true), "escaped": .bool(false),
        ]
        #expect(run.live.lines.first?.attributes == expected)
    }

    @Test("A run whose archive nobody could read does not begin")
    func header() throws {
        var huge = ScriptedRun.selection
        huge.configuration = ["text": .string(String(repeating: "x", count: 1_050_000))]
        let error = #expect(throws: TelemetryError.self) {
            try VirtualRun(plugins: [huge], sources: [ScriptedTracker.source]).record { _, _, _ in }
        }
        #expect(error?.description.contains("nobody reads more than 1048576") == true)
    }
}
