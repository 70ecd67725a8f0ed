internal import PluginABI

/// The reported members of the player state that are bits of `tally_state.flags`, with their names in archives.
package enum StateMembers {
    /// Each member with its flag and its name.
    package static let flagMembers: [(member: UInt32, flag: UInt32, name: StaticString)] = [
        (TALLY_KNOWN_MUTED, TALLY_STATE_MUTED, "muted"),
        (TALLY_KNOWN_FULLSCREEN, TALLY_STATE_FULLSCREEN, "fullscreen"),
        (TALLY_KNOWN_LIVE, TALLY_STATE_LIVE, "live"),
        (TALLY_KNOWN_AUDIO_ONLY, TALLY_STATE_AUDIO_ONLY, "audio_only"),
    ]
}
