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
