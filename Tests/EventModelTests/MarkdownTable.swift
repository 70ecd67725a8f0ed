/// The tables of a page, by the names of their columns.
struct MarkdownTable {
    /// A page without the table that a test looks for.
    struct Missing: Error, CustomStringConvertible {
        let page: String
        let columns: [String]
        var description: String { "\(page) has no table with the columns \(columns.joined(separator: ", "))" }
    }

    /// The rows: the text of each cell, without the marks of code.
    let rows: [[String]]

    /// The first table of a page that has these columns.
    init(page: String, columns: [String]) throws {
        guard let first = try Self.all(page: page, columns: columns).first else {
            throw Missing(page: page, columns: columns)
        }
        self = first
    }

    private init(rows: [[String]]) {
        self.rows = rows
    }

    /// All tables of a page that have these columns.
    static func all(page: String, columns: [String]) throws -> [MarkdownTable] {
        var tables: [MarkdownTable] = []
        var rows: [[String]]?
        for line in try SourceFile.text(page).split(separator: "\n", omittingEmptySubsequences: false) {
            let cells = Self.cells(line)
            if cells.isEmpty {
                if let rows { tables.append(MarkdownTable(rows: rows)) }
                rows = nil
            } else if rows == nil {
                if cells == columns { rows = [] }
            } else if !cells.allSatisfy({ $0.allSatisfy { $0 == "-" } && $0.count > 1 }) {
                rows?.append(cells)
            }
        }
        return tables
    }

    /// The words of a cell that are marked as code.
    static func words(_ cell: String) -> [String] {
        cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
    }

    private static func cells(_ line: Substring) -> [String] {
        guard line.hasPrefix("|"), line.hasSuffix("|") else { return [] }
        return line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false).map { cell in
            var text = cell
            while text.first == " " { text.removeFirst() }
            while text.last == " " { text.removeLast() }
            return String(text)
        }
    }
}
