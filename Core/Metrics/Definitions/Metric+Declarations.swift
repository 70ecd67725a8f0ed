// The declarations, by subject. What they are measured by is in `SessionMeasurement`; docs/metrics.md explains both.
extension Metric {
    static let starts = [
        Metric(
            "attempted",
            .truth,
            "The viewer, or autoplay, asked for playback.",
            from: "Conviva, *Attempts*"
        ) { $0.isAttempted ? 1 : 0 },
        Metric(
            "started",
            .truth,
            "There was a first frame of the content.",
            from: "Conviva, *Plays*"
        ) { $0.isStarted ? 1 : 0 },
        Metric(
            "startup_ms",
            .time,
            of: .plays,
            distribution: true,
            "From the first `play` to the first frame that moves (`first_frame`), without ads in between.",
            from: "Conviva, *Video Startup Time*; New Relic, `startupTime`"
        ) { session in session.startupWithAds.map { max($0 - session.startupAds, 0) } },
        Metric(
            "startup_with_ads_ms",
            .time,
            of: .plays,
            distribution: true,
            "The same with the ads: what the viewer waited for the content.",
            from: "Tally. Mux, *Video Startup Time*, ends with the first frame of a pre-roll, where there is one"
        ) { $0.startupWithAds },
        Metric(
            "exited_before_start",
            .truth,
            of: .attempts,
            "Asked for, ended without a first frame and without a fatal error.",
            from: "Conviva and Mux, *Exits Before Video Start*"
        ) { $0.isExitedBeforeStart ? 1 : 0 },
        Metric(
            "start_failed",
            .truth,
            of: .attempts,
            "A fatal player error, and no first frame.",
            from: "Conviva, *Video Start Failures*"
        ) { $0.isStartFailed ? 1 : 0 },
        Metric(
            "playback_failed",
            .truth,
            of: .plays,
            "A fatal player error after the first frame.",
            from: "Conviva, *Video Playback Failures*"
        ) { $0.isStarted && $0.failedAfter ? 1 : 0 },
        Metric(
            "completed",
            .truth,
            of: .plays,
            "The content was played to its end.",
            from: "`complete` of the data model"
        ) { $0.completed ? 1 : 0 },
    ]

    static let playing = [
        Metric(
            "session_ms",
            .milliseconds,
            distribution: true,
            "From load to unload by the clock; none while the session goes on.",
            from: "data model"
        ) { session in session.ended.map { ($0 - session.begun) / 1000 } },
        Metric(
            "play_ms",
            .time,
            of: .plays,
            distribution: true,
            "Time that was played: no startup, pause, seek, rebuffering or ad.",
            from: "Mux, *Playing Time*; New Relic, `totalPlaytime`"
        ) { $0.played },
        Metric(
            "play_wall_ms",
            .time,
            of: .plays,
            "Time in `playing` by the clock alone, whatever place was reported.",
            from: "Tally"
        ) { $0.time(.playing) },
        Metric(
            "rebuffer_ms",
            .time,
            of: .plays,
            "Time in `rebuffering`: neither the first wait nor one after a seek.",
            from: "Conviva, *connection induced*; New Relic, `totalRebufferingTime`, leaves out the first wait only"
        ) { $0.time(.rebuffering) },
        Metric(
            "rebuffer_count",
            .count,
            of: .plays,
            "In how many waits that was.",
            from: "as `rebuffer_ms`"
        ) { $0.rebuffers },
        Metric(
            "rebuffered",
            .truth,
            of: .plays,
            "There was any such wait.",
            from: "as `rebuffer_ms`"
        ) { $0.rebuffers > 0 ? 1 : 0 },
        Metric(
            "rebuffer_ratio",
            .ratio,
            of: .plays,
            distribution: true,
            "`rebuffer_ms / (play_ms + rebuffer_ms)`; none without both.",
            from: "Conviva, *Rebuffering Ratio*. New Relic divides by the play time, Mux by the whole watch time"
        ) { ratio($0.time(.rebuffering), $0.played + $0.time(.rebuffering)) },
        Metric("starting_ms", .time, "Time in `starting`, without ads.", from: "Tally") { $0.time(.starting) },
        Metric("pause_ms", .time, "Time in `paused`.", from: "data model") { $0.time(.paused) },
        Metric("seek_ms", .time, "Time in `seeking`.", from: "data model") { $0.time(.seeking) },
        Metric("interrupted_ms", .time, "Time in `interrupted`.", from: "data model") { $0.time(.interrupted) },
        Metric(
            "sleep_ms",
            .time,
            "Time in which the machine slept or the process was stopped; it is in no activity.",
            from: "`system_suspended` of the data model"
        ) { $0.asleep },
        Metric("seeks", .count, "How many seeks began.", from: "data model") { $0.seeks },
    ]

