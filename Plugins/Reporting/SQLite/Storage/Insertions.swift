internal import Database
internal import PluginABI
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

    /// The state's bits in the order of their columns.
    private static let flags = [
        TALLY_STATE_PLAYING, TALLY_STATE_PAUSED, TALLY_STATE_SEEKING, TALLY_STATE_BUFFERING, TALLY_STATE_IN_AD_BREAK,
        TALLY_STATE_IN_AD, TALLY_STATE_IN_CHAPTER, TALLY_STATE_STARTED, TALLY_STATE_ENDED, TALLY_STATE_INTERRUPTED,
        TALLY_STATE_BACKGROUND,
    ]

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
        event = try Self.insertion("events", Schema.eventColumns, database)
        control = try Self.insertion("control_events", Schema.controlColumns, database)
        record = try Self.insertion("records", Schema.recordColumns, database)
        beacon = try Self.insertion("beacons", Schema.beaconColumns, database)
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
        var row = RowBinder(statement)
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
            row.text(origin.playerRunID)
            row.int(Int64(origin.session))
            bind(&row)
        }
    }

    /// Fills a session's row from the event that begins it.
    func begin(_ event: EventView, _ origin: OriginView, _ buffer: ByteBuffer) throws(DatabaseError) {
        try run(sessionBegin, origin) { row in
            row.int(origin.time)
            bindVideo(event.attributes, &row)
            row.json(buffer) { $0.object(event.attributes) }
        }
    }

    /// Takes over what became known of a session's asset.
    func change(_ event: EventView, _ origin: OriginView) throws(DatabaseError) {
        try run(metadata, origin) { bindVideo(event.attributes, &$0) }
    }

    private func bindVideo(_ attributes: AttributeList, _ row: inout RowBinder) {
        row.text(attributes[.videoID]?.string)
        row.text(attributes[.videoName]?.string)
        row.text(attributes[.streamType]?.string)
        row.text(attributes[.videoCDN]?.string)
        // No name of the vocabulary: applications know it, and say it under this name.
        row.text(attributes["country"]?.string)
    }

    /// Adds a player event.
    func insert(_ event: EventView, _ origin: OriginView, _ buffer: ByteBuffer) throws(DatabaseError) {
        let state = event.state
        try run(self.event, origin) { row in
            row.int(Int64(bitPattern: event.ordinal))
            row.int(event.time)
            row.text(event.typeName)
            row.int(Int64(event.flags))
            for flag in Self.flags { row.truth(state.has(flag)) }
            for number in [
                state.playheadMilliseconds, state.adPlayheadMilliseconds, state.durationMilliseconds, state.bitrate,
                state.throughput, state.droppedFrames, state.renderedFrames, state.width.map(Int64.init),
                state.height.map(Int64.init), state.rateMilli.map(Int64.init), state.volumeMilli.map(Int64.init),
            ] {
                row.int(number)
            }
            row.truth(state.isMuted)
            row.truth(state.isFullscreen)
            row.truth(state.isLive)
            row.json(buffer) { $0.object(event.attributes) }
            let isReported = unsafe state.raw.pointee.reported_age_us == 0
            row.int(isReported ? state.reportedPlayheadMilliseconds : nil)
        }
    }

    /// Adds an event that the core made.
    func insert(control event: EventView, _ origin: OriginView, _ buffer: ByteBuffer) throws(DatabaseError) {
        try run(control, origin) { row in
            row.int(event.time)
            row.text(event.typeName)
            row.text(event.attributes[.plugin]?.string ?? UTF8Text(""))
            row.json(buffer) { $0.object(event.attributes) }
        }
    }

    /// Adds a record.
    func insert(_ record: RecordView, _ origin: OriginView, _ buffer: ByteBuffer) throws(DatabaseError) {
        try run(self.record, origin) { row in
            bindPlugin(origin, &row)
            row.text(record.kind)
            row.json(buffer) { $0.object(record.attributes) }
        }
    }

    /// Adds a beacon.
    func insert(_ beacon: BeaconView, _ origin: OriginView, _ buffer: ByteBuffer) throws(DatabaseError) {
        try run(self.beacon, origin) { row in
            bindPlugin(origin, &row)
            row.text(beacon.destination)
            row.text(beacon.method)
            row.textOrBytes(beacon.url)
            row.json(buffer) { writer in
                writer.beginArray()
                for index in 0..<beacon.headerCount {
                    let header = beacon.header(index)
                    writer.beginArray()
                    writer.string(header.name)
                    writer.string(header.value)
                    writer.endArray()
                }
                writer.endArray()
            }
            row.textOrBytes(beacon.body)
            row.text(beacon.credential.count > 0 ? beacon.credential : nil)
            row.int(Int64(beacon.options.rawValue))
            row.int(beacon.maximumAgeSeconds)
            row.json(buffer) { writer in
                writer.beginArray()
                for ordinal in beacon.records { writer.unsigned(ordinal) }
                writer.endArray()
            }
        }
    }

    private func bindPlugin(_ origin: OriginView, _ row: inout RowBinder) {
        row.text(origin.instance)
        row.int(Int64(bitPattern: origin.ordinal))
        row.int(origin.time)
        row.text(origin.plugin)
        row.text(origin.pluginVersion)
    }
}

/// Sets the parameters of a statement one after another.
struct RowBinder {
    private let statement: Statement
    private var place: Int32 = 0

    init(_ statement: Statement) { self.statement = statement }

    /// Sets the next parameter to a number, or to NULL.
    mutating func int(_ number: Int64?) {
        place += 1
        if let number { statement.bind(place, number) } else { statement.bindNull(place) }
    }

    /// Sets the next parameter to 0 or 1, or to NULL.
    mutating func truth(_ truth: Bool?) { int(truth.map { $0 ? 1 : 0 }) }

    /// Sets the next parameter to text, or to NULL.
    mutating func text(_ text: UTF8Text?) {
        place += 1
        if let text { unsafe statement.bind(place, text: text.bytes) } else { statement.bindNull(place) }
    }

    /// Sets the next parameter to text when the bytes are UTF-8, else to bytes.
    mutating func textOrBytes(_ bytes: UTF8Text) {
        if unsafe isValidUTF8(bytes.bytes) { return text(bytes) }
        place += 1
        unsafe statement.bind(place, [UInt8](bytes.bytes))
    }

    /// Sets the next parameter to the JSON text that the closure writes into the buffer, which is used again and again.
    mutating func json(_ buffer: ByteBuffer, _ write: (inout JSONWriter) -> Void) {
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
