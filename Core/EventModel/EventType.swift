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
    public static let firstUnknown: UInt32 = 0x10000
}

extension EventType {
    /// The main asset is being loaded: a session begins.
    public static let videoLoad = EventType(rawValue: 1)
    /// The main asset is gone: the session ends.
    public static let videoUnload = EventType(rawValue: 2)
    /// The viewer or the application wants playback to start or to go on.
    public static let play = EventType(rawValue: 3)
    /// The first frame of the main content is on screen.
    public static let firstFrame = EventType(rawValue: 4)
    /// Playback is paused on purpose.
    public static let pause = EventType(rawValue: 5)
    /// The main content has played to its end.
    public static let complete = EventType(rawValue: 6)
    /// A seek has begun; several may begin before one completes.
    public static let seekStart = EventType(rawValue: 7)
    /// Playback stands at the seek's target.
    public static let seekComplete = EventType(rawValue: 8)
    /// Playback waits for data.
    public static let bufferStart = EventType(rawValue: 9)
    /// Enough data is there again.
    public static let bufferComplete = EventType(rawValue: 10)
    /// A pod of ads begins.
    public static let adBreakStart = EventType(rawValue: 11)
    /// The pod is over.
    public static let adBreakComplete = EventType(rawValue: 12)
    /// An ad begins.
    public static let adStart = EventType(rawValue: 13)
    /// The ad has played to its end.
    public static let adComplete = EventType(rawValue: 14)
    /// The viewer skipped the ad: the ad is over.
    public static let adSkip = EventType(rawValue: 15)
    /// The viewer clicked on the ad.
    public static let adClick = EventType(rawValue: 16)
    /// A quarter of the ad has been shown: the first, second or third.
    public static let adQuartile = EventType(rawValue: 17)
    /// An ad, an ad break or an ad request failed.
    public static let adError = EventType(rawValue: 18)
    /// A chapter begins.
    public static let chapterStart = EventType(rawValue: 19)
    /// The chapter is over.
    public static let chapterComplete = EventType(rawValue: 20)
    /// The chapter was left before its end.
    public static let chapterSkip = EventType(rawValue: 21)
    /// The stream's rendition changed: decided by the player, or visible on screen.
    public static let renditionChange = EventType(rawValue: 22)
    /// Quality figures at regular intervals (the guides' trackQoSUpdateInfo).
    public static let qualitySample = EventType(rawValue: 23)
    /// Where playback stands; every 250 ms while it goes on.
    public static let playheadSample = EventType(rawValue: 24)
    /// A media or manifest request was answered.
    public static let requestCompleted = EventType(rawValue: 25)
    /// A media or manifest request failed.
    public static let requestFailed = EventType(rawValue: 26)
    /// A media or manifest request was given up on purpose.
    public static let requestCancelled = EventType(rawValue: 27)
    /// The player met an error.
    public static let playerError = EventType(rawValue: 28)
    /// The application around the player met an error.
    public static let applicationError = EventType(rawValue: 29)
    /// The player exists and can be used.
    public static let playerReady = EventType(rawValue: 30)
    /// What is known of the main asset changed, or an application adds to it.
    public static let metadataChange = EventType(rawValue: 31)
    /// An event of the application's own, with attributes of its own.
    public static let custom = EventType(rawValue: 32)
    /// The application was launched.
    public static let applicationLaunched = EventType(rawValue: 33)
    /// The application is about to end.
    public static let applicationTerminated = EventType(rawValue: 34)
    /// The application came to the foreground.
    public static let applicationForeground = EventType(rawValue: 35)
    /// The application went to the background.
    public static let applicationBackground = EventType(rawValue: 36)
    /// Something outside the player interrupts playback.
    public static let interruptionStart = EventType(rawValue: 37)
    /// The interruption is over.
    public static let interruptionEnd = EventType(rawValue: 38)
    /// The viewer's consent for all trackers, or for one, is now this.
    public static let consent = EventType(rawValue: 39)
    /// Made by the core: what a session looks like to a tracker as it begins or joins.
    public static let sessionSnapshot = EventType(rawValue: 256)
    /// Control: a plugin was enabled.
    public static let pluginEnabled = EventType(rawValue: 257)
    /// Control: a plugin was disabled.
    public static let pluginDisabled = EventType(rawValue: 258)
    /// Control: a plugin got a new configuration.
    public static let pluginConfigured = EventType(rawValue: 259)
    /// Control: a newer file took a plugin's place.
    public static let pluginReplaced = EventType(rawValue: 260)
    /// The wall clock was set.
    public static let clockStep = EventType(rawValue: 261)
    /// The machine slept.
    public static let systemSuspended = EventType(rawValue: 262)
}
