import Glibc
import NewRelicVideo
import PluginKit
import Testing

/// The page of the plugin and the code say the same.
struct DocumentationTests {
    @Test func `the page lists the attributes in their order`() throws {
        let page = try #require(Self.page())
        let timeSince = TimeSinceTable.standard.attributes.map(\.string)
        let names = StandardAttribute.allCases.map { "\($0.name)" } + timeSince
        #expect(Self.firstColumn(of: "## Attributes", in: page) == names)
    }

    @Test func `the page lists the actions`() throws {
        let page = try #require(Self.page())
        let names = StandardAction.all.map { "\($0.name)" }
        #expect(Self.firstColumn(of: "## Actions", in: page) == names)
    }

    @Test func `the page lists the keys of the configuration`() throws {
        let page = try #require(Self.page())
        let schema = try JSONParser().parse(TrackerConfiguration.schemaText)
        #expect(Self.firstColumn(of: "## Configuration", in: page) == schema["properties"]?.object?.keys)
    }

    @Test func `the page lists the commands`() throws {
        let page = try #require(Self.page())
        let names = TrackerCommand.allCases.map { "`\($0.rawValue)`" }
        let section = page.drop { $0 != "## Commands" }.dropFirst().prefix { !$0.hasPrefix("## ") }
        for name in names { #expect(section.contains { $0.contains(name) }, "\(name)") }
    }

    @Test func `the page has a line for each statement of the guide`() throws {
        let page = try #require(Self.page())
        for row in 1...69 { #expect(page.contains { $0.hasPrefix("| 003-\(row) |") }, "\(row)") }
    }

    /// The names in the first column of a section's first table.
    private static func firstColumn(of heading: String, in page: [Substring]) -> [String] {
        let section = page.drop { $0 != heading }.dropFirst()
        let table = section.drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
        return table.compactMap { row in
            let cell = row.split(separator: "|", maxSplits: 1).first ?? ""
            guard cell.hasPrefix(" `"), cell.hasSuffix("` ") else { return nil }
            return String(cell.dropFirst(2).dropLast(2))
        }
    }

    private static func page() -> [Substring]? {
        // Tests/NewRelicVideoTests/DocumentationTests.swift lies three steps below the top folder.
        let top = "\(#filePath)".split(separator: "/").dropLast(3).joined(separator: "/")
        guard let file = unsafe fopen("/\(top)/docs/plugins/new-relic-video.md", "r") else { return nil }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        var character = unsafe getc(file)
        while character != EOF {
            bytes.append(UInt8(truncatingIfNeeded: character))
            character = unsafe getc(file)
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    }
}
