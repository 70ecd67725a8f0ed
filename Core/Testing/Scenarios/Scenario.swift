public import EventModel
public import Tally

/// Player actions on a virtual clock, and the literal list of what one tracker is to say.
///
/// The same scenario runs through a tracker that is linked in, through its file, and as a replay of its archive.
public struct Scenario: Sendable, CustomStringConvertible {
    /// An action and when it happens.
    public struct Step: Sendable {
        /// Run time, ms.
        public let time: Int64
        /// What happens.
        public let action: PlayerAction

        /// How long the machine sleeps after it, ms.
        let sleep: Int64

        /// Says what happens when.
        public static func at(_ milliseconds: Int64, _ action: PlayerAction) -> Step {
            Step(time: milliseconds, action: action, sleep: 0)
        }

        /// Lets the machine sleep from one time to another.
        public static func sleep(_ begin: Int64, to end: Int64) -> Step {
            Step(time: begin, action: .call(PlayerCall("sleep") { _, _ in }), sleep: end - begin)
        }
    }

    /// A record that is to come.
    public struct Expected: Sendable {
        /// Run time, ms.
        public let time: Int64
        /// The record's kind; `beacon` for a beacon.
        public let kind: String
        /// Attributes that it has to have, with these values.
        public let has: [String: PlainValue]
        /// Attributes that it must not have.
        public let lacks: [String]

        /// Says what comes when.
        public static func at(
            _ milliseconds: Int64,
            _ kind: String,
            _ has: [String: PlainValue] = [:],
            lacks: [String] = []
        ) -> Expected {
            Expected(time: milliseconds, kind: kind, has: has, lacks: lacks)
        }
    }

    /// The rule that it shows.
    public let name: String
    /// The tracker, with its configuration.
    public let tracker: PluginSelection
    /// Whether the player's position is sampled every 250 ms between the first and the last step.
    public let sampled: Bool
    /// What the player shows and says of itself when the run begins.
    public let player: SyntheticPlayer.Model
    /// What the player does, in the order of time.
    public let steps: [Step]
    /// What the tracker says, in order and complete.
    public let expected: [Expected]
    /// How the run ends.
    public let end: DestroyMode
    /// Whether the run ends before the coordinator has seen the steps of the last instant.
    public let endsAtOnce: Bool

    /// Describes a scenario.
    public init(
        _ name: String,
        tracker: PluginSelection,
        sampled: Bool = false,
        end: DestroyMode = .drain(),
        endsAtOnce: Bool = false,
        player: SyntheticPlayer.Model = SyntheticPlayer.Model(),
        steps: [Step],
        expected: [Expected]
    ) {
        self.name = name
        self.tracker = tracker
        self.sampled = sampled
        self.end = end
        self.endsAtOnce = endsAtOnce
        self.player = player
        self.steps = steps
        self.expected = expected
    }

    /// The scenario's name.
    public var description: String { name }
}
