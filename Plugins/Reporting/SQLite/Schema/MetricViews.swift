/// The views that make metrics of the events; docs/plugins/sqlite.md has what each of them means, and whose meaning it is.
enum MetricViews {
    /// A view: what it is called and what it asks.
    struct View {
        let name: String
        let query: String
    }

    /// Goes up with each change of a view, so that files that exist get the new one.
    static let version: Int64 = 1

    /// All views, each after those that it uses.
    static let all = [
        View(name: "session_intervals", query: intervals),
        View(name: "session_metrics", query: sessions),
        View(name: "session_minutes", query: minutes),
        View(name: "metrics", query: summary),
        View(name: "video_metrics", query: "SELECT video_id, \(shares) FROM session_metrics GROUP BY video_id"),
        View(name: "audience_by_minute", query: audience),
        View(name: "ads", query: ads),
        View(name: "errors", query: errors),
    ]

    /// What goes on from each event to the next one; the last one lasts to the session's end.
    private static let intervals = """
        WITH following AS (
            SELECT events.*,
                coalesce(lead(events.time_us) OVER session, sessions.ended_us, events.time_us) - events.time_us
                    AS span_us,
                max(events.type = 'play') OVER so_far AS wanted,
                max(CASE WHEN events.type = 'buffer_start' THEN printf('%020d', events.ordinal)
                    || coalesce(json_extract(events.attributes, '$.buffer_cause'), '') END) OVER so_far AS wait
            FROM events JOIN sessions USING (run, session)
            WINDOW session AS (PARTITION BY events.run, events.session ORDER BY events.ordinal),
                so_far AS (PARTITION BY events.run, events.session ORDER BY events.ordinal
                    ROWS UNBOUNDED PRECEDING))
        SELECT run, session, ordinal, time_us, max(span_us, 0) AS span_us, type, wanted,
            CASE WHEN in_ad OR in_ad_break THEN 'ad'
                WHEN ended AND NOT playing THEN 'ended'
                WHEN NOT started THEN CASE WHEN playing THEN 'starting' ELSE 'idle' END
                WHEN seeking THEN 'seeking'
                WHEN NOT playing THEN 'paused'
                WHEN interrupted THEN 'interrupted'
                WHEN NOT buffering THEN 'playing'
                WHEN substr(wait, 21) = 'seek' THEN 'seeking'
                WHEN substr(wait, 21) = 'initial' THEN 'starting'
                ELSE 'rebuffering' END AS activity,
            substr(wait, 1, 20) AS wait, started, in_ad, playhead_ms, duration_ms, bitrate_bps, rate_milli, attributes
        FROM following
        """

    private static let sessions = """
        WITH totals AS (
            SELECT run, session,
                min(CASE WHEN type = 'play' THEN time_us END) AS play_us,
                min(CASE WHEN type = 'first_frame' THEN time_us END) AS frame_us,
                total(CASE WHEN activity = 'ad' AND wanted AND NOT started THEN span_us END) AS preroll_us,
                total(CASE WHEN activity = 'playing' THEN span_us END) AS play_time_us,
                total(CASE WHEN activity = 'rebuffering' THEN span_us END) AS rebuffer_us,
                count(DISTINCT CASE WHEN activity = 'rebuffering' THEN wait END) AS rebuffer_count,
                total(CASE WHEN activity = 'paused' THEN span_us END) AS pause_us,
                total(CASE WHEN activity = 'seeking' THEN span_us END) AS seek_us,
                total(CASE WHEN activity = 'ad' THEN span_us END) AS ad_us,
                total(CASE WHEN activity = 'playing' AND bitrate_bps >= 0 THEN span_us END) AS rated_us,
                total(CASE WHEN activity = 'playing' AND bitrate_bps >= 0 THEN span_us * 1.0 * bitrate_bps END)
                    AS bits,
                max(CASE WHEN activity = 'playing' THEN bitrate_bps END) AS peak_bitrate_bps,
                sum(type = 'seek_start') AS seeks,
                sum(type = 'rendition_change'
                    AND coalesce(json_extract(attributes, '$.rendition_phase'), 'visible') = 'visible') AS renditions,
                sum(type = 'ad_start') AS ads, sum(type = 'ad_complete') AS ads_completed,
                sum(type = 'ad_skip') AS ads_skipped, sum(type = 'ad_click') AS ad_clicks,
                sum(type = 'ad_error') AS ad_errors, sum(type = 'player_error') AS errors,
                max(type = 'player_error' AND coalesce(json_extract(attributes, '$.error_fatal'), 0)
                    AND NOT started) AS failed_before,
                max(type = 'player_error' AND coalesce(json_extract(attributes, '$.error_fatal'), 0)
                    AND started) AS failed_after,
                max(type = 'complete') AS completed,
                max(CASE WHEN activity = 'playing'
                    THEN playhead_ms + span_us * coalesce(rate_milli, 1000) / 1000000 END) AS furthest_ms,
                max(duration_ms) AS length_ms
            FROM session_intervals GROUP BY run, session)
        SELECT sessions.run, sessions.session, video_id, video_name, stream_type,
            strftime('%Y-%m-%dT%H:%M:%fZ', (epoch_us + begun_us) / 1000000.0, 'unixepoch') AS loaded_at,
            sessions.ended_us IS NULL AS is_open,
            (sessions.ended_us - begun_us) / 1000 AS session_ms,
            play_us IS NOT NULL OR frame_us IS NOT NULL AS attempted,
            frame_us IS NOT NULL AS started,
            CASE WHEN frame_us >= play_us THEN max(frame_us - play_us - preroll_us, 0) / 1000.0 END AS startup_ms,
            play_us IS NOT NULL AND frame_us IS NULL AND failed_before AS start_failed,
            play_us IS NOT NULL AND frame_us IS NULL AND NOT failed_before AND sessions.ended_us IS NOT NULL
                AS exited_before_start,
            frame_us IS NOT NULL AND failed_after AS playback_failed,
            completed,
            play_time_us / 1000 AS play_ms,
            rebuffer_us / 1000 AS rebuffer_ms,
            rebuffer_count,
            CASE WHEN play_time_us + rebuffer_us > 0 THEN rebuffer_us / (play_time_us + rebuffer_us) END
                AS rebuffer_ratio,
            pause_us / 1000 AS pause_ms,
            seek_us / 1000 AS seek_ms,
            seeks,
            CASE WHEN rated_us > 0 THEN bits / rated_us END AS average_bitrate_bps,
            peak_bitrate_bps,
            renditions,
            errors,
            ad_us / 1000 AS ad_ms,
            ads, ads_completed, ads_skipped, ad_clicks, ad_errors,
            furthest_ms,
            CASE WHEN length_ms > 0 THEN length_ms END AS length_ms
        FROM totals JOIN sessions USING (run, session) JOIN runs USING (run)
        WHERE begun_us IS NOT NULL
        """

