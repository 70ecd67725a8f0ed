import HostSupport
import PlaybackEngine
import Testing
import tally_player

/// The reference against the program.
struct DocumentationTests {
    @Test("The reference has every error code of the engine with its exit code")
    func errorCodes() throws {
        let section = try section("tally-player", of: TestFile.source("docs/cli.md"))
        let rows = section.split(separator: "\n").filter { row in
            EngineError.Code.allCases.contains { row.hasPrefix("| `\($0.rawValue)` |") }
        }
        let expected = EngineError.Code.allCases.map { "| `\($0.rawValue)` | \($0.exitCode.rawValue) |" }
        #expect(rows.count == expected.count)
        for (row, begin) in zip(rows, expected) {
            #expect(row.hasPrefix(begin))
        }
    }

    /// A section's text up to the next heading of its level.
    private func section(_ title: String, of text: String) throws -> Substring {
        let start = try #require(text.firstRange(of: "\n## \(title)\n"))
        let rest = text[start.upperBound...]
        return rest[..<(rest.firstRange(of: "\n## ")?.lowerBound ?? rest.endIndex)]
    }
}
