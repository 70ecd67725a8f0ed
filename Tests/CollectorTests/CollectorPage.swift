import ChildPrograms
import Glibc
import TestFiles
import Testing

/// The page on the collector, docs/collector.md, and what runs its blocks.
enum CollectorPage {
    /// The first block of a language below a heading of the page, such as `## Tenants`.
    static func block(_ language: String, below heading: String) throws -> String {
        let page = try TestFile.text(Repository.path("docs/collector.md"))
        let below = try #require(page.split(separator: "\n\(heading)\n").dropFirst().first)
        let block = try #require(below.split(separator: "\n```\(language)\n").dropFirst().first)
        return String(try #require(block.split(separator: "\n```").first)) + "\n"
    }

    /// Whether a program is on the `PATH`.
    static func hasProgram(_ name: String) -> Bool {
        let path = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? ""
        return path.split(separator: ":").contains { unsafe access("\($0)/\(name)", X_OK) == 0 }
    }

    /// Whether Python has a module.
    static func hasModule(_ name: String) async throws -> Bool {
        try await ChildProgram.run("/usr/bin/env", ["python3", "-c", "import \(name)"]).code == 0
    }

    /// Runs commands of the page as a reader would: in a folder, with the programs on the `PATH`.
    static func run(_ commands: String, in folder: String) async throws -> ChildProgram.Outcome {
        let script = "set -eu; cd '\(folder)'; PATH='\(TestFile.products)':$PATH\n\(commands)"
        return try await ChildProgram.run("/bin/bash", ["-c", script])
    }
}
