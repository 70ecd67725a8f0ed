/// The views that make metrics of the events, in the words of a database; docs/plugins/sqlite.md has what each of them
/// means, and whose meaning it is.
package struct MetricViews: Sendable {
    /// A view: what it is called and what it asks.
    package struct View: Sendable {
        package let name: String
        package let query: String
    }

    /// Goes up with each change of a view, so that databases that exist get the new one.
    package static let version: Int64 = 5

    private let sql: SQLDialect
    private let queries: MetricQueries

    /// The views of a kind of database.
    package init(_ sql: SQLDialect) {
        self.sql = sql
        queries = MetricQueries(sql)
    }

    /// All views, each after those that it uses.
    package var all: [View] {
        [
            View(name: "session_intervals", query: queries.intervals(.all)),
            View(name: "session_metrics", query: sessions),
            View(name: "session_minutes", query: kept("kept_minutes", queries.minutes(of: unmeasured))),
            View(name: "metrics", query: summary),
            View(name: "video_metrics", query: "SELECT video_id, \(shares) FROM session_metrics GROUP BY video_id"),
            View(name: "audience_by_minute", query: audience),
            View(name: "ads", query: kept("kept_ads", queries.ads(of: unmeasured))),
            View(name: "errors", query: errors),
        ]
    }

    private var unmeasured: String { "(\(queries.intervals(.unmeasured))) AS intervals" }

    /// What was kept of sessions that ended, and what is measured now of the others.
    private func kept(_ table: String, _ query: String) -> String {
        "SELECT * FROM \(table) UNION ALL SELECT * FROM (\(query)) AS measured"
    }

    private var sessions: String {
        """
        WITH totals AS (\(kept("kept_totals", queries.totals(of: unmeasured))))
        SELECT sessions.run, sessions.session, video_id, video_name, stream_type, video_cdn, country,
            \(sql.time(loaded, .millisecond)) AS loaded_at,
            \(sql.time(loaded, .hour)) AS loaded_hour,
            \(sql.time(loaded, .day)) AS loaded_day,
            sessions.ended_us IS NULL AS is_open,
            (sessions.ended_us - begun_us) / 1000 AS session_ms,
            play_us IS NOT NULL OR frame_us IS NOT NULL AS attempted,
            frame_us IS NOT NULL AS started,
            CASE WHEN frame_us >= play_us THEN \(sql.larger("startup_us - preroll_us", "0")) / 1000.0 END AS startup_ms,
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
    }

    /// When a session was loaded, by the wall clock.
    private let loaded = "epoch_us + begun_us"

    /// Columns of many sessions together: each ended session counts once, in whatever it has a value of.
    private var shares: String {
        """
        count(*) FILTER (WHERE NOT is_open) AS sessions,
            count(*) FILTER (WHERE is_open) AS open_sessions,
            count(*) FILTER (WHERE attempted AND NOT is_open) AS attempts,
            count(*) FILTER (WHERE started AND NOT is_open) AS plays,
            \(share("exited_before_start", of: "attempted")) AS exit_before_start_share,
            \(share("start_failed", of: "attempted")) AS start_failure_share,
            \(share("playback_failed", of: "started")) AS playback_failure_share,
            \(mean("startup_ms", of: "started")) AS startup_ms,
            \(mean("rebuffer_ratio", of: "started")) AS rebuffer_ratio,
            \(mean("rebuffer_count", of: "started")) AS rebuffer_count,
            \(share("rebuffer_count > 0", of: "started")) AS rebuffered_share,
            \(mean("play_ms", of: "started")) AS play_ms,
            \(mean("average_bitrate_bps", of: "started")) AS average_bitrate_bps,
            \(share("completed", of: "started")) AS completed_share,
            \(share("errors > 0", of: "attempted")) AS error_share,
            \(mean("ads", of: "attempted")) AS ads,
            \(sum("play_ms")) AS total_play_ms,
            \(sum("play_wall_ms")) AS total_play_wall_ms,
            \(sum("rebuffer_ms")) AS total_rebuffer_ms,
            \(sum("rebuffer_ms")) / nullif(\(sum("play_ms + rebuffer_ms")), 0) AS weighted_rebuffer_ratio,
            \(sum("average_bitrate_bps * rated_ms")) / nullif(\(sum("rated_ms")), 0) AS weighted_bitrate_bps
        """
    }

    private func mean(_ value: String, of condition: String) -> String {
        sql.mean("CASE WHEN \(condition) AND NOT is_open THEN \(value) END")
    }

    private func share(_ value: String, of condition: String) -> String {
        mean("CASE WHEN \(value) THEN 1.0 ELSE 0.0 END", of: condition)
    }

    private func sum(_ value: String) -> String { sql.total(value, where: "NOT is_open") }

    private var summary: String {
        """
        WITH startups AS (
            SELECT startup_ms AS value, row_number() OVER (ORDER BY startup_ms) AS place, count(*) OVER () AS number
            FROM session_metrics WHERE startup_ms IS NOT NULL AND NOT is_open)
        SELECT \(shares),
            (SELECT \(sql.mean("value")) FROM startups WHERE place IN ((number + 1) / 2, (number + 2) / 2)) AS startup_median_ms,
            (SELECT min(value) FROM startups WHERE place * 100 >= number * 95) AS startup_p95_ms
        FROM session_metrics
        """
    }

    private var audience: String {
        """
        WITH watched AS (
            SELECT video_id, minute, run, session, max(minute) OVER (PARTITION BY run, session) AS last
            FROM session_minutes JOIN session_metrics USING (run, session) WHERE NOT is_open),
        starts AS (
            SELECT video_id, count(*) FILTER (WHERE started) AS number FROM session_metrics WHERE NOT is_open
            GROUP BY video_id)
        SELECT watched.video_id, minute, count(*) AS sessions, \(sql.real("count(*)")) / number AS share,
            count(*) FILTER (WHERE minute = last) AS left_here
        FROM watched JOIN starts ON starts.video_id IS NOT DISTINCT FROM watched.video_id
        GROUP BY watched.video_id, minute, number
        """
    }

    private var errors: String {
        """
        SELECT run, session, ordinal, time_us,
            \(sql.time("epoch_us + time_us", .millisecond)) AS happened_at, type,
            \(sql.text("attributes", "error_id")) AS error_id,
            \(sql.text("attributes", "error_message")) AS message,
            \(sql.text("attributes", "error_code")) AS code,
            \(sql.truth("attributes", "error_fatal")) AS fatal, started, playhead_ms
        FROM events JOIN runs USING (run) WHERE type IN ('player_error', 'application_error', 'ad_error')
        """
    }
}