    static let quality = [
        Metric(
            "average_bitrate_bps",
            .bitrate,
            of: .plays,
            distribution: true,
            "Bitrate shown, weighted by the time that it played for.",
            from: "New Relic, `averageBitrate`"
        ) { $0.rated > 0 ? Int64(clamping: $0.bits / Int128($0.rated)) : nil },
        Metric(
            "rated_ms",
            .time,
            of: .plays,
            "The part of `play_ms` whose bitrate is known.",
            from: "Tally"
        ) { $0.rated },
        Metric(
            "peak_bitrate_bps",
            .bitrate,
            of: .plays,
            "The highest that played.",
            from: "Conviva, *peak bitrate*"
        ) { $0.peakBitrate },
        Metric(
            "renditions",
            .count,
            "Changes of rendition that became visible.",
            from: "data model"
        ) { $0.renditions },
        Metric(
            "switches_up",
            .count,
            "Those of them to a better one.",
            from: "Conviva, *Bitrate Switches*, by direction"
        ) { $0.switchesUp },
        Metric("switches_down", .count, "Those of them to a worse one.", from: "as `switches_up`") { $0.switchesDown },
        Metric(
            "dropped_frames",
            .count,
            of: .plays,
            "The most that the player said of the session so far.",
            from: "data model"
        ) { $0.droppedFrames },
        Metric(
            "rendered_frames",
            .count,
            of: .plays,
            "Likewise of frames that were shown.",
            from: "data model"
        ) { $0.renderedFrames },
        Metric(
            "live_latency_ms",
            .milliseconds,
            of: .plays,
            distribution: true,
            "The middle one (p50) of the latencies at which each new frame's wall clock was reported while it played.",
            from: "Mux, *Live Stream Latency*: the clock less the programme's date"
        ) { $0.latency.quantileMilli(1, 2).map { ($0 + 500) / 1000 } },
    ]

    static let content = [
        Metric(
            "furthest_ms",
            .milliseconds,
            of: .plays,
            "The furthest place that the player reported while it played, or as playing ended.",
            from: "data model"
        ) { $0.furthest },
        Metric(
            "furthest_estimate_ms",
            .milliseconds,
            of: .plays,
            "The furthest place that was played, with what was played behind the last report.",
            from: "Tally"
        ) { $0.furthestEstimate },
        Metric("length_ms", .milliseconds, "The length of the content, when it has one.", from: "data model") {
            $0.length > 0 ? $0.length : nil
        },
        Metric(
            "progress",
            .ratio,
            of: .plays,
            distribution: true,
            "`furthest_estimate_ms / length_ms`, 1 at most; none without a length.",
            from: "Conviva, *Average % Complete*, of the place"
        ) { session in
            session.length > 0 ? ratio(min(max(session.furthestEstimate ?? 0, 0), session.length), session.length) : nil
        },
        Metric(
            "quartile",
            .count,
            of: .plays,
            "Quarters of the length that were passed: 0 to 3, and 4 when `completed`; none without a length.",
            from: "IAB VAST's quartiles, of the content"
        ) { $0.quartile },
        Metric(
            "minutes_watched",
            .count,
            of: .plays,
            "Minutes of the content that any part was played of.",
            from: "Tally"
        ) { $0.minutes.watched },
        Metric(
            "minutes_skipped",
            .count,
            of: .plays,
            "Minutes between the first and the last of them that nothing was played of.",
            from: "Tally"
        ) { $0.minutes.skipped },
        Metric(
            "minutes_replayed",
            .count,
            of: .plays,
            "Minutes that playing came to more than once.",
            from: "Tally"
        ) { $0.minutes.replayed },
    ]

    static let advertising = [
        Metric("ad_ms", .time, "Time in ads and ad breaks.", from: "data model") { $0.time(.ad) },
        Metric("ad_breaks", .count, "Ad breaks that began.", from: "data model") { $0.adBreaks },
        Metric(
            "ads_asked",
            .count,
            of: .attempts,
            "Ads that began, and ad errors while none was shown: that many were meant to come.",
            from: "Conviva, *Ad Attempts*"
        ) { $0.ads + $0.adErrorsOutside },
        Metric("ads", .count, of: .attempts, "Ads that began.", from: "Conviva, *Ad Started*") { $0.ads },
        Metric("ads_completed", .count, of: .attempts, "Ads that ended by themselves.", from: "data model") {
            $0.adsCompleted
        },
        Metric("ads_skipped", .count, of: .attempts, "Ads that the viewer skipped.", from: "data model") {
            $0.adsSkipped
        },
        Metric("ad_clicks", .count, of: .attempts, "Clicks on ads.", from: "data model") { $0.adClicks },
        Metric(
            "ad_errors",
            .count,
            of: .attempts,
            "Ads, ad breaks and ad requests that failed.",
            from: "data model"
        ) { $0.adErrors },
    ]

    static let failures = [
        Metric("errors", .count, "Player errors, fatal or not.", from: "data model") { $0.errors },
        Metric(
            "has_error",
            .truth,
            of: .attempts,
            "There was any player error.",
            from: "data model"
        ) { $0.errors > 0 ? 1 : 0 },
    ]
}
