import Tally
import TallyTesting
import TextEncoding

/// Generated player actions in which playback goes on for seconds at a time.
///
/// ``ActionSequence`` acts without much of a wait, and hardly ever ends an interruption. Here actions that let playback go
/// on are mixed in, and time between them.
struct PlayingSequence {
    /// What happens, and how long after the step before, us.
    let steps: [(wait: Int64, action: PlayerAction)]
    /// Whether the speed changes on the way.
    let changesSpeed: Bool

    private static let helpful: [PlayerAction] = [
        .play, .interruptionEnd, .foreground, .bufferComplete, .seekComplete, .adComplete, .adBreakComplete,
    ]

    init(seed: UInt64, switching: [String]) {
        let sequence = ActionSequence(
            seed: seed,
            count: 40,
            legal: seed % 3 == 0 ? 50 : 93,
            longestWait: 4_000_000,
            switching: switching
        )
        var random = SplitMix64(seed: seed)
        var steps: [(wait: Int64, action: PlayerAction)] = [(0, .load), (0, .play), (0, .firstFrame)]
        for step in sequence.steps {
            steps.append((step.wait + Int64(random.next() % 1_700_000), step.action))
            if random.next() % 3 == 0 {
                steps.append((0, Self.helpful[Int(random.next() % UInt64(Self.helpful.count))]))
            }
        }
        self.steps = steps
        changesSpeed = sequence.steps.contains { step in
            if case .rate = step.action { true } else { false }
        }
    }
}
