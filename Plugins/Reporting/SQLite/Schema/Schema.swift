internal import Database
internal import MetricTables

/// The tables, and their version.
///
/// A change of a table is a new version with the step that leads to it; views are made anew whenever they changed.
enum Schema {
    /// The version of the tables that this code writes.
    static let version: Int64 = 4

    /// The tables with a row of a session, by `run` and `session`.
    static let tablesOfSessions =
        ["events", "control_events", "records", "beacons", "sessions"] + KeptMetrics.names

    private static let tables = """
        CREATE TABLE tally_schema (version INTEGER NOT NULL, views INTEGER NOT NULL) STRICT;
        CREATE TABLE runs (run TEXT NOT NULL PRIMARY KEY, epoch_us INTEGER NOT NULL, ended_us INTEGER) STRICT;
        CREATE TABLE sessions (run TEXT NOT NULL, session INTEGER NOT NULL, begun_us INTEGER, ended_us INTEGER,
            video_id TEXT, video_name TEXT, stream_type TEXT, attributes TEXT, PRIMARY KEY (run, session)) STRICT;
        CREATE INDEX sessions_by_video ON sessions (video_id);
        CREATE TABLE events (run TEXT NOT NULL, session INTEGER NOT NULL, ordinal INTEGER NOT NULL,
            time_us INTEGER NOT NULL, type TEXT NOT NULL, flags INTEGER NOT NULL, playing INTEGER NOT NULL,
            paused INTEGER NOT NULL, seeking INTEGER NOT NULL, buffering INTEGER NOT NULL,
            in_ad_break INTEGER NOT NULL, in_ad INTEGER NOT NULL, in_chapter INTEGER NOT NULL,
            started INTEGER NOT NULL, ended INTEGER NOT NULL, interrupted INTEGER NOT NULL,
            background INTEGER NOT NULL, playhead_ms INTEGER, ad_playhead_ms INTEGER, duration_ms INTEGER,
            bitrate_bps INTEGER, throughput_bps INTEGER, dropped_frames INTEGER, rendered_frames INTEGER,
            width INTEGER, height INTEGER, rate_milli INTEGER, volume_milli INTEGER, muted INTEGER,
            fullscreen INTEGER, live INTEGER, attributes TEXT NOT NULL, PRIMARY KEY (run, ordinal)) STRICT;
        CREATE INDEX events_by_session ON events (run, session, ordinal);
        CREATE INDEX events_by_type ON events (type, run, session);
        CREATE TABLE control_events (run TEXT NOT NULL, session INTEGER NOT NULL, time_us INTEGER NOT NULL,
            type TEXT NOT NULL, plugin TEXT NOT NULL, attributes TEXT NOT NULL,
            PRIMARY KEY (run, time_us, type, plugin)) STRICT;
        CREATE TABLE records (run TEXT NOT NULL, session INTEGER NOT NULL, instance TEXT NOT NULL,
            ordinal INTEGER NOT NULL, time_us INTEGER NOT NULL, plugin TEXT NOT NULL, plugin_version TEXT NOT NULL,
            kind TEXT NOT NULL, attributes TEXT NOT NULL, PRIMARY KEY (run, instance, ordinal)) STRICT;
        CREATE INDEX records_by_session ON records (run, session);
        CREATE INDEX records_by_kind ON records (instance, kind);
        CREATE TABLE beacons (run TEXT NOT NULL, session INTEGER NOT NULL, instance TEXT NOT NULL,
            ordinal INTEGER NOT NULL, time_us INTEGER NOT NULL, plugin TEXT NOT NULL, plugin_version TEXT NOT NULL,
            destination TEXT NOT NULL, method TEXT NOT NULL, url ANY NOT NULL, headers TEXT NOT NULL,
            body ANY NOT NULL, credential TEXT, options INTEGER NOT NULL, max_age_s INTEGER NOT NULL,
            records TEXT NOT NULL, PRIMARY KEY (run, instance, ordinal)) STRICT;
        CREATE INDEX beacons_by_session ON beacons (run, session);
        CREATE INDEX beacons_by_destination ON beacons (destination);
        CREATE TABLE losses (at_us INTEGER NOT NULL, lost INTEGER NOT NULL) STRICT;
        CREATE TABLE erasures (run TEXT NOT NULL, session INTEGER NOT NULL, PRIMARY KEY (run, session)) STRICT;
        INSERT INTO tally_schema (version, views) VALUES (1, 0);
        """

