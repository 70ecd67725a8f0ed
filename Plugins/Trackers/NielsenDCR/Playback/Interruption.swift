internal import PluginABI
package import PluginKit

/// Why playback is interrupted from outside the player (DCR Sweden Video iOS SDK, "Stop/Resume the Measurement").
package enum Interruption: String, Sendable, Equatable {
    /// The device was locked: an interruption for video only.
    case lock
    /// The application is in the background: an interruption for video only.
    case background
    /// Another channel was chosen: what comes back may be another asset.
    case channelChange = "channel_change"
    /// Network loss, a call, an alarm, headphones unplugged, or a word of the application's own.
    case other

    /// Reads the reason of an event; without one it is an interruption all the same.
    package init(_ reason: UTF8Text?) { self = reason.flatMap { Interruption(rawValue: $0.string) } ?? .other }

    /// Whether it stops the measurement of a player with or without a picture.
    package func stops(audioOnly: Bool) -> Bool {
        switch self {
        case .lock, .background: !audioOnly
        case .channelChange, .other: true
        }
    }
}

extension PlayerState {
    /// Whether there is no picture.
    var isAudioOnly: Bool { knows(TALLY_KNOWN_AUDIO_ONLY) && has(TALLY_STATE_AUDIO_ONLY) }

    /// Whether the playhead was reported so lately that its estimate goes on.
    var isPlayheadFresh: Bool {
        unsafe knows(TALLY_KNOWN_PLAYHEAD) && raw.pointee.reported_age_us <= 2 * Limits.sampleIntervalMicroseconds
    }
}
