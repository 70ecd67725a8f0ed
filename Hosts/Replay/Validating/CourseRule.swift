/// What a course of events should not have, although each line can be read and replayed.
enum CourseRule: String, CaseIterable {
    case playWithoutLoad = "play-without-load"
    case sessionWithoutUnload = "session-without-unload"
    case runWithoutEnd = "run-without-end"
    case loadWithoutVideoID = "load-without-video-id"
    case bufferWithoutEnd = "buffer-without-end"
    case seekWithoutEnd = "seek-without-end"
    case pauseWhilePaused = "pause-while-paused"
    case firstFrameTwice = "first-frame-twice"
    case adOutsideBreak = "ad-outside-break"
    case adWithoutEnd = "ad-without-end"
    case breakWithoutEnd = "ad-break-without-end"
    case playheadBack = "playhead-goes-back"
    case playheadJump = "playhead-jumps"
    case samplesStop = "samples-stop"
    case eventAfterComplete = "event-after-complete"
    case playheadInSeconds = "playhead-in-seconds"
    case playheadBeyondDuration = "playhead-beyond-duration"
    case playbackAfterFatalError = "playback-after-fatal-error"
    case unknownEvent = "unknown-event"
    case unknownMember = "unknown-member"

    /// What it means for trackers.
    var meaning: String {
        switch self {
        case .playWithoutLoad: "outside a session trackers have nothing to count it to"
        case .sessionWithoutUnload: "trackers end the session by themselves, later than the viewer did, or not at all"
        case .runWithoutEnd: "a replay ends the run where its last line is"
        case .loadWithoutVideoID: "measurement systems cannot tell what was watched, or refuse the session"
        case .bufferWithoutEnd: "trackers count all that follows as waiting"
        case .seekWithoutEnd: "trackers count all that follows as seeking"
        case .pauseWhilePaused: "trackers may tell two pauses, and measure the second one's length alone"
        case .firstFrameTwice: "trackers may tell two starts, and measure the startup twice"
        case .adOutsideBreak: "systems that know ads only within a break drop it"
        case .adWithoutEnd: "trackers count what follows to the ad, and tell no completion"
        case .breakWithoutEnd: "trackers count what follows as advertising"
        case .playheadBack: "systems that rate what part was watched count it twice, or stop counting"
        case .playheadJump: "systems that rate what part was watched count what nobody saw"
        case .samplesStop: "figures by the minute have a hole, and pings carry an old place"
        case .eventAfterComplete: "trackers have told the end; what follows is lost or a second viewing"
        case .playheadInSeconds: "every place and every quarter of the content is wrong by a factor of 1000"
        case .playheadBeyondDuration: "parts and quarters of the content are wrong"
        case .playbackAfterFatalError: "trackers have told that playback failed, and ended it"
        case .unknownEvent: "trackers do not know it and say nothing of it"
        case .unknownMember: "it is left out, and nobody sees it"
        }
    }

    /// What to do about it in the player.
    var remedy: String {
        switch self {
        case .playWithoutLoad: "call video_load before it"
        case .sessionWithoutUnload: "call video_unload when the viewer leaves and before the next video_load"
        case .runWithoutEnd: "end the run as the application ends; a run that was cut off cannot have one"
        case .loadWithoutVideoID: "give video_id with video_load"
        case .bufferWithoutEnd: "call buffer_complete when playback goes on, after a seek as well"
        case .seekWithoutEnd: "call seek_complete once the player stands at the target"
        case .pauseWhilePaused: "call pause once; call play when playback goes on"
        case .firstFrameTwice: "call first_frame once a session; behind a pause call play"
        case .adOutsideBreak: "call ad_break_start before the first ad, also when the break has only one"
        case .adWithoutEnd: "call ad_complete, ad_skip or ad_error before what follows the ad"
        case .breakWithoutEnd: "call ad_break_complete before the content goes on"
        case .playheadBack, .playheadJump:
            "call seek_start and seek_complete around each jump, the player's own as well"
        case .samplesStop:
            "sample the playhead every 250 ms as long as it plays, or say why it does not: pause, buffer_start"
        case .eventAfterComplete: "seek back before playing again, or unload and load the video"
        case .playheadInSeconds: "report playhead_ms in milliseconds"
        case .playheadBeyondDuration: "report duration_ms in milliseconds, -1 for a live stream"
        case .playbackAfterFatalError: "set error_fatal only on an error that ends playback"
        case .unknownEvent: "take the word of the data model, or report custom with custom_name"
        case .unknownMember: "take the word of the archive format, or put it into attributes"
        }
    }
}

/// One thing that a course of events should not have.
struct CourseFinding: Equatable {
    /// The rule.
    let rule: CourseRule
    /// The line that it is about.
    let place: LinePlace
    /// When it happened, us since the run's start.
    let time: Int64
    /// What is there.
    let text: String
}

/// Where a line stands.
struct LinePlace: Equatable {
    let file: String
    let line: Int

    var text: String { "\(file):\(line)" }
}
