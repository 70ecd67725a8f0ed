import ChildPrograms
import TestFiles
import Testing

/// A program that stands in docs/collector.md.
enum DocumentedProgram {
    /// The first block of a language below a heading.
    static func text(_ language: String, below heading: String) throws -> String {
        let page = try TestFile.text(Repository.path("docs/collector.md"))
        let below = try #require(page.split(separator: "\n\(heading)\n").last)
        let block = try #require(below.split(separator: "\n```\(language)\n").dropFirst().first)
        return String(try #require(block.split(separator: "\n```").first)) + "\n"
    }

    /// Whether a program is on the path, or there.
    static func isInstalled(_ program: String) async throws -> Bool {
        try await ChildProgram.run("/bin/sh", ["-c", "command -v \(program)"]).code == 0
    }
}
