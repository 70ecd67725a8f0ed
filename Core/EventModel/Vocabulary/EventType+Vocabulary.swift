// Made from Core/vocabulary.txt by Scripts/vocabulary: change it there.

extension EventType {
    /// The main asset is being loaded: a session begins.
    @inlinable public static var videoLoad: EventType { EventType(rawValue: 1) }
    /// The main asset is gone: the session ends.
    @inlinable public static var videoUnload: EventType { EventType(rawValue: 2) }
    /// The viewer or the application wants playback to start or to go on.
    @inlinable public static var play: EventType { EventType(rawValue: 3) }
    /// The main content plays: its first frame is on screen and moves, or its sound is heard.
    @inlinable public static var firstFrame: EventType { EventType(rawValue: 4) }
    /// Playback is paused on purpose.
    @inlinable public static var pause: EventType { EventType(rawValue: 5) }
    /// The main content has played to its end.
    @inlinable public static var complete: EventType { EventType(rawValue: 6) }
    /// A seek has begun; several may begin before one completes.
    @inlinable public static var seekStart: EventType { EventType(rawValue: 7) }
    /// Playback stands at the seek's target.
    @inlinable public static var seekComplete: EventType { EventType(rawValue: 8) }
    /// Playback waits for data.
    @inlinable public static var bufferStart: EventType { EventType(rawValue: 9) }
    /// Enough data is there again.
    @inlinable public static var bufferComplete: EventType { EventType(rawValue: 10) }
    /// A pod of ads begins.
    @inlinable public static var adBreakStart: EventType { EventType(rawValue: 11) }
    /// The pod is over.
    @inlinable public static var adBreakComplete: EventType { EventType(rawValue: 12) }
    /// An ad begins.
    @inlinable public static var adStart: EventType { EventType(rawValue: 13) }
    /// The ad has played to its end.
    @inlinable public static var adComplete: EventType { EventType(rawValue: 14) }
    /// The viewer skipped the ad: the ad is over.
    @inlinable public static var adSkip: EventType { EventType(rawValue: 15) }
    /// The viewer clicked on the ad.
    @inlinable public static var adClick: EventType { EventType(rawValue: 16) }
    /// A quarter of the ad has been shown: the first, second or third.
    @inlinable public static var adQuartile: EventType { EventType(rawValue: 17) }
    /// An ad, an ad break or an ad request failed.
    @inlinable public static var adError: EventType { EventType(rawValue: 18) }
    /// A chapter begins.
    @inlinable public static var chapterStart: EventType { EventType(rawValue: 19) }
    /// The chapter is over.
    @inlinable public static var chapterComplete: EventType { EventType(rawValue: 20) }
    /// The chapter was left before its end.
    @inlinable public static var chapterSkip: EventType { EventType(rawValue: 21) }
    /// The stream's rendition changed: decided by the player, or visible on screen.
    @inlinable public static var renditionChange: EventType { EventType(rawValue: 22) }
    /// Quality figures at regular intervals (the guides' trackQoSUpdateInfo).
    @inlinable public static var qualitySample: EventType { EventType(rawValue: 23) }
    /// Where playback stands; every 250 ms while it goes on.
    @inlinable public static var playheadSample: EventType { EventType(rawValue: 24) }
    /// A media or manifest request was answered.
    @inlinable public static var requestCompleted: EventType { EventType(rawValue: 25) }
    /// A media or manifest request failed.
    @inlinable public static var requestFailed: EventType { EventType(rawValue: 26) }
    /// A media or manifest request was given up on purpose.
    @inlinable public static var requestCancelled: EventType { EventType(rawValue: 27) }
    /// The player met an error.
    @inlinable public static var playerError: EventType { EventType(rawValue: 28) }
    /// The application around the player met an error.
    @inlinable public static var applicationError: EventType { EventType(rawValue: 29) }
    /// The player exists and can be used.
    @inlinable public static var playerReady: EventType { EventType(rawValue: 30) }
    /// What is known of the main asset changed, or an application adds to it.
    @inlinable public static var metadataChange: EventType { EventType(rawValue: 31) }
    /// An event of the application's own, with attributes of its own.
    @inlinable public static var custom: EventType { EventType(rawValue: 32) }
    /// The application was launched.
    @inlinable public static var applicationLaunched: EventType { EventType(rawValue: 33) }
    /// The application is about to end.
    @inlinable public static var applicationTerminated: EventType { EventType(rawValue: 34) }
    /// The application came to the foreground.
    @inlinable public static var applicationForeground: EventType { EventType(rawValue: 35) }
    /// The application went to the background.
    @inlinable public static var applicationBackground: EventType { EventType(rawValue: 36) }
    /// Something outside the player interrupts playback.
    @inlinable public static var interruptionStart: EventType { EventType(rawValue: 37) }
    /// The interruption is over.
    @inlinable public static var interruptionEnd: EventType { EventType(rawValue: 38) }
    /// The viewer's consent for all trackers, or for one, is now this.
    @inlinable public static var consent: EventType { EventType(rawValue: 39) }
    /// Made by the core: what a session looks like to a tracker as it begins or joins.
    @inlinable public static var sessionSnapshot: EventType { EventType(rawValue: 256) }
    /// Control: a plugin was enabled.
    @inlinable public static var pluginEnabled: EventType { EventType(rawValue: 257) }
    /// Control: a plugin was disabled.
    @inlinable public static var pluginDisabled: EventType { EventType(rawValue: 258) }
    /// Control: a plugin got a new configuration.
    @inlinable public static var pluginConfigured: EventType { EventType(rawValue: 259) }
    /// Control: a newer file took a plugin's place.
    @inlinable public static var pluginReplaced: EventType { EventType(rawValue: 260) }
    /// The wall clock was set.
    @inlinable public static var clockStep: EventType { EventType(rawValue: 261) }
    /// A sleep of the machine began here and lasted `step_us`: nothing was played in it, and no timer falls due in it.
    @inlinable public static var systemSuspended: EventType { EventType(rawValue: 262) }
    /// Control: a plugin joined the run.
    @inlinable public static var pluginLoaded: EventType { EventType(rawValue: 263) }
    /// Control: a command that changes what a plugin does was given.
    @inlinable public static var pluginCommand: EventType { EventType(rawValue: 264) }

