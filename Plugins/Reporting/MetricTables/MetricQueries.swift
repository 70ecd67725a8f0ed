/// The queries that measure sessions by what goes on from each of their events to the next, in the words of a database.
///
/// A session that has ended is measured once, when it ends, and what came out is kept.
package struct MetricQueries: Sendable {
    private let sql: SQLDialect

    /// The queries of a kind of database.
    package init(_ sql: SQLDialect) { self.sql = sql }

    /// Which sessions a query is asked of, as a condition of SQL.
    package enum Sessions {
        /// All of them.
        case all
        /// Those that are not kept: they go on, or something came to them later.
        case unmeasured
        /// The one of the first two parameters.
        case one
    }

    private func condition(_ sessions: Sessions) -> String {
        switch sessions {
        case .all: ""
        case .unmeasured:
            """
            WHERE NOT EXISTS (SELECT 1 FROM kept_totals AS kept WHERE kept.run = sessions.run
                AND kept.session = sessions.session)
            """
        case .one: "WHERE sessions.run = \(sql.parameter(1)) AND sessions.session = \(sql.parameter(2))"
        }
    }

    /// Where the player said with an event that it stands.
    ///
    /// As a seek begins, that may be its target already.
    private var report: String {
        """
        CASE WHEN events.type = 'seek_start' THEN \(sql.number("events.attributes", "seek_from_ms"))
            ELSE \(sql.exact("events.reported_playhead_ms")) END
        """
    }
    private var place: String { sql.exact("coalesce(events.reported_playhead_ms, events.playhead_ms)") }

    /// What goes on from each event to the next one, of the sessions that the condition names; the last one lasts to
    /// the session's end.
    ///
    /// A sleep of the machine is no part of the span that it lies in.
    /// Of playing, `played_us` is what the content can have played: `lag_ns` is by how much a stretch of it lasted
    /// longer than to the content's end, or to the place that was reported next. Half a second, two sample intervals,
    /// is how exactly players report. Content without a length, such as a live stream, may report one place for ever.
    package func intervals(_ sessions: Sessions) -> String {
        """
        WITH following AS (
            SELECT events.run, events.session, ordinal, time_us, type, playing, seeking, buffering, in_ad_break, in_ad,
                started, ended, interrupted, reported_playhead_ms, playhead_ms, duration_ms, bitrate_bps, rate_milli,
                dropped_frames, rendered_frames,
                events.attributes, \(sql.larger("coalesce(rate_milli, 1000)", "1")) AS pace_milli,
                CASE WHEN duration_ms > 0 AND NOT (\(sql.isTrue("live"))) THEN \(sql.exact("duration_ms")) END AS end_ms,
                \(sql.larger("coalesce(lead(time_us) OVER session, sessions.ended_us, time_us)", "time_us")) AS next_us,
                \(sql.any("type = 'play'")) OVER so_far AS wanted,
                max(CASE WHEN type = 'buffer_start' THEN \(sql.sortable("ordinal"))
                    || coalesce(\(sql.text("events.attributes", "buffer_cause")), '') END) OVER so_far AS wait,
                \(place) AS place_ms, \(place) + 500 < lag(\(place)) OVER session AS went_back,
                lead(\(report)) OVER session AS next_report_ms
            FROM \(sql.sessionsWithEvents) \(condition(sessions))
            WINDOW session AS (PARTITION BY events.run, events.session ORDER BY events.ordinal),
                so_far AS (session ROWS UNBOUNDED PRECEDING)),
        sleeps AS (
            SELECT *, coalesce((
                SELECT sum(\(sql.number("slept.attributes", "step_us"))) FROM control_events AS slept
                WHERE slept.run = following.run AND slept.session = following.session
                    AND slept.time_us >= following.time_us AND slept.time_us < next_us
                    AND slept.type = 'system_suspended'
                    AND \(sql.number("slept.attributes", "step_us")) BETWEEN 1 AND 9007199254740991), 0) AS told_us
            FROM following),
        spans AS (
            SELECT *, \(sql.smaller(sql.exact("next_us - time_us"), "told_us")) AS sleep_us FROM sleeps),
        states AS (
            SELECT *, next_us - time_us - sleep_us AS span_us,
                CASE WHEN in_ad OR in_ad_break THEN 'ad'
                    WHEN ended AND NOT playing THEN 'ended'
                    WHEN NOT started THEN CASE WHEN playing THEN 'starting' ELSE 'idle' END
                    WHEN seeking THEN 'seeking'
                    WHEN NOT playing THEN 'paused'
                    WHEN interrupted THEN 'interrupted'
                    WHEN NOT buffering THEN 'playing'
                    WHEN substr(wait, 21) = 'seek' THEN 'seeking'
                    WHEN substr(wait, 21) = 'initial' THEN 'starting'
                    ELSE 'rebuffering' END AS activity
            FROM spans),
        stretches AS (
            SELECT *, max(CASE WHEN activity <> 'playing' OR went_back THEN ordinal END) OVER (
                PARTITION BY run, session ORDER BY ordinal ROWS UNBOUNDED PRECEDING) AS stretch
            FROM states),
        lags AS (
            SELECT *, sum(span_us * pace_milli) OVER so_far - 1000000 * (
                \(sql.smaller("CASE WHEN next_report_ms + 500 >= place_ms THEN next_report_ms ELSE end_ms END", "end_ms"))
                    - coalesce(first_value(place_ms) OVER so_far, 0)) AS lag_ns
            FROM stretches
            WINDOW so_far AS (PARTITION BY run, session, stretch, activity = 'playing' ORDER BY ordinal
                ROWS UNBOUNDED PRECEDING)),
        losses AS (
            SELECT *, coalesce(max(lag_ns) FILTER (WHERE lag_ns > 500000000) OVER so_far, 0) AS lost_ns,
                coalesce(max(lag_ns) FILTER (WHERE lag_ns > 500000000) OVER before, 0) AS lost_before_ns
            FROM lags
            WINDOW stretch AS (PARTITION BY run, session, stretch, activity = 'playing' ORDER BY ordinal),
                so_far AS (stretch ROWS UNBOUNDED PRECEDING),
                before AS (stretch ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING))
        SELECT run, session, ordinal, time_us, span_us, type, wanted, activity, substr(wait, 1, 20) AS wait, started,
            in_ad, playhead_ms, duration_ms, bitrate_bps, rate_milli, attributes, place_ms, reported_playhead_ms,
            next_report_ms, end_ms, pace_milli, sleep_us, dropped_frames, rendered_frames,
            CASE WHEN activity = 'playing'
                THEN \(sql.whole(played))
                ELSE 0 END AS played_us
        FROM losses
        """
    }

    /// What of a span the content can have played.
    private var played: String {
        let lost = sql.quotient("lost_ns - lost_before_ns + pace_milli - 1", "pace_milli")
        return sql.larger("span_us - \(lost)", "0")
    }

    private var estimate: String { sql.quotient("place_ms * 1000000 + played_us * pace_milli", "1000000") }
    /// The place that playing had come to by an interval's end.
    private var reached: String { sql.whole("coalesce(\(sql.smaller(estimate, "end_ms")), \(estimate))") }

    private var visibleChange: String {
        "type = 'rendition_change' AND coalesce(\(sql.text("attributes", "rendition_phase")), 'visible') = 'visible'"
    }

    private func changes(shift: String) -> String {
        count("\(visibleChange) AND \(sql.text("attributes", "rendition_shift")) = '\(shift)'")
    }

    private func count(_ condition: String) -> String { "count(*) FILTER (WHERE \(condition))" }

    private func failed(_ when: String) -> String {
        sql.any("type = 'player_error' AND \(sql.truth("attributes", "error_fatal")) AND \(when)")
    }

    private var furthest: String {
        sql.larger(
            "coalesce(reported_playhead_ms, next_report_ms)",
            "coalesce(next_report_ms, reported_playhead_ms)"
        )
    }

    private func ofAd(_ value: String) -> String { "max(CASE WHEN type = 'ad_start' THEN \(value) END)" }

    /// Sums and firsts of sessions, from which their metrics are made.
    package func totals(of intervals: String) -> String {
        """
        SELECT run, session,
            min(CASE WHEN type = 'play' THEN time_us END) AS play_us,
            min(CASE WHEN type = 'first_frame' THEN time_us END) AS frame_us,
            \(sql.total("CASE WHEN wanted AND NOT started THEN span_us END")) AS startup_us,
            \(sql.total("CASE WHEN activity = 'ad' AND wanted AND NOT started THEN span_us END")) AS preroll_us,
            \(sql.total("played_us")) AS play_time_us,
            \(sql.total("CASE WHEN activity = 'playing' THEN span_us END")) AS play_wall_us,
            \(sql.total("CASE WHEN activity = 'rebuffering' THEN span_us END")) AS rebuffer_us,
            count(DISTINCT CASE WHEN activity = 'rebuffering' THEN wait END) AS rebuffer_count,
            \(sql.total("CASE WHEN activity = 'paused' THEN span_us END")) AS pause_us,
            \(sql.total("CASE WHEN activity = 'seeking' THEN span_us END")) AS seek_us,
            \(sql.total("CASE WHEN activity = 'ad' THEN span_us END")) AS ad_us,
            \(sql.total("CASE WHEN activity = 'starting' THEN span_us END")) AS starting_us,
            \(sql.total("CASE WHEN activity = 'interrupted' THEN span_us END")) AS interrupted_us,
            \(sql.total("sleep_us")) AS sleep_us,
            \(sql.total("CASE WHEN bitrate_bps >= 0 THEN played_us END")) AS rated_us,
            \(sql.total("CASE WHEN bitrate_bps >= 0 THEN \(sql.real("played_us")) * bitrate_bps END")) AS bits,
            max(CASE WHEN activity = 'playing' THEN bitrate_bps END) AS peak_bitrate_bps,
            \(count("type = 'seek_start'")) AS seeks,
            \(count(visibleChange)) AS renditions,
            \(changes(shift: "up")) AS switches_up,
            \(changes(shift: "down")) AS switches_down,
            max(dropped_frames) AS dropped_frames, max(rendered_frames) AS rendered_frames,
            \(count("type = 'ad_start'")) AS ads, \(count("type = 'ad_complete'")) AS ads_completed,
            \(count("type = 'ad_skip'")) AS ads_skipped, \(count("type = 'ad_click'")) AS ad_clicks,
            \(count("type = 'ad_error'")) AS ad_errors, \(count("type = 'player_error'")) AS errors,
            \(failed("NOT started")) AS failed_before,
            \(failed("started")) AS failed_after,
            \(sql.any("type = 'complete'")) AS completed,
            max(CASE WHEN activity = 'playing' THEN \(furthest) END) AS furthest_ms,
            max(CASE WHEN activity = 'playing' THEN \(reached) END) AS furthest_estimate_ms,
            max(duration_ms) AS length_ms
        FROM \(intervals) GROUP BY run, session
        """
    }

    /// Which minutes of the content a session has played any part of.
    package func minutes(of intervals: String) -> String {
        """
        WITH RECURSIVE spans AS (
            SELECT run, session, \(sql.quotient("place_ms", "60000")) AS minute, \(sql.quotient("\(reached) - 1", "60000")) AS last
            FROM \(intervals)
            WHERE activity = 'playing' AND place_ms >= 0 AND \(reached) > place_ms),
        steps AS (
            SELECT run, session, minute, last FROM spans
            UNION SELECT run, session, minute + 1, last FROM steps WHERE minute < last)
        SELECT DISTINCT run, session, minute FROM steps
        """
    }

    /// Each ad of sessions.
    package func ads(of intervals: String) -> String {
        """
        WITH numbered AS (
            SELECT *, \(count("type = 'ad_start'")) OVER (PARTITION BY run, session ORDER BY ordinal) AS ad
            FROM \(intervals))
        SELECT run, session, ad, min(time_us) AS started_us,
            \(ofAd(sql.text("attributes", "ad_id"))) AS ad_id,
            \(ofAd(sql.text("attributes", "ad_name"))) AS ad_name,
            \(ofAd(sql.text("attributes", "ad_break_type"))) AS ad_break_type,
            \(ofAd(sql.number("attributes", "ad_duration_ms"))) AS length_ms,
            \(sql.total("CASE WHEN in_ad THEN span_us END")) / 1000 AS shown_ms,
            coalesce(max(CASE WHEN type = 'ad_quartile' THEN \(sql.number("attributes", "ad_quartile")) END), 0)
                AS quartile,
            \(sql.any("type = 'ad_complete'")) AS completed, \(sql.any("type = 'ad_skip'")) AS skipped,
            \(count("type = 'ad_click'")) AS clicks, \(count("type = 'ad_error' AND in_ad")) AS errors
        FROM numbered WHERE ad > 0 GROUP BY run, session, ad
        """
    }
}
