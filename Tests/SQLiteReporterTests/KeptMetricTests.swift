import Database
import Glibc
import TallyTesting
import Testing

/// What is measured when a session ends, and kept.
@Suite("The metrics that are kept")
struct KeptMetricTests {
    private static let tables = ["kept_totals", "kept_minutes", "kept_ads"]
    private static let views: [(name: String, columns: Int32, order: String)] = [
        ("session_metrics", 33, "run, session"), ("session_minutes", 3, "run, session, minute"),
        ("ads", 14, "run, session, ad"), ("metrics", 19, "1"), ("video_metrics", 18, "video_id"),
        ("audience_by_minute", 5, "video_id, minute"),
    ]

    private static func figures(_ recording: Recording) throws -> [[[String]]] {
        try views.map { view in
            try recording.rows("SELECT * FROM \(view.name) ORDER BY \(view.order)", columns: view.columns)
        }
    }

    private static func change(_ recording: Recording, _ statements: String) throws {
        try Database(path: recording.path).run(statements)
    }

    /// Measures anew what was kept.
    private static func forget(_ recording: Recording) throws {
        for table in tables { try change(recording, "DELETE FROM \(table)") }
    }

    @Test("An ended session is kept, and what is kept is what its events say")
    func kept() throws {
        let recording = Recording()
        _ = try recording.run().record(ScriptedSessions.performAll)
        #expect(try recording.number("SELECT count(*) FROM kept_totals") == 5)
        #expect(try recording.number("SELECT count(*) FROM kept_minutes") > 0)
        #expect(try recording.number("SELECT count(*) FROM kept_ads") > 0)
        let kept = try Self.figures(recording)
        #expect(kept.allSatisfy { !$0.isEmpty })
        try Self.forget(recording)
        #expect(try Self.figures(recording) == kept)
    }

    @Test("A session to which an event comes later is measured anew at its next end")
    func later() throws {
        let recording = Recording()
        let run = try recording.run().record(ScriptedSessions.performAll)
        let whole = try Self.figures(recording)
        // As if the reporter had lost a session's middle: what is kept says so.
        try Self.change(recording, "DELETE FROM events WHERE session = 1 AND time_us BETWEEN 20000000 AND 60000000")
        try Self.forget(recording)
        let lacking = try Self.figures(recording)
        #expect(lacking != whole)
        try recording.replay(run)
        #expect(try Self.figures(recording) == whole)
        #expect(try recording.number("SELECT count(*) FROM kept_totals WHERE session = 1") == 1)
    }

    @Test("A file of the version before is measured when it is opened")
    func older() throws {
        let recording = Recording()
        let run = try recording.run().record(ScriptedSessions.performAll)
        let whole = try Self.figures(recording)
        for view in try recording.rows("SELECT name FROM sqlite_schema WHERE type = 'view'", columns: 1) {
            try Self.change(recording, "DROP VIEW \(view[0])")
        }
        for table in Self.tables { try Self.change(recording, "DROP TABLE \(table)") }
        try Self.change(recording, "UPDATE tally_schema SET version = 1, views = 1")
        try recording.replay(run)
        #expect(try Self.figures(recording) == whole)
        #expect(try recording.number("SELECT version FROM tally_schema") == 2)
        #expect(try recording.number("SELECT count(*) FROM kept_totals") == 5)
    }
}
