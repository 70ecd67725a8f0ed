/// The views that make metrics of the events; docs/plugins/sqlite.md has what each of them means, and whose meaning it
/// is.
enum MetricViews {
    /// A view: what it is called and what it asks.
    struct View {
        let name: String
        let query: String
    }

    /// Goes up with each change of a view, so that files that exist get the new one.
    static let version: Int64 = 4

    /// All views, each after those that it uses.
    static let all = [
        View(name: "session_intervals", query: MetricQueries.intervals(.all)),
        View(name: "session_metrics", query: sessions),
        View(name: "session_minutes", query: kept("kept_minutes", MetricQueries.minutes(of: unmeasured))),
        View(name: "metrics", query: summary),
        View(name: "video_metrics", query: "SELECT video_id, \(shares) FROM session_metrics GROUP BY video_id"),
        View(name: "audience_by_minute", query: audience),
        View(name: "ads", query: kept("kept_ads", MetricQueries.ads(of: unmeasured))),
        View(name: "errors", query: errors),
    ]

    private static let unmeasured = "(\(MetricQueries.intervals(.unmeasured)))"

    /// What was kept of sessions that ended, and what is measured now of the others.
    private static func kept(_ table: String, _ query: String) -> String {
        "SELECT * FROM \(table) UNION ALL SELECT * FROM (\(query))"
    }

    private static let sessions = """
        WITH totals AS (\(kept("kept_totals", MetricQueries.totals(of: unmeasured))))
        SELECT sessions.run, sessions.session, video_id, video_name, stream_type, video_cdn, country,
            \(loaded("%Y-%m-%dT%H:%M:%fZ")) AS loaded_at,
            \(loaded("%Y-%m-%dT%H:00Z")) AS loaded_hour,
            \(loaded("%Y-%m-%d")) AS loaded_day,
            sessions.ended_us IS NULL AS is_open,
            (sessions.ended_us - begun_us) / 1000 AS session_ms,
            play_us IS NOT NULL OR frame_us IS NOT NULL AS attempted,
            frame_us IS NOT NULL AS started,
            CASE WHEN frame_us >= play_us THEN max(startup_us - preroll_us, 0) / 1000.0 END AS startup_ms,
            CASE WHEN frame_us >= play_us THEN startup_us / 1000 END AS startup_with_ads_ms,
            play_us IS NOT NULL AND frame_us IS NULL AND failed_before AS start_failed,
            play_us IS NOT NULL AND frame_us IS NULL AND NOT failed_before AND sessions.ended_us IS NOT NULL
                AS exited_before_start,
            frame_us IS NOT NULL AND failed_after AS playback_failed,
            completed,
            play_time_us / 1000 AS play_ms,
            play_wall_us / 1000 AS play_wall_ms,
            rebuffer_us / 1000 AS rebuffer_ms,
            rebuffer_count,
            CASE WHEN play_time_us + rebuffer_us > 0 THEN rebuffer_us / (play_time_us + rebuffer_us) END
                AS rebuffer_ratio,
            starting_us / 1000 AS starting_ms,
            pause_us / 1000 AS pause_ms,
            seek_us / 1000 AS seek_ms,
            interrupted_us / 1000 AS interrupted_ms,
            sleep_us / 1000 AS sleep_ms,
            seeks,
            CASE WHEN rated_us > 0 THEN bits / rated_us END AS average_bitrate_bps,
            rated_us / 1000 AS rated_ms,
            peak_bitrate_bps,
            renditions,
            switches_up,
            switches_down,
            dropped_frames,
            rendered_frames,
            errors,
            ad_us / 1000 AS ad_ms,
            ads, ads_completed, ads_skipped, ad_clicks, ad_errors,
            furthest_ms,
            furthest_estimate_ms,
            CASE WHEN length_ms > 0 THEN length_ms END AS length_ms
        FROM totals JOIN sessions USING (run, session) JOIN runs USING (run)
        WHERE begun_us IS NOT NULL
        """

