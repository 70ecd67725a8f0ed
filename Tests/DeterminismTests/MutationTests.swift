import Tally
import TallyTesting
import Testing

/// The suite finds a broken rule: each rule is switched off, and live and replay differ.
@Suite struct MutationTests {
    @Test("Switching off a rule is noticed", arguments: [BrokenRules.time, .canonicalValues, .state])
    func broken(rules: BrokenRules) throws {
        var noticed = 0
        for seed in 0..<20 {
            let sequence = ActionSequence(
                seed: UInt64(seed),
                count: 120,
                legal: 92,
                longestWait: 2_000_000
            )
            var virtual = VirtualRun(plugins: Trackers.selections, sources: Trackers.files)
            virtual.broken = rules
            let run = try virtual.record(sequence, seed: UInt64(seed))
            let replay = try run.replay(through: Trackers.selections, from: Trackers.files)
            if OutputTranscript.difference(run.live, replay) != nil {
                noticed += 1
            }
        }
        #expect(noticed > 0)
    }
}
