/// A well-known attribute's number; 0 stands for a name that only its text tells.
public struct AttributeKey: RawRepresentable, Hashable, Sendable {
    /// The number as it stands in `tally_attr.key_id`.
    public let rawValue: UInt16

    /// Takes a number as it stands in a block.
    @inlinable
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The number of every name that is not in the vocabulary.
    public static let none = AttributeKey(rawValue: 0)
}

// Video information, read at video_load and metadata_change.
extension AttributeKey {
    /// Identifier of the asset.
    public static let videoID = AttributeKey(rawValue: 1)
    /// Title for people.
    public static let videoName = AttributeKey(rawValue: 2)
    /// Where the media comes from.
    public static let videoURL = AttributeKey(rawValue: 3)
    /// Name of the player that shows the main content.
    public static let playerName = AttributeKey(rawValue: 4)
    /// Version of that player.
    public static let playerVersion = AttributeKey(rawValue: 5)
    /// `vod`, `live` or `linear`.
    public static let streamType = AttributeKey(rawValue: 6)
    /// BCP 47 tag of the main audio.
    public static let videoLanguage = AttributeKey(rawValue: 7)
    /// Media type.
    public static let videoMimeType = AttributeKey(rawValue: 8)
    /// Video codec, RFC 6381 where known.
    public static let videoCodec = AttributeKey(rawValue: 9)
    /// Audio codec, RFC 6381 where known.
    public static let audioCodec = AttributeKey(rawValue: 10)
    /// Name of the content delivery network.
    public static let videoCDN = AttributeKey(rawValue: 11)
    /// Whether playback starts without the viewer asking.
    public static let autoplay = AttributeKey(rawValue: 12)
    /// Application around the player.
    public static let applicationName = AttributeKey(rawValue: 13)
    /// Its version.
    public static let applicationVersion = AttributeKey(rawValue: 14)
    /// Who watches, as the application names them.
    public static let userID = AttributeKey(rawValue: 15)
    /// BCP 47 tag of the player's user interface.
    public static let playerLanguage = AttributeKey(rawValue: 16)
}

// Ad break information, read at ad_break_start, ad_start and seek_complete.
extension AttributeKey {
    /// Identifier of the break.
    public static let adBreakID = AttributeKey(rawValue: 32)
    /// Name of the break.
    public static let adBreakName = AttributeKey(rawValue: 33)
    /// Index of the break in the main content, from 1.
    public static let adBreakPosition = AttributeKey(rawValue: 34)
    /// Where in the main content the break lies.
    public static let adBreakStartMs = AttributeKey(rawValue: 35)
    /// `pre`, `mid` or `post`.
    public static let adBreakType = AttributeKey(rawValue: 36)
    /// Name of the player that shows the break.
    public static let adBreakPlayerName = AttributeKey(rawValue: 37)
}

// Ad information, read at ad_start and seek_complete.
extension AttributeKey {
    /// Identifier of the ad.
    public static let adID = AttributeKey(rawValue: 48)
    /// Title for people.
    public static let adName = AttributeKey(rawValue: 49)
    /// Length of the ad.
    public static let adDurationMs = AttributeKey(rawValue: 50)
    /// Index of the ad in its break, from 1.
    public static let adPosition = AttributeKey(rawValue: 51)
    /// Price per thousand, as the ad server gives it.
    public static let adCPM = AttributeKey(rawValue: 52)
    /// Where the creative comes from.
    public static let adURL = AttributeKey(rawValue: 53)
    /// BCP 47 tag.
    public static let adLanguage = AttributeKey(rawValue: 54)
    /// Identifier of the creative.
    public static let adCreativeID = AttributeKey(rawValue: 55)
    /// Universal ad identifier.
    public static let adUniversalID = AttributeKey(rawValue: 56)
    /// Ad system or partner.
    public static let adPartner = AttributeKey(rawValue: 57)
    /// Address that the ad was requested from.
    public static let adTagURL = AttributeKey(rawValue: 58)
    /// Where a click leads.
    public static let adClickURL = AttributeKey(rawValue: 59)
    /// When the ad may be skipped; absent when never.
    public static let adSkipAfterMs = AttributeKey(rawValue: 60)
    /// 1, 2 or 3: on ad_quartile.
    public static let adQuartile = AttributeKey(rawValue: 61)
}

// Chapter information, read at chapter_start and seek_complete.
extension AttributeKey {
    /// Title for people.
    public static let chapterName = AttributeKey(rawValue: 64)
    /// Index in the main content, from 1.
    public static let chapterPosition = AttributeKey(rawValue: 65)
    /// Where in the main content the chapter begins.
    public static let chapterStartMs = AttributeKey(rawValue: 66)
    /// Length of the chapter.
    public static let chapterDurationMs = AttributeKey(rawValue: 67)
}

// Rendition change.
extension AttributeKey {
    /// `decided` when the player chose it, `visible` when it is on screen.
    public static let renditionPhase = AttributeKey(rawValue: 80)
    /// `automatic` or `manual`.
    public static let renditionCause = AttributeKey(rawValue: 81)
    /// `up`, `down` or `same`, against the one before.
    public static let renditionShift = AttributeKey(rawValue: 82)
    /// Name of the rendition.
    public static let renditionName = AttributeKey(rawValue: 83)
    /// Advertised bitrate.
    public static let renditionBitrateBps = AttributeKey(rawValue: 84)
    /// Width of the picture.
    public static let renditionWidth = AttributeKey(rawValue: 85)
    /// Height of the picture.
    public static let renditionHeight = AttributeKey(rawValue: 86)
    /// Frames per second in thousandths.
    public static let renditionFpsMilli = AttributeKey(rawValue: 87)
    /// Codecs of the rendition.
    public static let renditionCodec = AttributeKey(rawValue: 88)
}

