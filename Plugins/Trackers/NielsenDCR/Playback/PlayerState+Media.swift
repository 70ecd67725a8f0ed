internal import PluginABI
internal import PluginKit

extension PlayerState {
    /// Whether there is no picture.
    var isAudioOnly: Bool {
        knows(TALLY_KNOWN_AUDIO_ONLY) && has(TALLY_STATE_AUDIO_ONLY)
    }

    /// Whether the playhead was reported so lately that its estimate goes on.
    var isPlayheadFresh: Bool {
        unsafe knows(TALLY_KNOWN_PLAYHEAD) && raw.pointee.reported_age_us <= 2 * Limits.sampleIntervalMicroseconds
    }
}