    /// What version 3 has: reported places, and by what sessions are grouped.
    private static let third = """
        ALTER TABLE events ADD COLUMN reported_playhead_ms INTEGER;
        ALTER TABLE sessions ADD COLUMN video_cdn TEXT;
        ALTER TABLE sessions ADD COLUMN country TEXT;
        \(described("video_cdn")); \(described("country"));
        UPDATE tally_schema SET version = 3;
        """

    /// What version 4 has: metrics of sessions that are measured anew, as sleeps of the machine are left out of them.
    private static let fourth = """
        \(KeptMetrics.names.map { "DROP TABLE IF EXISTS \($0);" }.joined())
        \(KeptMetrics.schema)
        UPDATE tally_schema SET version = 4;
        """

    /// Fills a column of sessions with the text that was said last of their video.
    private static func described(_ name: String) -> String {
        """
        UPDATE sessions SET \(name) = coalesce(
            (SELECT json_extract(events.attributes, '$.\(name)') FROM events WHERE type = 'metadata_change'
                AND events.run = sessions.run AND events.session = sessions.session
                AND json_type(events.attributes, '$.\(name)') = 'text' ORDER BY ordinal DESC LIMIT 1),
            CASE json_type(attributes, '$.\(name)') WHEN 'text' THEN json_extract(attributes, '$.\(name)') END)
        """
    }

    /// Makes tables and views in a new file; checks an older one.
    static func prepare(_ database: Database) throws(OpeningError) {
        // Reading comes first: nothing is written to a file that is not the reporter's.
        try check(database)
        do throws(DatabaseError) {
            try database.run("PRAGMA journal_mode=WAL; PRAGMA temp_store=MEMORY; BEGIN IMMEDIATE")
            if try count("WHERE name = 'tally_schema'", database) == 0 { try database.run(tables) }
            if try database.number("SELECT version FROM tally_schema") < version {
                if try database.number("SELECT version FROM tally_schema") < 3 { try database.run(third) }
                try database.run(fourth)
                try KeptMetrics.fill(database)
            }
            if try database.number("SELECT views FROM tally_schema") < MetricViews.version {
                for view in MetricViews(.sqlite).all {
                    try database.run("DROP VIEW IF EXISTS \(view.name)")
                    try database.run("CREATE VIEW \(view.name) AS \(view.query)")
                }
                try database.run("UPDATE tally_schema SET views = \(MetricViews.version)")
            }
            try database.run("COMMIT")
        } catch {
            throw OpeningError(error)
        }
    }

    private static func check(_ database: Database) throws(OpeningError) {
        let found: Int64?
        do throws(DatabaseError) {
            if try count("", database) == 0 { return }
            let isOurs = try count("WHERE name = 'tally_schema'", database) > 0
            found = isOurs ? try database.number("SELECT version FROM tally_schema") : nil
        } catch {
            throw OpeningError(error)
        }
        guard let found else { throw .foreign(path: database.path) }
        guard found <= version else { throw .newer(path: database.path, version: found) }
    }

    private static func count(_ condition: String, _ database: Database) throws(DatabaseError) -> Int64 {
        try database.number("SELECT count(*) FROM sqlite_schema \(condition)")
    }
}

/// Why a file cannot be used as the reporter's database.
enum OpeningError: Error, CustomStringConvertible {
    /// SQLite could not open, read or write it.
    case database(DatabaseError)
    /// It is no database at all.
    case notDatabase(path: String)
    /// It is the database of something else.
    case foreign(path: String)
    /// A later version made it.
    case newer(path: String, version: Int64)

    init(_ error: DatabaseError) {
        // SQLITE_NOTADB: what is there is not damaged, it is something else.
        self = error.code & 0xFF == 26 ? .notDatabase(path: error.path) : .database(error)
    }

    /// One line: what, where, what to do.
    var description: String {
        switch self {
        case .database(let error): error.description
        case .notDatabase(let path):
            "'\(path)' is no SQLite database and was left as it is; set \"path\" to another file"
        case .foreign(let path):
            "'\(path)' is a database with other tables and was left as it is; set \"path\" to another file"
        case .newer(let path, let version):
            "'\(path)' has tables of version \(version), and this reporter knows them up to \(Schema.version); "
                + "use a later Tally, or set \"path\" to another file"
        }
    }
}
