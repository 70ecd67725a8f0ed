internal import MetricTables

/// The tables and views in a schema of a database, and their version.
struct PostgresSchema {
    /// The version of the tables that this code writes.
    static let version: Int64 = 1
    /// The tables with a row of a session, by `run` and `session`.
    static let tablesOfSessions = Table.all.map(\.name) + ["sessions"] + kept

    /// A table that outputs are rows of.
    struct Table {
        let name: String
        /// The columns, in the order in which a row is written.
        let columns: [String]
        /// What a row is unique by.
        let key: String

        init(_ name: String, _ columns: [String], key: String) {
            self.name = name
            // What may be no text has a second column, for bytes.
            self.columns = columns.flatMap { ["url", "body"].contains($0) ? [$0, "\($0)_bytes"] : [$0] }
            self.key = key
        }

        static let events = Table("events", OutputRows.eventColumns, key: "run, ordinal")
        static let controls = Table("control_events", OutputRows.controlColumns, key: "run, time_us, type, plugin")
        static let records = Table("records", OutputRows.recordColumns, key: "run, instance, ordinal")
        static let beacons = Table("beacons", OutputRows.beaconColumns, key: "run, instance, ordinal")
        static let all = [events, controls, records, beacons]

        /// Where the rows of a batch are until they are in the table.
        var staged: String { "staged_\(name)" }

        fileprivate var definition: String {
            let columns = columns.map { "\($0) \(PostgresSchema.type(of: $0))" }.joined(separator: ", ")
            return "CREATE TABLE \(name) (\(columns), PRIMARY KEY (\(key)));"
        }
    }

    /// Names of the tables with what was measured of ended sessions.
    static let kept = ["kept_totals", "kept_minutes", "kept_ads"]
    /// What goes on in the session that is being measured, so that its events are read once.
    private static let intervals = "measured_intervals"
    private static let queries = MetricQueries(.postgres)

    private static let texts: Set = [
        "run", "type", "instance", "plugin", "plugin_version", "kind", "destination", "method", "url", "body",
        "credential",
    ]
    private static let truths: Set = [
        "playing", "paused", "seeking", "buffering", "in_ad_break", "in_ad", "in_chapter", "started", "ended",
        "interrupted",
        "background", "muted", "fullscreen", "live",
    ]

    private static func type(of column: String) -> String {
        switch column {
        case "run", "session": type(ofAny: column) + " NOT NULL"
        default: type(ofAny: column)
        }
    }

    private static func type(ofAny column: String) -> String {
        if texts.contains(column) { return "text" }
        if truths.contains(column) { return "boolean" }
        if column.hasSuffix("_bytes") { return "bytea" }
        return ["attributes", "headers", "records"].contains(column) ? "jsonb" : "bigint"
    }

    private static let tables = """
        CREATE TABLE tally_schema (version bigint NOT NULL, views bigint NOT NULL);
        CREATE TABLE runs (run text PRIMARY KEY, epoch_us bigint NOT NULL, ended_us bigint);
        CREATE TABLE sessions (run text NOT NULL, session bigint NOT NULL, begun_us bigint, ended_us bigint, video_id text,
            video_name text, stream_type text, attributes jsonb, video_cdn text, country text, PRIMARY KEY (run, session));
        CREATE INDEX sessions_by_video ON sessions (video_id);
        \(Table.all.map(\.definition).joined(separator: "\n"))
        CREATE INDEX events_by_session ON events (run, session, ordinal);
        CREATE INDEX events_by_type ON events (type, run, session);
        CREATE INDEX control_events_by_session ON control_events (run, session);
        CREATE INDEX records_by_session ON records (run, session);
        CREATE INDEX records_by_kind ON records (instance, kind);
        CREATE INDEX beacons_by_session ON beacons (run, session);
        CREATE INDEX beacons_by_destination ON beacons (destination);
        CREATE TABLE losses (at_us bigint NOT NULL, lost bigint NOT NULL);
        CREATE TABLE erasures (run text NOT NULL, session bigint NOT NULL, PRIMARY KEY (run, session));
        \(zip(kept, measuring(of: "(\(queries.intervals(.all))) AS intervals")).map { table, query in
            "CREATE TABLE \(table) AS \(query) WITH NO DATA;"
        }.joined(separator: "\n"))
        ALTER TABLE kept_totals ADD PRIMARY KEY (run, session);
        ALTER TABLE kept_minutes ADD PRIMARY KEY (run, session, minute);
        ALTER TABLE kept_ads ADD PRIMARY KEY (run, session, ad);
        INSERT INTO tally_schema VALUES (\(version), 0);
        """

    /// Tables of a connection of its own: what a batch brings, and what is measured.
    private static let temporary =
        Table.all.map { "CREATE TEMP TABLE \($0.staged) (LIKE \($0.name)) ON COMMIT DELETE ROWS;" }.joined(
            separator: "\n"
        )
        + "\nCREATE TEMP TABLE \(intervals) ON COMMIT DELETE ROWS AS \(queries.intervals(.all)) WITH NO DATA;"

    private static func measuring(of intervals: String) -> [String] {
        [queries.totals(of: intervals), queries.minutes(of: intervals), queries.ads(of: intervals)]
    }

    // MARK: - Measuring

    /// Reads what went on in the session of the two parameters.
    static let read = "INSERT INTO \(intervals) \(queries.intervals(.one))"
    /// Keeps what was measured of it.
    static let keep =
        zip(kept, measuring(of: intervals)).map { "INSERT INTO \($0) \($1) ON CONFLICT DO NOTHING" }
        + ["DELETE FROM \(intervals)"]

    // MARK: - Preparing

    /// Makes tables and views in a schema, which may be there; checks those of another version.
    ///
    /// A role that may not make anything can use tables that somebody made for it.
    static func prepare(_ schema: String, _ connection: PostgresConnection) throws(PostgresError) {
        let quoted = "\"\(schema)\""
        try connection.run("BEGIN")
        // Programs that begin at once make it one after the other.
        try connection.run("SELECT pg_advisory_xact_lock(hashtext($1))", ["tally \(schema)"])
        if try connection.run("SELECT 1 FROM pg_namespace WHERE nspname = $1", [schema]).isEmpty {
            try connection.run("CREATE SCHEMA \(quoted)")
        }
        try connection.run("SET search_path TO \(quoted)")
        let names = try connection.run(
            "SELECT relname FROM pg_class WHERE relnamespace = $1::regnamespace AND relkind IN ('r', 'v', 'm', 'p', 'f')",
            [quoted]
        )
        if names.isEmpty {
            try connection.run(tables)
        } else if !names.contains(["tally_schema"]) {
            throw .foreign(schema: schema)
        }
        let found = try connection.run("SELECT version, views FROM tally_schema", []).first ?? []
        let versions = found.map { $0.flatMap { Int64($0) } ?? 0 }
        guard versions.count == 2, versions[0] <= version else {
            throw .newer(schema: schema, version: versions.first ?? 0, known: version)
        }
        if versions[1] < MetricViews.version {
            let views = MetricViews(.postgres).all
            for view in views.reversed() { try connection.run("DROP VIEW IF EXISTS \(view.name)") }
            for view in views { try connection.run("CREATE VIEW \(view.name) AS \(view.query)") }
            try connection.run("UPDATE tally_schema SET views = \(MetricViews.version)")
        }
        try connection.run("COMMIT")
        try connection.run(temporary)
    }
}
