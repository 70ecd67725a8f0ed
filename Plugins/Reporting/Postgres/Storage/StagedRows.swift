internal import MetricTables
internal import PluginKit

/// What a batch brings: rows for the large tables, and statements for runs and sessions, in the batch's order.
final class StagedRows {
    /// A statement with its parameters.
    struct StagedStatement {
        let text: String
        let parameters: [String?]
    }

    /// What is done to runs and sessions, and to the count of losses.
    private(set) var statements: [StagedStatement] = []
    /// The sessions that ended.
    private(set) var ended: Set<SessionName> = []

    private let keepsSamples: Bool
    private let events = ByteBuffer(capacity: 65_536)
    private let controls = ByteBuffer(capacity: 256)
    private let records = ByteBuffer(capacity: 4096)
    private let beacons = ByteBuffer(capacity: 4096)
    private let scratch = ByteBuffer(capacity: 4096)
    /// Where the output before came from.
    private var session: SessionName?

    init(keepsSamples: Bool) { self.keepsSamples = keepsSamples }

    /// The tables that there are rows for, with these.
    var filled: [(table: PostgresSchema.Table, rows: ByteBuffer)] {
        zip(PostgresSchema.Table.all, [events, controls, records, beacons]).filter { !$0.1.isEmpty }
            .map { (table: $0, rows: $1) }
    }

    /// Adds an output.
    func add(_ output: OutputView) {
        let origin = output.origin
        if output.kind == .gap {
            return perform(
                "INSERT INTO losses VALUES ((extract(epoch FROM now()) * 1000000)::bigint, $1)",
                ["\(Int64(clamping: output.lostCount))"]
            )
        }
        enter(origin)
        if let record = output.record {
            append(to: records) { OutputRows.record(record, origin, into: &$0) }
        } else if let beacon = output.beacon {
            append(to: beacons) { OutputRows.beacon(beacon, origin, into: &$0) }
        } else if let event = output.event {
            output.kind == .event ? add(event, origin) : begin(event, origin)
        } else if output.kind == .sessionEnd {
            perform(
                "UPDATE sessions SET ended_us = $3 WHERE run = $1 AND session = $2 AND ended_us IS NULL",
                SessionName(origin).parameters + ["\(origin.time)"]
            )
            ended.insert(SessionName(origin))
        } else if output.kind == .runEnd {
            perform(
                "UPDATE runs SET ended_us = $2 WHERE run = $1 AND ended_us IS NULL",
                [origin.playerRunID.string, "\(origin.time)"]
            )
        }
    }

    private func add(_ event: EventView, _ origin: OriginView) {
        guard event.type.isFromPlayer else {
            return append(to: controls) { OutputRows.control(event, origin, into: &$0) }
        }
        if event.type == .playheadSample, !keepsSamples { return }
        append(to: events) { OutputRows.event(event, origin, into: &$0) }
        guard event.type == .metadataChange else { return }
        var row = ParameterRow()
        OutputRows.origin(origin, into: &row)
        OutputRows.video(event.attributes, into: &row)
        perform(
            """
            UPDATE sessions SET video_id = coalesce($3, video_id), video_name = coalesce($4, video_name),
                stream_type = coalesce($5, stream_type), video_cdn = coalesce($6, video_cdn),
                country = coalesce($7, country) WHERE run = $1 AND session = $2
            """,
            row.values
        )
    }

    /// Fills a session's row from the event that begins it.
    private func begin(_ event: EventView, _ origin: OriginView) {
        var row = ParameterRow()
        OutputRows.origin(origin, into: &row)
        row.int(origin.time)
        OutputRows.video(event.attributes, into: &row)
        row.json { $0.object(event.attributes) }
        perform(
            """
            UPDATE sessions SET begun_us = $3, video_id = $4, video_name = $5, stream_type = $6, video_cdn = $7,
                country = $8, attributes = $9 WHERE run = $1 AND session = $2 AND begun_us IS NULL
            """,
            row.values
        )
    }

    /// Sees to it that the run and the session of an output have their rows: the reporter may have joined late.
    private func enter(_ origin: OriginView) {
        let name = SessionName(origin)
        guard name != session else { return }
        session = name
        perform(
            "INSERT INTO runs VALUES ($1, $2) ON CONFLICT DO NOTHING",
            [name.run, "\(origin.epochMicroseconds)"]
        )
        guard name.session > 0 else { return }
        perform("INSERT INTO sessions VALUES ($1, $2) ON CONFLICT DO NOTHING", name.parameters)
    }

    private func append(to rows: ByteBuffer, _ write: (inout CopyRow) -> Void) {
        var row = CopyRow(rows, scratch)
        write(&row)
        row.end()
    }

    private func perform(_ text: String, _ parameters: [String?]) {
        statements.append(StagedStatement(text: text, parameters: parameters))
    }
}
