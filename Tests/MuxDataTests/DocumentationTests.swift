import Glibc
import MuxData
import PluginKit
import Testing

/// The page of the plugin and the code say the same.
@Suite struct DocumentationTests {
    @Test("The page lists all fields in their order")
    func fields() throws {
        let page = try Self.page()
        var names: [String] = []
        for name in Self.firstColumn(of: "## Data objects", in: page) {
            // The twenty custom fields are one row.
            names += name == "custom_1" ? (1...20).map { "custom_\($0)" } : [name]
        }
        let documented = Set(names)
        let all = Field.allCases.map(\.name.string)
        #expect(names.count == documented.count)
        #expect(documented == Set(all), "\(documented.symmetricDifference(all))")
        let order = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1, $0) })
        let groups = Field.allCases.map(\.group)
        let indices = names.compactMap { order[$0] }
        for (first, second) in zip(indices, indices.dropFirst()) where groups[first] == groups[second] {
            #expect(first < second, "\(all[second])")
        }
    }

    @Test("The page lists all events in their order")
    func events() throws {
        #expect(Self.firstColumn(of: "## Events", in: try Self.page()) == MuxEvent.allCases.map(\.rawValue))
    }

    @Test("The page lists the keys of the configuration and the commands")
    func configuration() throws {
        let page = try Self.page()
        let schema = try JSONParser().parse(MuxConfiguration.schemaText)
        #expect(Self.firstColumn(of: "## Configuration", in: page) == schema["properties"]?.object?.keys)
        #expect(Self.firstColumn(of: "## Commands", in: page) == MuxDataTracker.commands.map(\.name))
    }

    @Test("Each statement of the guide has its row, and what the row names is there")
    func statements() throws {
        let page = try Self.page()
        let section = Self.section("## The guide, statement by statement", of: page)
        let rows = section.filter { $0.hasPrefix("| 004-") }
        #expect(rows.map { $0.split(separator: " ")[1] } == (1...58).map { "004-\($0)" })
        let tests = try Self.tests()
        let anchors = page.filter { $0.hasPrefix("#") }.map(Self.anchor)
        for row in section where row.hasPrefix("| ") && !row.hasPrefix("| Row") && !row.hasPrefix("| Vector") {
            let cell = row.split(separator: "|").last { !$0.allSatisfy(\.isWhitespace) } ?? ""
            let names = Self.quoted(cell, "\"", "\"")
            let links = Self.quoted(cell, "(#", ")")
            #expect(names.count + links.count > 0, "\(row)")
            for name in names {
                #expect(tests.contains("\"\(name)\""), "no test is called \(name)")
            }
            for link in links {
                #expect(anchors.contains(link), "no section is called \(link)")
            }
        }
    }

    // MARK: - Reading

    private static func quoted(_ text: Substring, _ begin: String, _ end: String) -> [String] {
        var found: [String] = []
        var rest = text[...]
        while let start = rest.firstRange(of: begin) {
            rest = rest[start.upperBound...]
            guard let stop = rest.firstRange(of: end) else { break }
            found.append(String(rest[..<stop.lowerBound]))
            rest = rest[stop.upperBound...]
        }
        return found
    }

    private static func anchor(_ heading: Substring) -> String {
        let text = heading.drop { $0 == "#" || $0 == " " }.lowercased()
        return String(text.filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" }.map { $0 == " " ? "-" : $0 })
    }

    private static func section(_ heading: String, of page: [Substring]) -> [Substring] {
        Array(page.drop { $0 != heading }.dropFirst().prefix { !$0.hasPrefix("## ") })
    }

    /// The names in the first column of a section's tables.
    private static func firstColumn(of heading: String, in page: [Substring]) -> [String] {
        section(heading, of: page).compactMap { row in
            guard row.hasPrefix("| `") else { return nil }
            return row.dropFirst(3).firstIndex(of: "`").map { String(row.dropFirst(3)[..<$0]) }
        }
    }

    private static func page() throws -> [Substring] {
        try #require(text(of: "docs/plugins/mux-data.md")).split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The sources of these tests.
    private static func tests() throws -> String {
        let scenarios = [
            "Playback", "Speed", "Order", "Ad", "AdPicture", "Data", "Source", "TimeUpdate", "Request", "Error",
        ].map { "\($0)Scenarios" }
        let tests = ["Beacon", "Player", "Configuration", "Metric", "Data", "Sleep"].map { "\($0)Tests" }
        return try (scenarios + tests)
            .map { try #require(text(of: "Tests/MuxDataTests/\($0).swift")) }.joined()
    }

    private static func text(of path: String) -> String? {
        // Tests/MuxDataTests/DocumentationTests.swift lies three steps below the top folder.
        let top = "\(#filePath)".split(separator: "/").dropLast(3).joined(separator: "/")
        guard let file = unsafe fopen("/\(top)/\(path)", "r") else { return nil }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        var character = unsafe getc(file)
        while character != EOF {
            bytes.append(UInt8(truncatingIfNeeded: character))
            character = unsafe getc(file)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
