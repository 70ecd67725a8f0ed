/// What the data model says of one well-known event type.
public struct EventDefinition: Sendable {
    /// The number.
    public let type: EventType
    /// The name: snake_case, in archives and blocks.
    public let name: StaticString
    /// Which information the player's delegate is asked for at the call, besides player state and quality.
    public let reads: StaticString
    /// What the event says, in one sentence.
    public let meaning: StaticString

    init(_ type: EventType, _ name: StaticString, reads: StaticString, _ meaning: StaticString) {
        self.type = type
        self.name = name
        self.reads = reads
        self.meaning = meaning
    }
}
