internal import TextEncoding

/// Rows of values, for spreadsheets (RFC 4180, with line feeds).
package enum MetricColumns {
    /// The names of the columns of sessions.
    package static func ofSessions(_ dimensions: [String]) -> String {
        row(["run", "session", "loaded_at", "is_open", "end_reason"] + dimensions + Metric.all.map(\.name))
    }

    /// The row of a session.
    package static func row(of session: SessionMetrics, _ dimensions: [String]) -> String {
        let date = CivilDate(microsecondsSinceEpoch: session.loadedAt).iso8601
        return row(
            ["\(session.run)", "\(session.session)", date, "\(session.isOpen)", "\(session.endReason)"]
                + dimensions.map { MetricSet.value(of: $0, session)?.description ?? "" }
                + Metric.all.map { metric in
                    number { writer in metric.value(session).map { writer.metric(Int128($0), metric.unit) } }
                }
        )
    }

    /// The headline figures of all sessions, and below of each group that is told.
    package static func table(of set: MetricSet, limit: Int) -> String {
        var text = row(["dimension", "value"] + Headline.all.map(\.name))
        text += row(["", ""] + figures(of: set.total))
        for (place, dimension) in set.dimensions.enumerated() {
            for (value, group) in set.told(place, limit: limit) {
                text += row([dimension, value.description] + figures(of: group))
            }
        }
        return text
    }

    /// The headline figures of all sessions, by their names; "-" for what has none.
    package static func figures(of set: MetricSet) -> [(name: String, value: String)] {
        zip(Headline.all, figures(of: set.total)).map { ($0.name, $1.isEmpty ? "-" : $1) }
    }

    private static func figures(of group: MetricGroup) -> [String] {
        Headline.all.map { headline in number { writer in headline.value(of: group).map { writer.figure($0) } } }
    }

    /// A number as JSON has it; "" for none.
    private static func number(_ write: (inout JSONWriter) -> Void?) -> String {
        let buffer = ByteBuffer(capacity: 32)
        var writer = JSONWriter(buffer)
        _ = write(&writer)
        return buffer.string
    }

    private static func row(_ cells: [String]) -> String {
        cells.map(quoted).joined(separator: ",") + "\n"
    }

    private static func quoted(_ cell: String) -> String {
        guard cell.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else { return cell }
        return "\"" + cell.replacing("\"", with: "\"\"") + "\""
    }
}