// Seek, buffering and quality.
extension AttributeKey {
    /// Where the seek starts from.
    public static let seekFromMs = AttributeKey(rawValue: 96)
    /// Where the seek goes to.
    public static let seekToMs = AttributeKey(rawValue: 97)
    /// `initial`, `seek` or `stall`.
    public static let bufferCause = AttributeKey(rawValue: 98)
    /// How much media is buffered ahead.
    public static let bufferLengthMs = AttributeKey(rawValue: 99)
    /// From the wish to play to the first frame.
    public static let startupTimeMs = AttributeKey(rawValue: 100)
}

// Network requests.
extension AttributeKey {
    /// What was asked for.
    public static let requestURL = AttributeKey(rawValue: 112)
    /// Host that was asked.
    public static let requestHost = AttributeKey(rawValue: 113)
    /// `manifest`, `video`, `audio`, `video_init`, `audio_init`, `media`, `subtitle`, `encryption` or `api`.
    public static let requestType = AttributeKey(rawValue: 114)
    /// Identifier that the server gave.
    public static let requestID = AttributeKey(rawValue: 115)
    /// HTTP status.
    public static let requestStatus = AttributeKey(rawValue: 116)
    /// Bytes of the answer's body.
    public static let requestBytes = AttributeKey(rawValue: 117)
    /// From asking to the last byte.
    public static let requestDurationMs = AttributeKey(rawValue: 118)
    /// From asking to the first byte.
    public static let requestFirstByteMs = AttributeKey(rawValue: 119)
    /// Where in the media the segment begins.
    public static let requestMediaStartMs = AttributeKey(rawValue: 120)
    /// How much media the segment holds.
    public static let requestMediaDurationMs = AttributeKey(rawValue: 121)
    /// Advertised bitrate of what was asked for.
    public static let requestBitrateBps = AttributeKey(rawValue: 122)
    /// Width of what was asked for.
    public static let requestWidth = AttributeKey(rawValue: 123)
    /// Height of what was asked for.
    public static let requestHeight = AttributeKey(rawValue: 124)
}

// Errors.
extension AttributeKey {
    /// Unique identifier of the error.
    public static let errorID = AttributeKey(rawValue: 128)
    /// Text for people.
    public static let errorMessage = AttributeKey(rawValue: 129)
    /// Part of the software that the code belongs to.
    public static let errorDomain = AttributeKey(rawValue: 130)
    /// The engine's or server's number.
    public static let errorCode = AttributeKey(rawValue: 131)
    /// Whether playback ends with it.
    public static let errorFatal = AttributeKey(rawValue: 132)
    /// Segment, stack trace or the like.
    public static let errorContext = AttributeKey(rawValue: 133)
}

// Application, interruption, consent and unload.
extension AttributeKey {
    /// Name of a custom event.
    public static let customName = AttributeKey(rawValue: 144)
    /// How long the application ran: on application_terminated.
    public static let runningTimeMs = AttributeKey(rawValue: 145)
    /// `network`, `call`, `alarm`, `lock`, `background`, `channel_change`, `headphones` or another word.
    public static let interruptionReason = AttributeKey(rawValue: 146)
    /// `all`, or the instance name of one tracker.
    public static let consentScope = AttributeKey(rawValue: 147)
    /// `in`, `out` or `pending`.
    public static let consentState = AttributeKey(rawValue: 148)
    /// True on an unload that the core inserted before a load.
    public static let implicit = AttributeKey(rawValue: 149)
}

// Added by the core.
extension AttributeKey {
    /// Playhead samples refused before this event.
    public static let gapSamples = AttributeKey(rawValue: 160)
    /// Quality samples refused before this event.
    public static let gapQualitySamples = AttributeKey(rawValue: 161)
    /// Other events refused before this event.
    public static let gapEvents = AttributeKey(rawValue: 162)
    /// On a snapshot: the session was going on already.
    public static let joined = AttributeKey(rawValue: 163)
    /// On a snapshot: run time of the load.
    public static let loadedAtMicroseconds = AttributeKey(rawValue: 164)
    /// On a snapshot: run time of the session's first play.
    public static let firstPlayAtMicroseconds = AttributeKey(rawValue: 165)
    /// Instance name, on control events.
    public static let plugin = AttributeKey(rawValue: 166)
    /// Its version.
    public static let pluginVersion = AttributeKey(rawValue: 167)
    /// Hash of its file.
    public static let pluginSha256 = AttributeKey(rawValue: 168)
    /// `operator`, `file`, `configuration`, `time_budget` or `crash`.
    public static let cause = AttributeKey(rawValue: 169)
    /// JSON text of a new configuration.
    public static let configuration = AttributeKey(rawValue: 170)
    /// By how much the wall clock was set, or how long the machine slept.
    public static let stepMicroseconds = AttributeKey(rawValue: 171)
}