    /// Columns of many sessions together: each ended session counts once, in whatever it has a value of.
    private static let shares = """
        sum(NOT is_open) AS sessions,
            sum(is_open) AS open_sessions,
            total(attempted AND NOT is_open) AS attempts,
            total(started AND NOT is_open) AS plays,
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
            total(CASE WHEN NOT is_open THEN play_ms END) AS total_play_ms
        """

    private static func mean(_ value: String, of condition: String) -> String {
        "avg(CASE WHEN \(condition) AND NOT is_open THEN \(value) END)"
    }

    private static let summary = """
        WITH startups AS (
            SELECT startup_ms AS value, row_number() OVER (ORDER BY startup_ms) AS place, count(*) OVER () AS number
            FROM session_metrics WHERE startup_ms IS NOT NULL AND NOT is_open)
        SELECT \(shares),
            (SELECT avg(value) FROM startups WHERE place IN ((number + 1) / 2, (number + 2) / 2)) AS startup_median_ms,
            (SELECT min(value) FROM startups WHERE place * 100 >= number * 95) AS startup_p95_ms
        FROM session_metrics
        """

    /// Which minutes of the content a session has played any part of.
    private static let minutes = """
        WITH RECURSIVE spans AS (
            SELECT run, session, playhead_ms / 60000 AS minute,
                max(playhead_ms + (span_us * coalesce(rate_milli, 1000) - 1) / 1000000, playhead_ms) / 60000 AS last
            FROM session_intervals WHERE activity = 'playing' AND span_us > 0 AND playhead_ms >= 0),
        steps AS (
            SELECT run, session, minute, last FROM spans
            UNION SELECT run, session, minute + 1, last FROM steps WHERE minute < last)
        SELECT DISTINCT run, session, minute FROM steps
        """

    private static let audience = """
        WITH watched AS (
            SELECT video_id, minute, run, session, max(minute) OVER (PARTITION BY run, session) AS last
            FROM session_minutes JOIN session_metrics USING (run, session) WHERE NOT is_open),
        starts AS (
            SELECT video_id, sum(started) AS number FROM session_metrics WHERE NOT is_open GROUP BY video_id)
        SELECT watched.video_id, minute, count(*) AS sessions, count(*) * 1.0 / number AS share,
            sum(minute = last) AS left_here
        FROM watched JOIN starts ON starts.video_id IS watched.video_id GROUP BY watched.video_id, minute
        """

    private static let ads = """
        WITH numbered AS (
            SELECT *, sum(type = 'ad_start') OVER (PARTITION BY run, session ORDER BY ordinal) AS ad
            FROM session_intervals)
        SELECT run, session, ad, min(time_us) AS started_us,
            max(CASE WHEN type = 'ad_start' THEN json_extract(attributes, '$.ad_id') END) AS ad_id,
            max(CASE WHEN type = 'ad_start' THEN json_extract(attributes, '$.ad_name') END) AS ad_name,
            max(CASE WHEN type = 'ad_start' THEN json_extract(attributes, '$.ad_break_type') END) AS ad_break_type,
            max(CASE WHEN type = 'ad_start' THEN json_extract(attributes, '$.ad_duration_ms') END) AS length_ms,
            total(CASE WHEN in_ad THEN span_us END) / 1000 AS shown_ms,
            coalesce(max(CASE WHEN type = 'ad_quartile' THEN json_extract(attributes, '$.ad_quartile') END), 0)
                AS quartile,
            max(type = 'ad_complete') AS completed, max(type = 'ad_skip') AS skipped, sum(type = 'ad_click') AS clicks,
            sum(type = 'ad_error' AND in_ad) AS errors
        FROM numbered WHERE ad > 0 GROUP BY run, session, ad
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
