import Tally
import TallyTesting
import TextEncoding

/// What the player really did in a generated course of events: the measure of what trackers say of it.
///
/// It is read off the synthetic player, and knows no tracker's rules.
struct ObservedPlayback {
    /// A span of run time in which nothing changed, us.
    private struct Span {
        let begin: Int64
        let end: Int64
        /// How fast the playhead moved, 0 when it stood.
        let rate: Double
        /// Whether an ad was shown.
        let isInAd: Bool
    }

    private var spans: [Span] = []
    /// Where the playhead stood when, us and ms.
    private var positions: [(time: Int64, position: Int64)] = []
    /// When each session was loaded, us.
    private(set) var loads: [Int64] = []
    /// What the player said of its ads.
    private(set) var ads = ObservedParts()
    /// What the player said of its chapters.
    private(set) var chapters = ObservedParts()

    /// Length of the asset, s; no course of events comes to its end.
    static let assetLength: Int64 = 3_600

    /// Plays a generated course through all trackers, with a sample every 250 ms as players report them.
    static func record(seed: UInt64) throws -> (run: RecordedRun, playback: ObservedPlayback) {
        var playback = ObservedPlayback()
        let run = try VirtualRun(plugins: Trackers.vendors, sources: Trackers.files).record { player, run, clock in
            player.change { $0.length = Double(assetLength) }
            for step in steps(seed: seed) {
                let due = clock.now() + step.wait
                while clock.now() < due {
                    let next = min(due, (clock.now() / samplePeriod + 1) * samplePeriod)
                    playback.observe(player, from: clock.now(), to: next)
                    clock.advance(to: next)
                    run.pump()
                    if next < due, !playback.loads.isEmpty { player.perform(.sample, on: run) }
                    run.pump()
                }
                player.perform(step.action, on: run)
                playback.follow(step.action, player, at: clock.now())
                run.pump()
            }
        }
        return (run, playback)
    }

    private static let samplePeriod: Int64 = 250_000

    /// Actions, with some mixed in that let playback go on, and rates of 0, with which some players pause.
    private static func steps(seed: UInt64) -> [(wait: Int64, action: PlayerAction)] {
        let sequence = ActionSequence(seed: seed, count: 40, legal: seed % 3 == 0 ? 50 : 93, longestWait: 4_000_000)
        let helpful: [PlayerAction] = [
            .play, .interruptionEnd, .foreground, .bufferComplete, .seekComplete, .adComplete, .adBreakComplete,
        ]
        var random = SplitMix64(seed: seed)
        var rates = SplitMix64(seed: ~seed)
        var steps: [(wait: Int64, action: PlayerAction)] = [(0, .load), (0, .play), (0, .firstFrame)]
        for step in sequence.steps {
            steps.append((step.wait + Int64(random.next() % 1_700_000), step.action))
            if rates.next() % 5 == 0 { steps.append((0, .rate(rates.next() % 3 == 0 ? 0 : 1))) }
            if random.next() % 3 == 0 { steps.append((0, helpful[Int(random.next() % UInt64(helpful.count))])) }
        }
        return steps + [(1_000_000, .unload)]
    }

    private mutating func observe(_ player: SyntheticPlayer, from begin: Int64, to end: Int64) {
        player.change { model in
            let rate = model.moving ? max(model.rate, 0) : 0
            spans.append(Span(begin: begin, end: end, rate: rate, isInAd: model.ad != nil))
        }
        player.update(to: end)
        look(at: player, end)
    }

    private mutating func follow(_ action: PlayerAction, _ player: SyntheticPlayer, at time: Int64) {
        if action == .load { loads.append(time) }
        if let step = ObservedParts.Step(ofAds: action) { ads.follow(step, at: time) }
        if let step = ObservedParts.Step(ofChapters: action) { chapters.follow(step, at: time) }
        look(at: player, time)
    }

    private mutating func look(at player: SyntheticPlayer, _ time: Int64) {
        player.change { positions.append((time, $0.position)) }
    }

    // MARK: - What it measures

    /// Time between two instants, ms.
    func elapsed(from begin: Int64, to end: Int64) -> Int64 { (end - begin) / 1000 }

    /// Time in which the playhead moved, ms.
    func movingTime(from begin: Int64, to end: Int64) -> Int64 { sum(from: begin, to: end) { $0.rate > 0 ? 1 : 0 } }

    /// How far the playhead has moved by itself, or an ad has played, ms.
    func distance(from begin: Int64, to end: Int64) -> Int64 {
        sum(from: begin, to: end) { max($0.rate, $0.isInAd ? 1 : 0) }
    }

    /// The furthest playhead up to the next sample, ms.
    func furthestPlayhead(from begin: Int64, to end: Int64) -> Int64 {
        let last = end + Self.samplePeriod
        return positions.reduce(0) { begin <= $1.time && $1.time <= last ? max($0, $1.position) : $0 }
    }

    private func sum(from begin: Int64, to end: Int64, _ weight: (Span) -> Double) -> Int64 {
        var total = 0.0
        for span in spans where span.end > begin && span.begin < end {
            total += Double(min(span.end, end) - max(span.begin, begin)) * weight(span)
        }
        return Int64(total / 1000)
    }
}
