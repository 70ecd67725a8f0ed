import Glibc
import HTTPReporter
import PluginKit
import Testing

/// The plugin's page against the code.
@Suite("The page of the reporter http")
struct PageTests {
    static func page() throws -> String {
        let path = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let file = unsafe try #require(fopen("/\(path)/docs/plugins/http.md", "r"))
        defer { unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    @Test("It has every key of the schema")
    func keys() throws {
        let page = try Self.page()
        let schema = try JSONParser().parse(HTTPReporter.descriptor.configurationSchema)
        let keys = schema["properties"]?.object?.map(\.key) ?? []
        #expect(keys.count > 10)
        for key in keys where key != "retry" {
            #expect(page.contains("`\(key)`"), "\(key)")
        }
        for key in schema["properties"]?["retry"]?["properties"]?.object?.map(\.key) ?? [] {
            #expect(page.contains("`retry.\(key)`"), "retry.\(key)")
        }
    }

    @Test("It has every command and every reason for a drop")
    func names() throws {
        let page = try Self.page()
        for command in HTTPReporter.commands {
            #expect(page.contains("| `\(command.name)` |"), "\(command.name)")
        }
        for reason in HTTPReporter.dropReasons {
            #expect(page.contains("`\(reason)`"), "\(reason)")
        }
    }
}
