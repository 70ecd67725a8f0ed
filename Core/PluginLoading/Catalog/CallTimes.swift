internal import System

/// How long a plugin's calls took, and how many took longer than they may.
package struct CallTimes: Sendable, Equatable {
    /// How long a call may take unless configured otherwise, ns.
    package static let usualBudget: Int64 = 5_000_000
    /// Steps for each doubling of a time: a quantile is at most 9 % too high.
    private static let stepBits = 3

    /// How long a call may take, ns.
    package let budget: Int64
    /// How many calls were made.
    package private(set) var count: UInt64 = 0
    /// All of them together, ns.
    package private(set) var total: Int64 = 0
    /// The longest, ns.
    package private(set) var longest: Int64 = 0
    /// How many took longer than the budget.
    package private(set) var overBudget: UInt64 = 0
    private var steps: [UInt32] = Array(repeating: 0, count: 40 << Self.stepBits)

    /// No call was made yet.
    package init(budget: Int64 = Self.usualBudget) { self.budget = budget }

    /// Counts a call that began at a time of ``SystemTime/nanoseconds()`` and is over now.
    package mutating func add(from begun: Int64) { add(max(0, SystemTime.nanoseconds() - begun)) }

    /// Counts a call that took so long, ns.
    package mutating func add(_ nanoseconds: Int64) {
        count += 1
        total += nanoseconds
        longest = max(longest, nanoseconds)
        if nanoseconds > budget { overBudget += 1 }
        steps[min(Self.step(of: nanoseconds), steps.count - 1)] += 1
    }

    /// Counts the calls of another one too.
    package mutating func add(_ other: CallTimes) {
        count += other.count
        total += other.total
        longest = max(longest, other.longest)
        overBudget += other.overBudget
        for place in steps.indices { steps[place] &+= other.steps[place] }
    }

    /// The mean, ns.
    package var mean: Int64 { count == 0 ? 0 : total / Int64(count) }

    /// The time that so many of a thousand calls did not exceed, ns, as the upper end of its step.
    package func quantile(permille: UInt64) -> Int64 {
        var left = (count * permille + 999) / 1000
        for (step, calls) in steps.enumerated() {
            guard left > UInt64(calls) else { return min(Self.end(of: step), longest) }
            left -= UInt64(calls)
        }
        return longest
    }

    private static func step(of nanoseconds: Int64) -> Int {
        let value = UInt64(nanoseconds) | 1 << stepBits
        let magnitude = 63 - value.leadingZeroBitCount - stepBits
        return magnitude << stepBits + Int(value >> magnitude) - (1 << stepBits)
    }

    private static func end(of step: Int) -> Int64 {
        let magnitude = step >> stepBits
        return Int64((step & (1 << stepBits - 1)) + 1 << stepBits) << magnitude + (1 << magnitude) - 1
    }
}
