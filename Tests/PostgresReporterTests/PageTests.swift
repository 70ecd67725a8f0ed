import PluginKit
import Postgres
import TestFiles
import Testing
import TextEncoding

/// The plugin's page against the code.
@Suite("The page of the reporter postgres")
struct PageTests {
    @Test("It has every key of the schema and every command")
    func keys() throws {
        let page = try TestFile.source("docs/plugins/postgres.md")
        let schema = try JSONParser().parse(PostgresReporter.descriptor.configurationSchema)
        let keys = schema["properties"]?.object?.map(\.key) ?? []
        #expect(keys.count > 5)
        for key in keys + PostgresReporter.commands.map(\.name) {
            #expect(page.contains("| `\(key)` |"), "\(key)")
        }
    }
}
