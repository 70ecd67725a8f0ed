/// The type of an event: a well-known number of the vocabulary, or one given out for a name met at run time.
public struct EventType: RawRepresentable, Hashable, Sendable {
    /// The number; at ``firstUnknown`` and above it means nothing outside this process.
    public let rawValue: UInt32

    /// Takes a number as it stands in a block.
    @inlinable
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// The first number that is given out for a name that this version does not know.
    @inlinable public static var firstUnknown: UInt32 { 0x10000 }

    /// Whether both are the same number.
    @inlinable
    public static func == (left: EventType, right: EventType) -> Bool {
        left.rawValue == right.rawValue
    }
}

extension EventType {
    /// Whether the player says it: such events are counted by the ordinal.
    @inlinable public var isFromPlayer: Bool {
        rawValue < 0x100 || rawValue >= Self.firstUnknown
    }

    /// Whether it is a change of the set of plugins, which no tracker sees.
    @inlinable public var isControl: Bool {
        switch self {
        case .pluginEnabled, .pluginDisabled, .pluginConfigured, .pluginReplaced, .pluginLoaded, .pluginCommand: true
        default: false
        }
    }
}
