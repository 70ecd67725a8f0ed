internal import LoopbackServer
internal import TextEncoding

/// How fast a link is over time, made from a seed after the kinds of links that traces were recorded on.
struct BandwidthSchedule: CustomStringConvertible, Sendable {
    /// What is on its way, or what the link is.
    enum Kind: String, CaseIterable, Sendable {
        case bus, train, ferry, tram, broadband, lte, fiveG, steps
    }

    /// How a kind of link behaves, in kbit/s and seconds.
    private struct Habits {
        /// Around what its rate goes.
        var mean: Double
        /// By how much the rate of a second differs from the last: a factor between 1/x and x.
        var jitter: Double
        /// How likely it is in any second that it is gone, and for how long it is then.
        var gap: (chance: Double, seconds: ClosedRange<Double>) = (0, 0...0)
        /// How long a rate lasts.
        var step: ClosedRange<Double> = 1...1
    }

    let kind: Kind
    /// As the media server's option `--throttle` takes it.
    let text: String

    var description: String { "\(kind) \(text)" }

    /// The schedule of a seed, for so many seconds; what comes later is fast, so that playback ends.
    init(seed: UInt64, seconds: Double) {
        var numbers = SplitMix64(seed: seed)
        kind = Kind.allCases[Int(seed % UInt64(Kind.allCases.count))]
        let habits = Self.habits(of: kind)
        // Playback has begun before the first gap.
        var (second, steps, rate) = (0.0, [String](), habits.mean)
        func add(_ kbit: Double) { steps.append("\((second * 10).rounded() / 10):\(Int(kbit))k") }
        while second < seconds {
            if second > seconds / 10, Double.random(in: 0..<1, using: &numbers) < habits.gap.chance {
                add(0)
                second += Double.random(in: habits.gap.seconds, using: &numbers)
                continue
            }
            let factor = Double.random(in: 1...habits.jitter, using: &numbers)
            rate = Bool.random(using: &numbers) ? rate * factor : rate / factor
            // Back towards the mean, as a walk by chance would leave it for good.
            rate = min(max((rate + habits.mean) / 2, habits.mean / 8), habits.mean * 4)
            if kind == .steps { rate = steps.count.isMultiple(of: 2) ? 1_500 : 120 }
            add(rate)
            second += Double.random(in: habits.step, using: &numbers)
        }
        add(20_000)
        text = steps.joined(separator: ",")
    }

    private static func habits(of kind: Kind) -> Habits {
        switch kind {
        case .bus: Habits(mean: 500, jitter: 2.5, gap: (0.05, 1...4))
        case .train: Habits(mean: 600, jitter: 2, gap: (0.12, 4...9))
        case .ferry: Habits(mean: 350, jitter: 2, gap: (0.04, 2...6), step: 1...3)
        case .tram: Habits(mean: 450, jitter: 3, gap: (0.08, 1...5))
        case .broadband: Habits(mean: 1500, jitter: 1.3, step: 4...6)
        case .lte: Habits(mean: 3000, jitter: 2, gap: (0.08, 3...8))
        case .fiveG: Habits(mean: 12_000, jitter: 3, gap: (0.12, 4...10))
        case .steps: Habits(mean: 500, jitter: 1, step: 6...9)
        }
    }
}
