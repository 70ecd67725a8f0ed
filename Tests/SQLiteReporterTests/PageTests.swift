import Database
import PluginKit
import SQLiteReporter
import TallyTesting
import Testing

/// The plugin's page against the code.
@Suite("The page of the reporter sqlite")
struct PageTests {
    private static func page() -> String {
        let path = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return String(decoding: Recording.bytes(of: "/\(path)/docs/plugins/sqlite.md"), as: UTF8.self)
    }

    @Test("It has every key of the schema and every command")
    func keys() throws {
        let page = Self.page()
        let schema = try JSONParser().parse(SQLiteReporter.descriptor.configurationSchema)
        let keys = schema["properties"]?.object?.map(\.key) ?? []
        #expect(keys.count > 5)
        for key in keys + SQLiteReporter.commands.map(\.name) {
            #expect(page.contains("| `\(key)` |"), "\(key)")
        }
    }

    @Test("It has every table and view, and every column of the metrics")
    func columns() throws {
        let page = Self.page()
        let recording = Recording()
        _ = try recording.run().record { _, _, _ in }
        let names = try recording.rows(
            "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite%'",
            columns: 1
        )
        #expect(names.count > SQLiteReporter.views.count)
        for name in names.map({ $0[0] }) {
            #expect(page.contains("`\(name)`"), "\(name)")
        }
        for view in ["session_metrics", "metrics", "audience_by_minute", "ads"] {
            for column in try recording.rows("SELECT name FROM pragma_table_info('\(view)')", columns: 1) {
                #expect(page.contains("`\(column[0])`"), "\(view).\(column[0])")
            }
        }
    }
}
