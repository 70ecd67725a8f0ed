import AdobeHeartbeat
import Glibc
import PluginKit
import Testing

/// The pages and the code say the same.
@Suite struct DocumentationTests {
    private static let pages = ["docs/plugins/adobe-heartbeat.md", "docs/plugins/adobe-analytics.md"]

    @Test("The page lists the keys of the configuration")
    func configuration() throws {
        let page = try Self.lines(of: Self.pages[0])
        let schema = try JSONParser().parse(HeartbeatConfiguration.schemaText)
        let table = page.drop { $0 != "## Configuration" }.drop { !$0.hasPrefix("| Key") }.prefix { $0.hasPrefix("|") }
        let keys = table.compactMap { $0.split(separator: "`").dropFirst().first.map(String.init) }
        #expect(keys == schema["properties"]?.object?.keys)
    }

    @Test("Each statement of the guides stands in one row")
    func everyRow() throws {
        let rows = try Self.rows().map(\.id)
        let expected = (1...95).map { "000-\($0)" } + (1...70).map { "001-\($0)" }
        #expect(rows.count == expected.count)
        #expect(Set(rows) == Set(expected))
    }

    @Test("Each test that a row names exists")
    func testsExist() throws {
        var sources = ""
        let targets = [
            "AdobeHeartbeatTests", "AdobeAnalyticsTests", "TallyTests", "EventModelTests", "EmbeddingTests",
            "HostSupportTests", "PlayerTests", "PlayerTests/Simulated", "ControlTests", "CoordinatorTests/Plugins",
            "DeterminismTests",
            "RuntimeControlTests",
        ]
        for target in targets {
            for name in try Self.names(in: "Tests/\(target)") where name.hasSuffix(".swift") {
                sources += try Self.text(of: "Tests/\(target)/\(name)")
            }
        }
        var named = 0
        for row in try Self.rows() + Self.easilyLost() {
            for name in row.evidence.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            where name.offset % 2 == 1 && !name.element.hasSuffix(".swift") {
                named += 1
                let isThere = sources.contains("\"\(name.element)\"")
                #expect(isThere, "\(row.id) names \(name.element)")
            }
        }
        #expect(named > 100)
    }

    @Test("The page leads to examples of reports, as the 1.3.1 guide does")
    func examples() throws {
        let page = try Self.lines(of: Self.pages[1])
        let section = page.drop { $0 != "## Where the reports are" }.dropFirst().prefix { !$0.hasPrefix("## ") }
        #expect(section.contains { $0.hasPrefix("| examples of video reports | ") && $0.contains("Video Reports") })
    }

    private static func rows() throws -> [(id: String, evidence: Substring)] {
        try pages.flatMap { page in
            try lines(of: page).compactMap { line -> (id: String, evidence: Substring)? in
                guard line.hasPrefix("| 000-") || line.hasPrefix("| 001-") else { return nil }
                let cells = line.split(separator: "|")
                guard cells.count == 3 else { return nil }
                return (cells[0].filter { $0 != " " }, cells[2])
            }
        }
    }

    /// The rows of the table of what is easily lost, by their rule.
    private static func easilyLost() throws -> [(id: String, evidence: Substring)] {
        let section = try lines(of: pages[0]).drop { $0 != "## What is easily lost" }
        return section.drop { !$0.hasPrefix("| Rule") }.prefix { $0.hasPrefix("|") }.dropFirst(2).compactMap { line in
            let cells = line.split(separator: "|")
            return cells.count == 2 ? (String(cells[0]), cells[1]) : nil
        }
    }

    // MARK: - Files

    // Tests/AdobeHeartbeatTests/DocumentationTests.swift lies three steps below the top folder.
    private static let top = "/" + "\(#filePath)".split(separator: "/").dropLast(3).joined(separator: "/")

    private struct Unreadable: Error {
        let path: String
    }

    private static func lines(of path: String) throws -> [Substring] {
        try text(of: path).split(separator: "\n", omittingEmptySubsequences: false)
    }

    private static func text(of path: String) throws -> String {
        guard let file = unsafe fopen("\(top)/\(path)", "re") else { throw Unreadable(path: path) }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        while true {
            let byte = unsafe getc(file)
            guard byte >= 0 else { break }
            bytes.append(UInt8(byte))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func names(in path: String) throws -> [String] {
        guard let folder = unsafe opendir("\(top)/\(path)") else { throw Unreadable(path: path) }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            names.append(
                unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                    unsafe tuple.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
                }
            )
        }
        return names
    }
}
