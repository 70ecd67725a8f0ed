internal import TextEncoding

/// Player actions with the time between them, made from a seed: the same seed gives the same actions.
public struct ActionSequence: Sendable {
    /// One action and how long after the one before it happens, us.
    public struct Step: Sendable, Equatable {
        /// Time since the step before, us.
        public let wait: Int64
        /// What happens.
        public let action: PlayerAction
    }

    /// The steps.
    public let steps: [Step]

    /// Makes a sequence of `count` steps.
    ///
    /// - Parameters:
    ///   - seed: decides everything.
    ///   - count: how many steps.
    ///   - legal: how many of a hundred actions make sense where they stand; the others are anything.
    ///   - longestWait: the longest time between two actions, us; most waits are short or none.
    ///   - switching: trackers that are enabled and disabled on the way.
    public init(seed: UInt64, count: Int, legal: Int, longestWait: Int64, switching: [String] = []) {
        var random = SplitMix64(seed: seed)
        var machine = ActionMachine()
        var steps: [Step] = []
        for _ in 0..<count {
            let wait = Self.wait(&random, longest: longestWait)
            let action: PlayerAction
            if !switching.isEmpty, random.next() % 100 < 6 {
                let name = switching[Int(random.next() % UInt64(switching.count))]
                action = random.next() % 2 == 0 ? .enable(name) : .disable(name)
            } else if random.next() % 100 < UInt64(legal) {
                action = machine.legal(&random)
            } else {
                action = ActionMachine.anything(&random)
            }
            machine.follow(action)
            steps.append(Step(wait: wait, action: action))
        }
        self.steps = steps
    }

    /// The same actions at the same times, with trackers enabled and disabled between them.
    public func switching(_ names: [String], seed: UInt64) -> ActionSequence {
        var random = SplitMix64(seed: seed)
        var mixed: [Step] = []
        for step in steps {
            mixed.append(step)
            if random.next() % 8 == 0 {
                let name = names[Int(random.next() % UInt64(names.count))]
                mixed.append(Step(wait: 0, action: random.next() % 2 == 0 ? .enable(name) : .disable(name)))
            }
        }
        return ActionSequence(steps: mixed)
    }

    private init(steps: [Step]) { self.steps = steps }

    private static func wait(_ random: inout SplitMix64, longest: Int64) -> Int64 {
        switch random.next() % 10 {
        case 0...2: 0
        case 3...6: Int64(random.next() % UInt64(max(1, longest / 20)))
        default: Int64(random.next() % UInt64(max(1, longest)))
        }
    }
}
