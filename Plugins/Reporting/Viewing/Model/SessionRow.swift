internal import Metrics
internal import TextEncoding

/// A session as a row of the list: each column said once, with its name in the model.
enum SessionRow {
    /// Metrics of the row, behind what names the session.
    private static let metrics = [
        "startup_ms", "play_ms", "rebuffer_ms", "rebuffer_count", "rebuffer_ratio", "average_bitrate_bps", "errors",
        "ads",
        "progress",
    ].map { Metric.named($0) }

    /// The names of the columns.
    static let columns =
        ["run", "session", "loaded_ms", "asset", "title", "stream_type", "end_reason"] + metrics.map(\.name)

    /// The row as JSON.
    static func json(_ session: SessionMetrics) -> [UInt8] {
        let buffer = ByteBuffer(capacity: 256)
        var writer = JSONWriter(buffer)
        writer.beginArray()
        writer.string(session.run.description)
        writer.int(Int64(session.session))
        writer.int(session.loadedAt / 1000)
        for name in ["video_id", "video_name", "stream_type"] {
            if let text = session.attributes[name] { writer.string(text.description) } else { writer.null() }
        }
        writer.string(session.endReason.description)
        for metric in metrics { writer.metric(metric.value(session), metric.unit) }
        writer.endArray()
        return buffer.bytes
    }

    /// A row as a line of text with commas.
    static func text(_ json: [UInt8]) -> String {
        let cells = (try? JSONParser().parse(json))?.array ?? []
        return cells.map { cell in
            let text = cell.string ?? (cell.isNull ? "" : cell.canonicalText)
            // A spreadsheet takes such a cell for a formula.
            let plain = "=+-@".contains(text.prefix(1)) && cell.string != nil && !text.isEmpty ? "'" + text : text
            guard plain.contains(where: { "\",\n\r".contains($0) }) else { return plain }
            return "\"" + plain.replacing("\"", with: "\"\"") + "\""
        }.joined(separator: ",")
    }
}
