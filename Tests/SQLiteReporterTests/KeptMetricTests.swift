import Database
import EventModel
import Glibc
import Tally
import TallyTesting
import Testing

/// What is measured when a session ends, and kept.
@Suite("The metrics that are kept")
struct KeptMetricTests {
    private static let tables = ["kept_totals", "kept_minutes", "kept_ads"]
    private static let views: [(name: String, columns: Int32, order: String)] = [
        ("session_metrics", 49, "run, session"), ("session_minutes", 3, "run, session, minute"),
        ("ads", 14, "run, session, ad"), ("metrics", 23, "1"), ("video_metrics", 22, "video_id"),
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

    @Test("A file of an earlier version is measured when it is opened", arguments: [1, 2, 3])
    func older(version: Int) throws {
        let recording = Recording()
        _ = try recording.run().record { player, run, clock in
            player.change {
                $0.moreOfVideo = { $0.cdn("first") }
                $0.videoAttributes = ["country": .string("AT")]
            }
            perform([(0, .load)], player, run, clock)
            player.change { $0.moreOfVideo = { $0.cdn("second") } }
            perform([(0, .metadata(name: "New"))], player, run, clock)
            ScriptedSessions.performAll(player, run, clock)
        }
        let whole = try Self.figures(recording)
        for view in try recording.rows("SELECT name FROM sqlite_schema WHERE type = 'view'", columns: 1) {
            try Self.change(recording, "DROP VIEW \(view[0])")
        }
        for table in Self.tables {
            try Self.change(recording, "DROP TABLE \(table)")
            if version > 1 { try Self.change(recording, "CREATE TABLE \(table) (run TEXT, session INTEGER) STRICT") }
        }
        if version < 3 {
            try Self.change(recording, "ALTER TABLE events DROP COLUMN reported_playhead_ms")
            try Self.change(recording, "ALTER TABLE sessions DROP COLUMN video_cdn")
            try Self.change(recording, "ALTER TABLE sessions DROP COLUMN country")
        }
        try Self.change(recording, "UPDATE tally_schema SET version = \(version), views = \(version)")
        _ = try recording.run(id: "virtualrun02").record { _, _, _ in }
        #expect(try recording.number("SELECT version FROM tally_schema") == 4)
        #expect(try recording.number("SELECT count(*) FROM kept_totals") == 6)
        if version < 3 {
            // What was reported is all that cannot be known of such a file.
            #expect(try recording.number("SELECT count(furthest_ms) FROM session_metrics") == 0)
            try Self.change(recording, "UPDATE events SET reported_playhead_ms = playhead_ms")
            try Self.forget(recording)
        }
        #expect(try Self.figures(recording) == whole)
        #expect(
            try recording.rows("SELECT DISTINCT video_cdn, country FROM sessions", columns: 2)
                == [["second", "AT"]]
        )
    }
}
