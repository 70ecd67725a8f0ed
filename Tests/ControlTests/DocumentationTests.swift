import HostSupport
import Tally
import TestFiles
import Testing

/// The page on control against the program.
struct DocumentationTests {
    private func page() throws -> String {
        try TestFile.source("docs/control.md")
    }

    /// The first cells of the rows under a heading, as code.
    private func cells(under heading: String) throws -> [String] {
        let page = try page()
        let start = try #require(page.firstRange(of: "\n\(heading)\n"))
        let rest = page[start.upperBound...]
        let ends = ["\n## ", "\n" + heading.prefix { $0 == "#" } + " "].compactMap {
            rest.firstRange(of: $0)?.lowerBound
        }
        let section = rest[..<(ends.min() ?? rest.endIndex)]
        return section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { row -> String in
            let code = row.dropFirst(3)
            return String(code[..<(code.firstIndex(of: "`") ?? code.endIndex)]).replacing("\\|", with: "|")
        }
    }

    @Test("Every command has its row, and there is no row without a command")
    func commands() throws {
        let rows = try cells(under: "## Commands")
        #expect(rows.sorted() == ControlVocabulary.entries.map(\.usage).sorted())
    }

    @Test("Every error has its row")
    func errors() throws {
        #expect(try cells(under: "### Errors") == ControlError.Kind.allCases.map(\.rawValue))
    }

    @Test("The limits are those of the program")
    func limits() throws {
        let page = try page()
        let limits = ControlLimits()
        for text in [
            "| Clients at one time | \(limits.clients);", "| A message | \(limits.messageBytes) bytes;",
            "| Messages in a second | \(limits.messagesPerSecond) a client;",
            "| Commands that wait for their turn | \(limits.pending) a client;",
            "| Replies that wait to be read | \(limits.unreadBytes / 1024) KiB a client;",
            "| \(limits.tapBytes / 1024) KiB a client, \(limits.allTapBytes / 1_048_576) MiB in all;",
            "disconnected after \(limits.patience / 1000) s |",
        ] {
            #expect(page.contains(text), "\(text)")
        }
    }
}
