import HostSupport
import Testing

struct ExitCodeTests {
    @Test("Every code has a number, a name and a sentence of its own")
    func table() {
        #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 64, 65, 66, 69, 70, 73, 74, 75, 76, 78, 130])
        #expect(Set(ExitCode.allCases.map(\.name)).count == ExitCode.allCases.count)
        #expect(ExitCode.allCases.allSatisfy { $0.meaning.hasSuffix(".") })
        let rows = ExitCode.markdownTable.split(separator: "\n")
        #expect(rows.count == ExitCode.allCases.count + 2)
        #expect(rows.contains { $0.hasPrefix("| 76 | `newer-version` |") })
    }
}
