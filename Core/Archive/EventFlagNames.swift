internal import PluginABI

/// What the bits of an event's flags are called in archives.
enum EventFlagNames {
    static let all: [(bit: UInt32, name: StaticString)] = [
        (TALLY_EVENT_OUT_OF_ORDER, "out_of_order"),
        (TALLY_EVENT_SYNTHETIC, "synthetic"),
        (TALLY_EVENT_MOVED, "moved"),
        (TALLY_EVENT_GAP_BEFORE, "gap_before"),
    ]
    /// All bits that have a name.
    static let bits = all.reduce(0) { $0 | $1.bit }
}
