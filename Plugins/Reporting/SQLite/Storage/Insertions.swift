internal import Database
internal import MetricTables
internal import PluginKit

/// The statements that fill the tables.
struct Insertions {
    let runRow: Statement
    let runEnd: Statement
    let sessionRow: Statement
    let sessionEnd: Statement
    let loss: Statement
    private let sessionBegin: Statement
    private let metadata: Statement
    private let event: Statement
    private let control: Statement
    private let record: Statement
    private let beacon: Statement
    /// Texts of JSON, one after another.
    private let buffer = ByteBuffer(capacity: 4096)

    init(_ database: Database) throws(DatabaseError) {
        runRow = try database.prepare("INSERT OR IGNORE INTO runs (run, epoch_us) VALUES (?1, ?2)")
        runEnd = try database.prepare("UPDATE runs SET ended_us = ?2 WHERE run = ?1 AND ended_us IS NULL")
        sessionRow = try database.prepare("INSERT OR IGNORE INTO sessions (run, session) VALUES (?1, ?2)")
        sessionEnd = try database.prepare(
            "UPDATE sessions SET ended_us = ?3 WHERE run = ?1 AND session = ?2 AND ended_us IS NULL"
        )
        sessionBegin = try database.prepare(
            "UPDATE sessions SET begun_us = ?3, video_id = ?4, video_name = ?5, stream_type = ?6, video_cdn = ?7, "
                + "country = ?8, attributes = ?9 WHERE run = ?1 AND session = ?2 AND begun_us IS NULL"
        )
        metadata = try database.prepare(
            "UPDATE sessions SET video_id = coalesce(?3, video_id), video_name = coalesce(?4, video_name), "
                + "stream_type = coalesce(?5, stream_type), video_cdn = coalesce(?6, video_cdn), "
                + "country = coalesce(?7, country) WHERE run = ?1 AND session = ?2"
        )
        loss = try database.prepare("INSERT INTO losses (at_us, lost) VALUES (unixepoch() * 1000000, ?1)")
        event = try Self.insertion("events", OutputRows.eventColumns, database)
        control = try Self.insertion("control_events", OutputRows.controlColumns, database)
        record = try Self.insertion("records", OutputRows.recordColumns, database)
        beacon = try Self.insertion("beacons", OutputRows.beaconColumns, database)
    }

    private static func insertion(
        _ table: String,
        _ columns: [String],
        _ database: Database
    ) throws(DatabaseError) -> Statement {
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        let names = columns.joined(separator: ", ")
        return try database.prepare("INSERT OR IGNORE INTO \(table) (\(names)) VALUES (\(places))")
    }

    /// Runs a statement with its values.
    func run(_ statement: Statement, _ bind: (inout RowBinder) -> Void) throws(DatabaseError) {
        var row = RowBinder(statement, buffer)
        bind(&row)
        try statement.run()
    }

    /// Runs a statement whose first values are the run and the session.
    func run(
        _ statement: Statement,
        _ origin: OriginView,
        _ bind: (inout RowBinder) -> Void
    ) throws(DatabaseError) {
        try run(statement) { row in
            OutputRows.origin(origin, into: &row)
            bind(&row)
        }
    }

    /// Fills a session's row from the event that begins it.
    func begin(_ event: EventView, _ origin: OriginView) throws(DatabaseError) {
        try run(sessionBegin, origin) { row in
            row.int(origin.time)
            OutputRows.video(event.attributes, into: &row)
            row.json { $0.object(event.attributes) }
        }
    }

    /// Takes over what became known of a session's asset.
    func change(_ event: EventView, _ origin: OriginView) throws(DatabaseError) {
        try run(metadata, origin) { OutputRows.video(event.attributes, into: &$0) }
    }

    /// Adds a player event.
    func insert(_ event: EventView, _ origin: OriginView) throws(DatabaseError) {
        try run(self.event) { OutputRows.event(event, origin, into: &$0) }
    }

    /// Adds an event that the core made.
    func insert(control event: EventView, _ origin: OriginView) throws(DatabaseError) {
        try run(control) { OutputRows.control(event, origin, into: &$0) }
    }

    /// Adds a record.
    func insert(_ record: RecordView, _ origin: OriginView) throws(DatabaseError) {
        try run(self.record) { OutputRows.record(record, origin, into: &$0) }
    }

    /// Adds a beacon.
    func insert(_ beacon: BeaconView, _ origin: OriginView) throws(DatabaseError) {
        try run(self.beacon) { OutputRows.beacon(beacon, origin, into: &$0) }
    }
}

/// Sets the parameters of a statement one after another.
struct RowBinder: RowWriter {
    private let statement: Statement
    /// Used again and again.
    private let buffer: ByteBuffer
    private var place: Int32 = 0

    init(_ statement: Statement, _ buffer: ByteBuffer) {
        self.statement = statement
        self.buffer = buffer
    }

    mutating func int(_ number: Int64?) {
        place += 1
        if let number { statement.bind(place, number) } else { statement.bindNull(place) }
    }

    /// 0 or 1.
    mutating func truth(_ truth: Bool?) { int(truth.map { $0 ? 1 : 0 }) }

    mutating func text(_ text: UTF8Text?) {
        place += 1
        if let text { unsafe statement.bind(place, text: text.bytes) } else { statement.bindNull(place) }
    }

    mutating func textOrBytes(_ bytes: UTF8Text) {
        if unsafe isValidUTF8(bytes.bytes) { return text(bytes) }
        place += 1
        unsafe statement.bind(place, [UInt8](bytes.bytes))
    }

    mutating func json(_ write: (inout JSONWriter) -> Void) {
        place += 1
        buffer.removeAll()
        var writer = JSONWriter(buffer)
        write(&writer)
        let place = place
        let statement = statement
        unsafe buffer.withBytes { bytes in
            unsafe statement.bind(place, text: UnsafeRawBufferPointer(bytes))
        }
    }
}
