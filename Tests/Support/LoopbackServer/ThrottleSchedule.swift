/// The bandwidth of a link over time.
package struct ThrottleSchedule: Sendable, Equatable {
    /// A bandwidth that holds from its second until the next step.
    package struct Step: Sendable, Equatable {
        /// Seconds since the clock's start.
        package let second: Double
        /// Bits a second; zero lets nothing through, infinity does not slow.
        package let bitsPerSecond: Double

        /// Makes a step.
        package init(second: Double, bitsPerSecond: Double) {
            self.second = second
            self.bitsPerSecond = bitsPerSecond
        }
    }

    /// The steps in order; the first is at second 0.
    package let steps: [Step]

    /// One bandwidth for the whole time.
    package init(bitsPerSecond: Double) {
        steps = [Step(second: 0, bitsPerSecond: bitsPerSecond)]
    }

    /// Reads a schedule such as `0:3000k,8:300k,16:4M`.
    package init(parsing text: String) throws(OptionError) {
        var steps: [Step] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let fields = part.split(separator: ":", omittingEmptySubsequences: false)
            guard fields.count == 2 else {
                throw .badThrottle(text, "'\(part)' is not of the form SECOND:RATE")
            }
            guard let second = Double(fields[0]), second.isFinite, second >= 0 else {
                throw .badThrottle(text, "'\(fields[0])' is not a number of seconds")
            }
            guard let rate = Self.rate(fields[1]) else {
                throw .badThrottle(text, "'\(fields[1])' is not a rate in bit/s, such as 300k, 2.5M or unlimited")
            }
            if let last = steps.last, second <= last.second {
                throw .badThrottle(text, "second \(fields[0]) is not after the step before it")
            }
            steps.append(Step(second: second, bitsPerSecond: rate))
        }
        guard steps.first?.second == 0 else {
            throw .badThrottle(text, "the first step must be at second 0")
        }
        self.steps = steps
    }

    /// Returns the bandwidth at a second.
    package func rate(at second: Double) -> Double {
        steps.last { $0.second <= second }?.bitsPerSecond ?? .infinity
    }

    /// Returns the second at which a transfer ends that starts at the given one, infinity when it never does.
    package func end(ofBits bits: Double, from start: Double) -> Double {
        var second = start
        var rest = bits
        for (index, step) in steps.enumerated() {
            let next = index + 1 < steps.count ? steps[index + 1].second : .infinity
            guard next > second else {
                continue
            }
            if step.bitsPerSecond == .infinity {
                return second
            }
            let duration = step.bitsPerSecond > 0 ? rest / step.bitsPerSecond : .infinity
            if second + duration <= next {
                return second + duration
            }
            rest -= (next - second) * step.bitsPerSecond
            second = next
        }
        return second
    }

    private static func rate(_ text: Substring) -> Double? {
        if text == "unlimited" {
            return .infinity
        }
        let factor: Double
        switch text.last {
        case "k", "K": factor = 1000
        case "m", "M": factor = 1_000_000
        default: factor = 1
        }
        guard let number = Double(factor == 1 ? text : text.dropLast()), number.isFinite, number >= 0 else {
            return nil
        }
        return number * factor
    }
}