    /// When a session was loaded, by the wall clock.
    private static func loaded(_ form: String) -> String {
        "strftime('\(form)', (epoch_us + begun_us) / 1000000.0, 'unixepoch')"
    }

    /// Columns of many sessions together: each ended session counts once, in whatever it has a value of.
    private static let shares = """
        count(*) FILTER (WHERE NOT is_open) AS sessions,
            count(*) FILTER (WHERE is_open) AS open_sessions,
            count(*) FILTER (WHERE attempted AND NOT is_open) AS attempts,
            count(*) FILTER (WHERE started AND NOT is_open) AS plays,
            \(mean("exited_before_start", of: "attempted")) AS exit_before_start_share,
            \(mean("start_failed", of: "attempted")) AS start_failure_share,
            \(mean("playback_failed", of: "started")) AS playback_failure_share,
            \(mean("startup_ms", of: "started")) AS startup_ms,
            \(mean("rebuffer_ratio", of: "started")) AS rebuffer_ratio,
            \(mean("rebuffer_count", of: "started")) AS rebuffer_count,
            \(mean("rebuffer_count > 0", of: "started")) AS rebuffered_share,
            \(mean("play_ms", of: "started")) AS play_ms,
            \(mean("average_bitrate_bps", of: "started")) AS average_bitrate_bps,
            \(mean("completed", of: "started")) AS completed_share,
            \(mean("errors > 0", of: "attempted")) AS error_share,
            \(mean("ads", of: "attempted")) AS ads,
            \(sum("play_ms")) AS total_play_ms,
            \(sum("play_wall_ms")) AS total_play_wall_ms,
            \(sum("rebuffer_ms")) AS total_rebuffer_ms,
            \(sum("rebuffer_ms")) / nullif(\(sum("play_ms + rebuffer_ms")), 0) AS weighted_rebuffer_ratio,
            \(sum("average_bitrate_bps * rated_ms")) / nullif(\(sum("rated_ms")), 0) AS weighted_bitrate_bps
        """

    private static func mean(_ value: String, of condition: String) -> String {
        "avg(CASE WHEN \(condition) AND NOT is_open THEN \(value) END)"
    }

    private static func sum(_ value: String) -> String { "total(\(value)) FILTER (WHERE NOT is_open)" }

    private static let summary = """
        WITH startups AS (
            SELECT startup_ms AS value, row_number() OVER (ORDER BY startup_ms) AS place, count(*) OVER () AS number
            FROM session_metrics WHERE startup_ms IS NOT NULL AND NOT is_open)
        SELECT \(shares),
            (SELECT avg(value) FROM startups WHERE place IN ((number + 1) / 2, (number + 2) / 2)) AS startup_median_ms,
            (SELECT min(value) FROM startups WHERE place * 100 >= number * 95) AS startup_p95_ms
        FROM session_metrics
        """

    private static let audience = """
        WITH watched AS (
            SELECT video_id, minute, run, session, max(minute) OVER (PARTITION BY run, session) AS last
            FROM session_minutes JOIN session_metrics USING (run, session) WHERE NOT is_open),
        starts AS (
            SELECT video_id, sum(started) AS number FROM session_metrics WHERE NOT is_open GROUP BY video_id)
        SELECT watched.video_id, minute, count(*) AS sessions, count(*) * 1.0 / number AS share,
            count(*) FILTER (WHERE minute = last) AS left_here
        FROM watched JOIN starts ON starts.video_id IS watched.video_id GROUP BY watched.video_id, minute
        """

    private static let errors = """
        SELECT run, session, ordinal, time_us,
            strftime('%Y-%m-%dT%H:%M:%fZ', (epoch_us + time_us) / 1000000.0, 'unixepoch') AS happened_at, type,
            json_extract(attributes, '$.error_id') AS error_id,
            json_extract(attributes, '$.error_message') AS message,
            json_extract(attributes, '$.error_code') AS code,
            coalesce(json_extract(attributes, '$.error_fatal'), 0) AS fatal, started, playhead_ms
        FROM events JOIN runs USING (run) WHERE type IN ('player_error', 'application_error', 'ad_error')
        """
}
