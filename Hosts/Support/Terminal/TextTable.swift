/// Columns of text.
package enum TextTable {
    /// The rows as lines, each column as wide as its widest text and the last as it is.
    package static func aligned(_ rows: [[String]]) -> [String] {
        var widths: [Int] = []
        for row in rows {
            for (column, text) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], text.count)
            }
        }
        return rows.map { row in
            let cells = row.enumerated().map { column, text in
                column == row.count - 1 ? text : text + String(repeating: " ", count: widths[column] - text.count)
            }
            return cells.joined(separator: "  ")
        }
    }
}
