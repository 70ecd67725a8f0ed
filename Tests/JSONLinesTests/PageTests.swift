import Glibc
import JSONLines
import PluginKit
import Testing

/// The plugin's page against the code.
@Suite("The page of the reporter jsonlines")
struct PageTests {
    @Test("It has every key of the schema")
    func keys() throws {
        let path = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let file = unsafe try #require(fopen("/\(path)/docs/plugins/jsonlines.md", "r"))
        defer { unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        let page = String(decoding: bytes[..<count], as: UTF8.self)
        let schema = try JSONParser().parse(JSONLinesReporter.descriptor.configurationSchema)
        let keys = schema["properties"]?.object?.map(\.key) ?? []
        #expect(keys.count > 8)
        for key in keys {
            #expect(page.contains("| `\(key)` |"), "\(key)")
        }
    }
}
