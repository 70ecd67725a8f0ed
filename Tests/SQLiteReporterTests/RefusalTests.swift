import Database
import SQLiteReporter
import Tally
import TallyTesting
import Testing

/// Files that the reporter cannot use.
@Suite("The reporter sqlite refuses")
struct RefusalTests {
    /// What the host says of the refusal; nil when there is none.
    private static func refusal(_ recording: Recording) -> String? {
        do {
            _ = try recording.run().record { _, _, _ in }
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test("A file that is no database, and leaves it as it is")
    func noDatabase() throws {
        let recording = Recording()
        let text = String(repeating: "these are the notes of somebody else\n", count: 100)
        Recording.write(text, to: recording.path)
        let refusal = try #require(Self.refusal(recording))
        #expect(refusal.contains("'\(recording.path)' is no SQLite database and was left as it is"))
        #expect(Recording.bytes(of: recording.path) == Array(text.utf8))
    }

    @Test("A database of something else, and leaves it as it is")
    func foreign() throws {
        let recording = Recording()
        try Database(path: recording.path).run("CREATE TABLE songs (title TEXT)")
        let before = Recording.bytes(of: recording.path)
        let refusal = try #require(Self.refusal(recording))
        #expect(refusal.contains("'\(recording.path)' is a database with other tables and was left as it is"))
        #expect(Recording.bytes(of: recording.path) == before)
    }

    @Test("A database of a later version, and names both versions")
    func newer() throws {
        let recording = Recording()
        #expect(Self.refusal(recording) == nil)
        let later = SQLiteReporter.schemaVersion + 1
        try Database(path: recording.path).run("UPDATE tally_schema SET version = \(later)")
        let refusal = try #require(Self.refusal(recording))
        #expect(refusal.contains("has tables of version \(later), and this reporter knows them up to \(later - 1)"))
    }

    @Test("A folder that is not there, and says what to look at")
    func noFolder() throws {
        let recording = Recording()
        let run = VirtualRun(
            plugins: [
                PluginSelection(
                    "org.tally.reporter.sqlite",
                    name: "sqlite",
                    configuration: ["path": .string(recording.folder + "/missing/tally.db")]
                )
            ],
            sources: Recording.sources
        )
        #expect {
            _ = try run.record { _, _, _ in }
        } throws: { error in
            "\(error)".contains("/missing/tally.db': unable to open database file; check that the folder is there")
        }
    }

    @Test("Views of an earlier version are made anew")
    func views() throws {
        let recording = Recording()
        #expect(Self.refusal(recording) == nil)
        try Database(path: recording.path).run(
            "DROP VIEW errors; DROP VIEW metrics; CREATE VIEW metrics AS SELECT 1 AS old; "
                + "UPDATE tally_schema SET views = 0"
        )
        #expect(Self.refusal(recording) == nil)
        #expect(try recording.number("SELECT sessions FROM metrics").isNaN == false)
        #expect(try recording.rows("SELECT * FROM errors", columns: 1) == [])
    }
}
