internal import PluginABI
package import PluginKit

/// When something happens, and how the player stands then; lent for the length of a call.
package struct Moment {
    /// Time since the player run's start, us.
    package let time: Int64
    /// The same on the wall clock, ms since 1970.
    package let epochMilliseconds: Int64
    /// The player.
    package let player: PlayerState

    /// Makes a moment of a run that began at a time of the wall clock, us since 1970.
    package init(_ time: Int64, epochMicroseconds: Int64, player: PlayerState) {
        self.time = time
        epochMilliseconds = (epochMicroseconds + time) / 1000
        self.player = player
    }

    /// The wall clock, s since 1970.
    package var epochSeconds: Int64 { epochMilliseconds / 1000 }
}

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
