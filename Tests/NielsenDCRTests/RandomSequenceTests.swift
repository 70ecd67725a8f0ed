import EventModel
import NielsenDCR
import PluginKit
import Tally
import TallyTesting
import Testing

/// Rules that hold after every course of player events, legal or not.
@Suite struct RandomSequenceTests {
    /// How many test cases.
    ///
    /// With 100 sequences of 60 steps each they take about 5 s in a debug build; with 500 they are 10,000.
    private static let cases = 20
    private static let perCase = 100

    @Test("playheads, credit, pings and the order of calls stay consistent", arguments: 0..<cases)
    func invariants(number: Int) throws {
        for seed in number * Self.perCase..<(number + 1) * Self.perCase {
            let sequence = ActionSequence(
                seed: UInt64(seed),
                count: 60,
                legal: seed % 3 == 0 ? 50 : 93,
                longestWait: 4_000_000,
                switching: seed % 5 == 0 ? ["nielsen"] : []
            )
            let tracker = Setup.tracker(["segmentSeconds": 2, "segmentsPerPing": 2])
            let run = try unsafe VirtualRun(plugins: [tracker], sources: [.linked { unsafe Linked.nielsen.entry }])
                .record(sequence)
            let isNormalSpeed = !sequence.steps.contains { step in
                if case .rate = step.action { true } else { false }
            }
            var rules = CallRules(isNormalSpeed: isNormalSpeed)
            for line in run.live.lines {
                rules.check(line)
            }
            rules.finish(played: PlayedTime.upperBound(of: sequence))
            #expect(rules.problems.isEmpty, "seed \(seed): \(rules.problems.joined(separator: "; "))")
        }
    }
}
