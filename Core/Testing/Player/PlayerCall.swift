public import Tally

/// Something that a player does and no other ``PlayerAction`` stands for: a change of what it shows, a track call.
public struct PlayerCall: Sendable, Equatable {
    /// What it is, for messages; calls of one name are taken to be equal.
    public let name: String
    /// Does it.
    public let perform: @Sendable (SyntheticPlayer, PlayerRun) -> Void

    /// Describes a call.
    public init(_ name: String, _ perform: @escaping @Sendable (SyntheticPlayer, PlayerRun) -> Void) {
        self.name = name
        self.perform = perform
    }

    /// Whether both have the same name.
    public static func == (left: PlayerCall, right: PlayerCall) -> Bool {
        left.name == right.name
    }
}
