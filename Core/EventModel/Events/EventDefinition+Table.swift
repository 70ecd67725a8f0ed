extension EventDefinition {
    /// Every well-known event type in the order of its number.
    public static let all: [EventDefinition] = [
        EventDefinition(
            .videoLoad,
            "video_load",
            reads: "video",
            "The main asset is being loaded: a session begins."
        ),
        EventDefinition(
            .videoUnload,
            "video_unload",
            reads: "",
            "The main asset is gone: the session ends."
        ),
        EventDefinition(
            .play,
            "play",
            reads: "",
            "The viewer or the application wants playback to start or to go on."
        ),
        EventDefinition(
            .firstFrame,
            "first_frame",
            reads: "",
            "The first frame of the main content is on screen."
        ),
        EventDefinition(
            .pause,
            "pause",
            reads: "",
            "Playback is paused on purpose."
        ),
        EventDefinition(
            .complete,
            "complete",
            reads: "",
            "The main content has played to its end."
        ),
        EventDefinition(
            .seekStart,
            "seek_start",
            reads: "",
            "A seek has begun; several may begin before one completes."
        ),
        EventDefinition(
            .seekComplete,
            "seek_complete",
            reads: "ad break, ad, chapter",
            "Playback stands at the seek's target."
        ),
        EventDefinition(
            .bufferStart,
            "buffer_start",
            reads: "",
            "Playback waits for data."
        ),
        EventDefinition(
            .bufferComplete,
            "buffer_complete",
            reads: "",
            "Enough data is there again."
        ),
        EventDefinition(
            .adBreakStart,
            "ad_break_start",
            reads: "ad break",
            "A pod of ads begins."
        ),
        EventDefinition(
            .adBreakComplete,
            "ad_break_complete",
            reads: "",
            "The pod is over."
        ),
        EventDefinition(
            .adStart,
            "ad_start",
            reads: "ad break, ad",
            "An ad begins."
        ),
        EventDefinition(
            .adComplete,
            "ad_complete",
            reads: "",
            "The ad has played to its end."
        ),
        EventDefinition(
            .adSkip,
            "ad_skip",
            reads: "",
            "The viewer skipped the ad: the ad is over."
        ),
        EventDefinition(
            .adClick,
            "ad_click",
            reads: "",
            "The viewer clicked on the ad."
        ),
        EventDefinition(
            .adQuartile,
            "ad_quartile",
            reads: "",
            "A quarter of the ad has been shown: the first, second or third."
        ),
        EventDefinition(
            .adError,
            "ad_error",
            reads: "",
            "An ad, an ad break or an ad request failed."
        ),
        EventDefinition(
            .chapterStart,
            "chapter_start",
            reads: "chapter",
            "A chapter begins."
        ),
        EventDefinition(
            .chapterComplete,
            "chapter_complete",
            reads: "",
            "The chapter is over."
        ),
        EventDefinition(
            .chapterSkip,
            "chapter_skip",
            reads: "",
            "The chapter was left before its end."
        ),
        EventDefinition(
            .renditionChange,
            "rendition_change",
            reads: "",
            "The stream's rendition changed: decided by the player, or visible on screen."
        ),
        EventDefinition(
            .qualitySample,
            "quality_sample",
            reads: "quality",
            "Quality figures at regular intervals (the guides' trackQoSUpdateInfo)."
        ),
        EventDefinition(
            .playheadSample,
            "playhead_sample",
            reads: "",
            "Where playback stands; every 250 ms while it goes on."
        ),
        EventDefinition(
            .requestCompleted,
            "request_completed",
            reads: "",
            "A media or manifest request was answered."
        ),
        EventDefinition(
            .requestFailed,
            "request_failed",
            reads: "",
            "A media or manifest request failed."
        ),
        EventDefinition(
            .requestCancelled,
            "request_cancelled",
            reads: "",
            "A media or manifest request was given up on purpose."
        ),
        EventDefinition(
            .playerError,
            "player_error",
            reads: "",
            "The player met an error."
        ),
        EventDefinition(
            .applicationError,
            "application_error",
            reads: "",
            "The application around the player met an error."
        ),
        EventDefinition(
            .playerReady,
            "player_ready",
            reads: "",
            "The player exists and can be used."
        ),
        EventDefinition(
            .metadataChange,
            "metadata_change",
            reads: "video",
            "What is known of the main asset changed, or an application adds to it."
        ),
        EventDefinition(
            .custom,
            "custom",
            reads: "",
            "An event of the application's own, with attributes of its own."
        ),
        EventDefinition(
            .applicationLaunched,
            "application_launched",
            reads: "",
            "The application was launched."
        ),
        EventDefinition(
            .applicationTerminated,
            "application_terminated",
            reads: "",
            "The application is about to end."
        ),
        EventDefinition(
            .applicationForeground,
            "application_foreground",
            reads: "",
            "The application came to the foreground."
        ),
        EventDefinition(
            .applicationBackground,
            "application_background",
            reads: "",
            "The application went to the background."
        ),
        EventDefinition(
            .interruptionStart,
            "interruption_start",
            reads: "",
            "Something outside the player interrupts playback."
        ),
        EventDefinition(
            .interruptionEnd,
            "interruption_end",
            reads: "",
            "The interruption is over."
        ),
        EventDefinition(
            .consent,
            "consent",
            reads: "",
            "The viewer's consent for all trackers, or for one, is now this."
        ),
        EventDefinition(
            .sessionSnapshot,
            "session_snapshot",
            reads: "",
            "Made by the core: what a session looks like to a tracker as it begins or joins."
        ),
        EventDefinition(
            .pluginEnabled,
            "plugin_enabled",
            reads: "",
            "Control: a plugin was enabled."
        ),
        EventDefinition(
            .pluginDisabled,
            "plugin_disabled",
            reads: "",
            "Control: a plugin was disabled."
        ),
        EventDefinition(
            .pluginConfigured,
            "plugin_configured",
            reads: "",
            "Control: a plugin got a new configuration."
        ),
        EventDefinition(
            .pluginReplaced,
            "plugin_replaced",
            reads: "",
            "Control: a newer file took a plugin's place."
        ),
        EventDefinition(
            .clockStep,
            "clock_step",
            reads: "",
            "The wall clock was set."
        ),
        EventDefinition(
            .systemSuspended,
            "system_suspended",
            reads: "",
            "The machine slept."
        ),
        EventDefinition(
            .pluginLoaded,
            "plugin_loaded",
            reads: "",
            "Control: a plugin joined the run."
        ),
        EventDefinition(
            .pluginCommand,
            "plugin_command",
            reads: "",
            "Control: a command that changes what a plugin does was given."
        ),
    ]
}
