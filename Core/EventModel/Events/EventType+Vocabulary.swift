// Made from Core/vocabulary.txt by Scripts/vocabulary: change it there.

extension EventType {
    /// The main asset is being loaded: a session begins.
    @inlinable public static var videoLoad: EventType { EventType(rawValue: 1) }
    /// The main asset is gone: the session ends.
    @inlinable public static var videoUnload: EventType { EventType(rawValue: 2) }
    /// The viewer or the application wants playback to start or to go on.
    @inlinable public static var play: EventType { EventType(rawValue: 3) }
    /// The first frame of the main content is on screen.
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
    /// The machine slept.
    @inlinable public static var systemSuspended: EventType { EventType(rawValue: 262) }
    /// Control: a plugin joined the run.
    @inlinable public static var pluginLoaded: EventType { EventType(rawValue: 263) }
    /// Control: a command that changes what a plugin does was given.
    @inlinable public static var pluginCommand: EventType { EventType(rawValue: 264) }
}

extension EventDefinition {
    /// Every well-known event type in the order of its number.
    // swift-format-ignore
    public static let all: [EventDefinition] = [
        EventDefinition(.videoLoad, "video_load", reads: "video", "The main asset is being loaded: a session begins."),
        EventDefinition(.videoUnload, "video_unload", reads: "", "The main asset is gone: the session ends."),
        EventDefinition(.play, "play", reads: "", "The viewer or the application wants playback to start or to go on."),
        EventDefinition(.firstFrame, "first_frame", reads: "", "The first frame of the main content is on screen."),
        EventDefinition(.pause, "pause", reads: "", "Playback is paused on purpose."),
        EventDefinition(.complete, "complete", reads: "", "The main content has played to its end."),
        EventDefinition(.seekStart, "seek_start", reads: "",
            "A seek has begun; several may begin before one completes."),
        EventDefinition(.seekComplete, "seek_complete", reads: "ad break, ad, chapter",
            "Playback stands at the seek's target."),
        EventDefinition(.bufferStart, "buffer_start", reads: "", "Playback waits for data."),
        EventDefinition(.bufferComplete, "buffer_complete", reads: "", "Enough data is there again."),
        EventDefinition(.adBreakStart, "ad_break_start", reads: "ad break", "A pod of ads begins."),
        EventDefinition(.adBreakComplete, "ad_break_complete", reads: "", "The pod is over."),
        EventDefinition(.adStart, "ad_start", reads: "ad break, ad", "An ad begins."),
        EventDefinition(.adComplete, "ad_complete", reads: "", "The ad has played to its end."),
        EventDefinition(.adSkip, "ad_skip", reads: "", "The viewer skipped the ad: the ad is over."),
        EventDefinition(.adClick, "ad_click", reads: "", "The viewer clicked on the ad."),
        EventDefinition(.adQuartile, "ad_quartile", reads: "",
            "A quarter of the ad has been shown: the first, second or third."),
        EventDefinition(.adError, "ad_error", reads: "", "An ad, an ad break or an ad request failed."),
        EventDefinition(.chapterStart, "chapter_start", reads: "chapter", "A chapter begins."),
        EventDefinition(.chapterComplete, "chapter_complete", reads: "", "The chapter is over."),
        EventDefinition(.chapterSkip, "chapter_skip", reads: "", "The chapter was left before its end."),
        EventDefinition(.renditionChange, "rendition_change", reads: "",
            "The stream's rendition changed: decided by the player, or visible on screen."),
        EventDefinition(.qualitySample, "quality_sample", reads: "quality",
            "Quality figures at regular intervals (the guides' trackQoSUpdateInfo)."),
        EventDefinition(.playheadSample, "playhead_sample", reads: "",
            "Where playback stands; every 250 ms while it goes on."),
        EventDefinition(.requestCompleted, "request_completed", reads: "", "A media or manifest request was answered."),
        EventDefinition(.requestFailed, "request_failed", reads: "", "A media or manifest request failed."),
        EventDefinition(.requestCancelled, "request_cancelled", reads: "",
            "A media or manifest request was given up on purpose."),
        EventDefinition(.playerError, "player_error", reads: "", "The player met an error."),
        EventDefinition(.applicationError, "application_error", reads: "",
            "The application around the player met an error."),
        EventDefinition(.playerReady, "player_ready", reads: "", "The player exists and can be used."),
        EventDefinition(.metadataChange, "metadata_change", reads: "video",
            "What is known of the main asset changed, or an application adds to it."),
        EventDefinition(.custom, "custom", reads: "", "An event of the application's own, with attributes of its own."),
        EventDefinition(.applicationLaunched, "application_launched", reads: "", "The application was launched."),
        EventDefinition(.applicationTerminated, "application_terminated", reads: "",
            "The application is about to end."),
        EventDefinition(.applicationForeground, "application_foreground", reads: "",
            "The application came to the foreground."),
        EventDefinition(.applicationBackground, "application_background", reads: "",
            "The application went to the background."),
        EventDefinition(.interruptionStart, "interruption_start", reads: "",
            "Something outside the player interrupts playback."),
        EventDefinition(.interruptionEnd, "interruption_end", reads: "", "The interruption is over."),
        EventDefinition(.consent, "consent", reads: "",
            "The viewer's consent for all trackers, or for one, is now this."),
        EventDefinition(.sessionSnapshot, "session_snapshot", reads: "",
            "Made by the core: what a session looks like to a tracker as it begins or joins."),
        EventDefinition(.pluginEnabled, "plugin_enabled", reads: "", "Control: a plugin was enabled."),
        EventDefinition(.pluginDisabled, "plugin_disabled", reads: "", "Control: a plugin was disabled."),
        EventDefinition(.pluginConfigured, "plugin_configured", reads: "",
            "Control: a plugin got a new configuration."),
        EventDefinition(.pluginReplaced, "plugin_replaced", reads: "", "Control: a newer file took a plugin's place."),
        EventDefinition(.clockStep, "clock_step", reads: "", "The wall clock was set."),
        EventDefinition(.systemSuspended, "system_suspended", reads: "", "The machine slept."),
        EventDefinition(.pluginLoaded, "plugin_loaded", reads: "", "Control: a plugin joined the run."),
        EventDefinition(.pluginCommand, "plugin_command", reads: "",
            "Control: a command that changes what a plugin does was given."),
    ]
}
