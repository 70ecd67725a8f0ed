import EventModel
import Glibc
import NielsenDCR
import PluginKit
import Tally
import TallyTesting
import Testing

/// Rules that hold after every course of player events, legal or not.
@Suite struct RandomSequenceTests {
    /// How many test cases.
    ///
    /// `TALLY_SEQUENCES=500` makes them 10,000 sequences of about 55 steps.
    private static let cases = 20
    private static let perCase = unsafe getenv("TALLY_SEQUENCES").flatMap { unsafe Int(String(cString: $0)) } ?? 25

    @Test("playheads, credit, pings and the order of calls stay consistent", arguments: 0..<cases)
    func invariants(number: Int) throws {
        var credited: Int64 = 0
        for seed in number * Self.perCase..<(number + 1) * Self.perCase {
            let sequence = PlayingSequence(seed: UInt64(seed), switching: seed % 5 == 0 ? ["nielsen"] : [])
            let isAudioOnly = seed % 4 == 1
            let run = try Self.record(sequence, isLive: seed % 4 == 2, isAudioOnly: isAudioOnly)
            var rules = CallRules(isNormalSpeed: !sequence.changesSpeed)
            for line in run.live.lines {
                rules.check(line)
            }
            rules.finish(played: PlayedTime.upperBound(of: sequence, isAudioOnly: isAudioOnly))
            #expect(rules.problems.isEmpty, "seed \(seed): \(rules.problems.joined(separator: "; "))")
            credited += rules.credited
        }
        #expect(credited > 2 * Self.perCase, "hardly anything was measured: \(credited) s")
    }

    /// Performs a sequence on demand, live, or without a picture.
    private static func record(_ sequence: PlayingSequence, isLive: Bool, isAudioOnly: Bool) throws -> RecordedRun {
        let tracker = Setup.tracker(["segmentSeconds": 2, "segmentsPerPing": 2])
        return try unsafe VirtualRun(plugins: [tracker], sources: [.linked { unsafe Linked.nielsen.entry }])
            .record { player, run, clock in
                player.change { model in
                    model.streamType = isLive ? .linear : .vod
                    model.length = isLive ? -1 : 600
                    model.audioOnly = isAudioOnly
                }
                for step in sequence.steps {
                    clock.advance(to: clock.now() + step.wait)
                    run.pump()
                    player.perform(step.action, on: run)
                    run.pump()
                }
            }
    }
}