    /// Every well-known event type with its name, in the order of the numbers.
    package static let wellKnown: [(type: EventType, name: StaticString)] = [
        (.videoLoad, "video_load"),
        (.videoUnload, "video_unload"),
        (.play, "play"),
        (.firstFrame, "first_frame"),
        (.pause, "pause"),
        (.complete, "complete"),
        (.seekStart, "seek_start"),
        (.seekComplete, "seek_complete"),
        (.bufferStart, "buffer_start"),
        (.bufferComplete, "buffer_complete"),
        (.adBreakStart, "ad_break_start"),
        (.adBreakComplete, "ad_break_complete"),
        (.adStart, "ad_start"),
        (.adComplete, "ad_complete"),
        (.adSkip, "ad_skip"),
        (.adClick, "ad_click"),
        (.adQuartile, "ad_quartile"),
        (.adError, "ad_error"),
        (.chapterStart, "chapter_start"),
        (.chapterComplete, "chapter_complete"),
        (.chapterSkip, "chapter_skip"),
        (.renditionChange, "rendition_change"),
        (.qualitySample, "quality_sample"),
        (.playheadSample, "playhead_sample"),
        (.requestCompleted, "request_completed"),
        (.requestFailed, "request_failed"),
        (.requestCancelled, "request_cancelled"),
        (.playerError, "player_error"),
        (.applicationError, "application_error"),
        (.playerReady, "player_ready"),
        (.metadataChange, "metadata_change"),
        (.custom, "custom"),
        (.applicationLaunched, "application_launched"),
        (.applicationTerminated, "application_terminated"),
        (.applicationForeground, "application_foreground"),
        (.applicationBackground, "application_background"),
        (.interruptionStart, "interruption_start"),
        (.interruptionEnd, "interruption_end"),
        (.consent, "consent"),
        (.sessionSnapshot, "session_snapshot"),
        (.pluginEnabled, "plugin_enabled"),
        (.pluginDisabled, "plugin_disabled"),
        (.pluginConfigured, "plugin_configured"),
        (.pluginReplaced, "plugin_replaced"),
        (.clockStep, "clock_step"),
        (.systemSuspended, "system_suspended"),
        (.pluginLoaded, "plugin_loaded"),
        (.pluginCommand, "plugin_command"),
    ]
}
