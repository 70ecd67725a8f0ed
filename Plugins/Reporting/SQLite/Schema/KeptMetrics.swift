internal import Database
internal import MetricTables
internal import PluginKit

/// What was measured of sessions that have ended, so that nobody has to read their events again.
///
/// A session of which anything more comes is measured anew: what was kept of it is removed at once, and kept again at
/// its next end.
struct KeptMetrics {
    /// Names of the tables.
    static let names = ["kept_totals", "kept_minutes", "kept_ads"]
    /// What goes on in the session that is being measured, so that its events are read once.
    private static let intervals = "temp.measured_intervals"

    /// Makes the tables.
    static let schema = """
        CREATE TABLE kept_totals (run TEXT NOT NULL, session INTEGER NOT NULL, play_us INTEGER, frame_us INTEGER,
            startup_us REAL, preroll_us REAL, play_time_us REAL, play_wall_us REAL, rebuffer_us REAL,
            rebuffer_count INTEGER, pause_us REAL, seek_us REAL, ad_us REAL, starting_us REAL, interrupted_us REAL,
            sleep_us REAL, rated_us REAL, bits REAL, peak_bitrate_bps INTEGER, seeks INTEGER, renditions INTEGER,
            switches_up INTEGER, switches_down INTEGER, dropped_frames INTEGER, rendered_frames INTEGER, ads INTEGER,
            ads_completed INTEGER, ads_skipped INTEGER, ad_clicks INTEGER, ad_errors INTEGER, errors INTEGER,
            failed_before INTEGER, failed_after INTEGER, completed INTEGER, furthest_ms INTEGER,
            furthest_estimate_ms INTEGER, length_ms INTEGER, PRIMARY KEY (run, session)) STRICT;
        CREATE TABLE kept_minutes (run TEXT NOT NULL, session INTEGER NOT NULL, minute INTEGER NOT NULL,
            PRIMARY KEY (run, session, minute)) STRICT, WITHOUT ROWID;
        CREATE TABLE kept_ads (run TEXT NOT NULL, session INTEGER NOT NULL, ad INTEGER NOT NULL, started_us INTEGER,
            ad_id ANY, ad_name ANY, ad_break_type ANY, length_ms ANY, shown_ms REAL, quartile ANY, completed INTEGER,
            skipped INTEGER, clicks INTEGER, errors INTEGER, PRIMARY KEY (run, session, ad)) STRICT;
        """

    private static let queries = MetricQueries(.sqlite)

    private let asked: Statement
    private let read: Statement
    private let kept: [Statement]
    private let removed: [Statement]

    init(_ database: Database) throws(DatabaseError) {
        try database.run(
            "CREATE TEMP TABLE IF NOT EXISTS measured_intervals AS \(Self.queries.intervals(.all)) LIMIT 0"
        )
        asked = try database.prepare("SELECT 1 FROM kept_totals WHERE run = ?1 AND session = ?2")
        read = try database.prepare("INSERT INTO \(Self.intervals) \(Self.queries.intervals(.one))")
        let queries = [
            Self.queries.totals(of: Self.intervals), Self.queries.minutes(of: Self.intervals),
            Self.queries.ads(of: Self.intervals),
        ]
        var (kept, removed): ([Statement], [Statement]) = ([], [])
        for (name, query) in zip(Self.names, queries) {
            kept.append(try database.prepare("INSERT OR IGNORE INTO \(name) \(query)"))
            removed.append(try database.prepare("DELETE FROM \(name) WHERE run = ?1 AND session = ?2"))
        }
        self.kept = kept + [try database.prepare("DELETE FROM \(Self.intervals)")]
        self.removed = removed
    }

    /// Measures all sessions that have ended, of a file that comes from an earlier version.
    static func fill(_ database: Database) throws(DatabaseError) {
        let ended = try database.prepare("SELECT run, session FROM sessions WHERE ended_us IS NOT NULL")
            .rows { ($0.text(0), $0.int(1)) }
        let metrics = try KeptMetrics(database)
        for (run, session) in ended {
            try metrics.read.run([run, session])
            for statement in metrics.kept { try statement.run() }
        }
    }

    /// Whether a session is kept.
    func has(_ origin: OriginView) throws(DatabaseError) -> Bool {
        defer { asked.reset() }
        bind(asked, origin)
        return try asked.step()
    }

    /// Measures a session that has ended.
    func keep(_ origin: OriginView) throws(DatabaseError) {
        try run(read, origin)
        for statement in kept { try statement.run() }
    }

    /// Forgets what was measured.
    func remove(_ origin: OriginView) throws(DatabaseError) {
        for statement in removed { try run(statement, origin) }
    }

    private func run(_ statement: Statement, _ origin: OriginView) throws(DatabaseError) {
        bind(statement, origin)
        try statement.run()
    }

    private func bind(_ statement: Statement, _ origin: OriginView) {
        unsafe statement.bind(1, text: origin.playerRunID.bytes)
        statement.bind(2, Int64(origin.session))
    }
}
