import ChildPrograms
import HostSupport
import PlaybackEngine
import Testing
import tally_player

/// The reference against the program.
struct DocumentationTests {
    @Test("The reference explains every option that the help has, and no other")
    func options() async throws {
        let help = try await ChildProgram.run(["--help"])
        #expect(help.code == 0)
        let reference = try TestFile.source("docs/cli.md")
        let sections = try section("tally-player", of: reference) + section("Options of both programs", of: reference)
        // An option's row in the help begins with its name, and its row in the reference with the name as code.
        let offered = help.output.split(separator: "\n").filter { $0.hasPrefix("  ") }.compactMap { line in
            line.dropFirst(6).hasPrefix("--") ? line.dropFirst(6).prefix { $0 != " " } : nil
        }
        let explained = sections.split(separator: "\n").compactMap { line -> Substring? in
            guard line.hasPrefix("| `-"), let dashes = line.firstRange(of: "--") else { return nil }
            return line[dashes.lowerBound...].prefix { $0 != " " && $0 != "`" }
        }
        #expect(offered.count > 10)
        #expect(offered.sorted() == explained.sorted())
    }

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
