/// A figure of many sessions, said once as a ``Metric`` is: each ended session counts once in it.
package struct Headline: Sendable {
    /// How it is made of metrics, by their names.
    enum Formula {
        case sessions
        case openSessions
        /// The sum.
        case total(String)
        /// The sum by the number of sessions that have a value.
        case mean(String)
        /// A quantile in hundredths, of the buckets.
        case quantile(String, Int64)
        /// The sum of the first by that of all of the others.
        case fraction(String, [String])
        /// The mean bitrate by time.
        case bitrate
    }

    /// Its name in JSON and in tables.
    package let name: String
    let formula: Formula
    /// What it means, in a sentence.
    package let meaning: String

    private init(_ name: String, _ formula: Formula, _ meaning: String) {
        self.name = name
        self.formula = formula
        self.meaning = meaning
    }

    /// All figures, in the order in which they are told.
    package static let all = [
        Headline("sessions", .sessions, "Sessions that ended."),
        Headline("open_sessions", .openSessions, "Sessions that have not ended, which count nowhere else."),
        Headline("attempts", .total("attempted"), "Sessions in which playback was asked for."),
        Headline("plays", .total("started"), "Sessions that had a first frame."),
        Headline("exit_before_start_share", .mean("exited_before_start"), "Share of the attempts that left early."),
        Headline("start_failure_share", .mean("start_failed"), "Share of the attempts that failed at the start."),
        Headline("error_share", .mean("has_error"), "Share of the attempts that had any player error."),
        Headline("playback_failure_share", .mean("playback_failed"), "Share of the plays that failed later."),
        Headline("completed_share", .mean("completed"), "Share of the plays that were completed."),
        Headline("rebuffered_share", .mean("rebuffered"), "Share of the plays that had any rebuffering."),
        Headline("startup_ms", .mean("startup_ms"), "Mean of the plays' own values."),
        Headline("startup_median_ms", .quantile("startup_ms", 50), "Half of the startups took no longer."),
        Headline("startup_p95_ms", .quantile("startup_ms", 95), "95 of 100 startups took no longer."),
        Headline("rebuffer_ratio", .mean("rebuffer_ratio"), "Mean of the plays' own values."),
        Headline("rebuffer_count", .mean("rebuffer_count"), "Mean of the plays' own values."),
        Headline("play_ms", .mean("play_ms"), "Mean of the plays' own values."),
        Headline("average_bitrate_bps", .mean("average_bitrate_bps"), "Mean of the plays' own values."),
        Headline("ads", .mean("ads"), "Mean number of ads of the attempts."),
        Headline("total_play_ms", .total("play_ms"), "Sum of all ended sessions."),
        Headline("total_play_wall_ms", .total("play_wall_ms"), "Sum of all ended sessions."),
        Headline("total_rebuffer_ms", .total("rebuffer_ms"), "Sum of all ended sessions."),
        Headline(
            "weighted_rebuffer_ratio",
            .fraction("rebuffer_ms", ["play_ms", "rebuffer_ms"]),
            "Rebuffering by all time together, in which long sessions weigh more."
        ),
        Headline("weighted_bitrate_bps", .bitrate, "Mean bitrate of all time that was played with a known one."),
        Headline(
            "dropped_frame_ratio",
            .fraction("dropped_frames", ["dropped_frames", "rendered_frames"]),
            "Dropped frames by all frames that the players counted."
        ),
        Headline(
            "ad_completion_share",
            .fraction("ads_completed", ["ads"]),
            "Ads that ended by themselves by those that began."
        ),
    ]
}
