import ChildPrograms
import HostSupport
import Testing

/// The reference against the program.
struct DocumentationTests {
    @Test("The reference has the table of exit codes as the programs have it")
    func exitCodes() throws {
        #expect(try TestFile.source("docs/cli.md").contains("\n" + ExitCode.markdownTable + "\n"))
    }
}
