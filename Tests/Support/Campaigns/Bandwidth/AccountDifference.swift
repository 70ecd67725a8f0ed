/// By how much what a player tells differs from what was seen, of one kind of figure each.
struct AccountDifference: Sendable {
    /// The furthest that each kind of figure is off, ms.
    private(set) var furthestMs: [String: Int64] = [:]
    private(set) var problems: [String] = []

    /// How far a figure may be off.
    private static let limitUs: Int64 = 50_000

    private let latenessUs: Int64
    /// A stall that is shorter may be one of the machine, of which the player knows nothing.
    private let shortestStallUs: Int64

    /// Compares; on a machine that is late by so much, a figure may be off by so much more.
    init(seen: PlaybackAccount, told: PlaybackAccount, latenessUs: Int64) {
        self.latenessUs = max(latenessUs, told.jitterUs)
        shortestStallUs = 150_000 + self.latenessUs
        compare("first moving picture", seen.movesUs, told.movesUs)
        // From the event `play` on: a busy machine takes its time until the engine's process is there to be asked.
        compare("startup time", seen.movesUs - told.beganUs, told.startupMs * 1000)
        compareStalls(seen.stalls, told.stalls)
        compareSwitches(seen.switches, told.switches)
    }

    private mutating func compare(_ figure: String, _ seenUs: Int64, _ toldUs: Int64) {
        let offUs = toldUs - seenUs
        if abs(offUs) / 1000 > furthestMs[figure] ?? -1 { furthestMs[figure] = abs(offUs) / 1000 }
        if abs(offUs) > Self.limitUs + latenessUs { problems.append("\(figure) is told \(offUs / 1000) ms off") }
    }

    private mutating func compareStalls(_ seen: [PlaybackAccount.Stall], _ told: [PlaybackAccount.Stall]) {
        var rest = seen
        for stall in told {
            // Of those that overlap it the one that is most like it: a late picture just before is a gap, too.
            let overlapping = rest.indices.filter { rest[$0].overlaps(stall, within: latenessUs + Self.limitUs) }
            let index = overlapping.min {
                abs(rest[$0].lengthUs - stall.lengthUs) < abs(rest[$1].lengthUs - stall.lengthUs)
            }
            guard let index else {
                if stall.lengthUs > shortestStallUs { problems.append("a stall is told and was none: \(stall)") }
                continue
            }
            let match = rest.remove(at: index)
            compare("stall's begin", match.beginUs, stall.beginUs)
            compare("stall's length", match.lengthUs, stall.lengthUs)
        }
        for stall in rest where stall.lengthUs > shortestStallUs { problems.append("a stall is not told: \(stall)") }
    }

    private mutating func compareSwitches(_ seen: [PlaybackAccount.Switch], _ told: [PlaybackAccount.Switch]) {
        guard seen.map(\.height) == told.map(\.height) else {
            problems.append("renditions \(seen) were shown, and \(told) are told")
            return
        }
        for (index, (seen, told)) in zip(seen, told).enumerated() {
            compare("switch's place", seen.placeMs * 1000, told.placeMs * 1000)
            // The first picture of all stands there before it moves.
            guard index > 0 else { continue }
            // However late a machine is, it makes nobody tell of what is not there yet: half of a picture is for clocks.
            let earlyUs = seen.timeUs - told.timeUs
            if earlyUs > LadderMedia.frameMs * 500 {
                problems.append("\(told) is told \(earlyUs / 1000) ms before its first picture")
            }
        }
    }
}

extension PlaybackAccount.Stall: CustomStringConvertible {
    var description: String { "\(lengthUs / 1000) ms from \(beginUs / 1000 % 1_000_000) ms on" }

    fileprivate func overlaps(_ other: Self, within toleranceUs: Int64) -> Bool {
        beginUs - toleranceUs < other.beginUs + other.lengthUs && other.beginUs - toleranceUs < beginUs + lengthUs
    }
}

extension PlaybackAccount.Switch: CustomStringConvertible {
    var description: String { "\(height)p at \(placeMs) ms" }
}
