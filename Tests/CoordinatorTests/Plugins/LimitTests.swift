import EventModel
import PluginABI
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
}
