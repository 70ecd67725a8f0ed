import Database
import Glibc
import SQLiteReporter
import Tally
import TallyTesting
import Testing
import TextEncoding

/// What is in the tables, through the plugin's file.
@Suite("The reporter sqlite keeps what it takes")
struct StorageTests {
    @Test("Only its owner can read a file that is made, and those beside it")
    func permissions() throws {
        let recording = Recording()
        let session = try recording.run().record(ScriptedSessions.performAll)
        let open = try Database(path: recording.path)
        try open.run("BEGIN IMMEDIATE; PRAGMA user_version")
        for name in ["", "-wal"] {
            var status = stat()
            let isThere = unsafe stat(recording.path + name, &status) == 0
            #expect(isThere && status.st_mode & 0o777 == 0o600, "\(name)")
        }
        try open.run("ROLLBACK")
        _ = session
    }

    @Test("Runs, sessions, events, records and beacons are in their tables, with their types")
    func tables() throws {
        let recording = Recording()
        let run = try recording.run().record(ScriptedSessions.performAll)
        #expect(
            try recording.rows("SELECT run, epoch_us, ended_us FROM runs", columns: 3)
                == [["virtualrun01", "1700000000000000", "151000000"]]
        )
        #expect(
            try recording.rows(
                "SELECT session, begun_us, ended_us / 1000, video_name, stream_type FROM sessions",
                columns: 5
            )
            .first == ["1", "0", "100500", "Synthetic", "vod"]
        )
        let said = run.live.lines.filter { $0.instance == "watch" }
        let records = said.filter { $0.kind != "beacon" }.count
        #expect(records > 0 && said.count > records)
        #expect(try recording.number("SELECT count(*) FROM records") == Double(records))
        #expect(try recording.number("SELECT count(*) FROM beacons") == Double(said.count - records))
        #expect(
            try recording.rows("SELECT count(*), min(ordinal), max(ordinal) FROM events", columns: 3)
                == [["1036", "1", "1036"]]
        )
        #expect(
            try recording.rows(
                "SELECT typeof(time_us), typeof(playhead_ms), typeof(attributes), "
                    + "json_extract(attributes, '$.rendition_bitrate_bps') FROM events WHERE type = 'rendition_change'",
                columns: 4
            ) == [["integer", "integer", "text", "5000000"]]
        )
        #expect(
            try recording.rows(
                "SELECT plugin, typeof(ordinal), destination, method, typeof(body), json_array_length(records) "
                    + "FROM beacons WHERE session = 1",
                columns: 6
            ) == [["org.tally.example.swift", "integer", "example.watch-time", "POST", "text", "1"]]
        )
        #expect(try recording.number("SELECT count(*) FROM losses") == 0)
    }

    @Test("A replay into the same file adds nothing, and one into a new file gives the same rows")
    func replayed() throws {
        let live = Recording()
        let run = try live.run().record(ScriptedSessions.performAll)
        let before = try live.contents()
        try live.replay(run)
        try live.replay(run)
        #expect(try live.contents() == before)
        let replayed = Recording()
        try replayed.replay(run)
        #expect(try replayed.contents() == before)
    }

    @Test("A replay into the same file brings back what is missing there")
    func restored() throws {
        let recording = Recording()
        let run = try recording.run().record(ScriptedSessions.performAll)
        let before = try recording.contents()
        try Database(path: recording.path).run(
            """
            DELETE FROM events WHERE ordinal % 3 = 0; DELETE FROM records WHERE ordinal % 2 = 0;
            DELETE FROM sessions WHERE session = 2; UPDATE runs SET ended_us = NULL
            """
        )
        #expect(try recording.contents() != before)
        try recording.replay(run)
        #expect(try recording.contents() == before)
    }

    @Test("Two runs write one file at the same time")
    func together() throws {
        let recording = Recording()
        _ = try recording.run(id: "outer").record { player, run, clock in
            perform(Array(ScriptedSessions.viewed.prefix(10)), player, run, clock)
            _ = try recording.run(id: "inner").record(ScriptedSessions.performAll)
            perform(Array(ScriptedSessions.viewed.dropFirst(10)), player, run, clock)
        }
        #expect(
            try recording.rows("SELECT run, count(*) FROM events GROUP BY run ORDER BY run", columns: 2)
                == [["inner", "1036"], ["outer", "23"]]
        )
    }

    @Test("Who reads while it is written sees one state, and delays nobody")
    func reading() throws {
        let recording = Recording()
        _ = try recording.run().record { player, run, clock in
            perform([(0, .load), (0, .play), (1_000, .firstFrame)], player, run, clock)
            try run.waitUntilStored()
            #expect(try recording.number("SELECT count(*) FROM events") == 3)
            let reader = try Database(path: recording.path)
            try reader.run("BEGIN")
            let count = { try Recording.rows(reader, "SELECT count(*) FROM events", columns: 1) }
            #expect(try count() == [["3"]])
            perform((1...2_000).map { (1_000 + $0, .quality) }, player, run, clock)
            try run.waitUntilStored()
            #expect(try recording.number("SELECT count(*) FROM events") == 2_003)
            #expect(try count() == [["3"]])
            try reader.run("COMMIT")
            #expect(try count() == [["2003"]])
        }
    }

    @Test("What is erased is gone from the disk, and no replay brings it back")
    func erased() throws {
        let recording = Recording()
        let secret = "planted-\(getpid())"
        let run = try recording.run().record { player, run, clock in
            perform(ScriptedSessions.left.map { ($0.0 - 110_000, $0.1) }, player, run, clock)
            player.change { $0.name = secret }
            perform([(10_000, .load), (10_000, .play), (11_000, .firstFrame)], player, run, clock)
            run.trackCustomEvent("note") { $0.set("text", secret) }
            run.pump()
            try run.waitUntilStored()
            #expect(try recording.number("SELECT count(*) FROM events WHERE type = 'custom'") == 1)
            #expect(Self.contains(recording.bytes(), secret))
            let answer = try run.command(plugin: "sqlite", "erase", ["run": "virtualrun01", "session": 2])
            #expect(answer["removed"]?.int ?? 0 >= 5 && answer["overwritten"] == .bool(true))
            #expect(!Self.contains(recording.bytes(), secret))
            perform([(12_000, .metadata(name: secret)), (20_000, .unload)], player, run, clock)
        }
        #expect(!Self.contains(recording.bytes(), secret))
        try recording.replay(run)
        #expect(!Self.contains(recording.bytes(), secret))
        #expect(
            try recording.rows("SELECT session, count(*) FROM events GROUP BY session", columns: 2) == [["1", "3"]]
        )
        let again = try recording.run(id: "another").record { _, run, _ in
            let answer = try run.command(plugin: "sqlite", "erase", ["run": "virtualrun01"])
            #expect(answer["removed"]?.int ?? 0 > 0)
        }
        #expect(again.report.droppedOutputs == 0)
        try recording.replay(run)
        #expect(try recording.rows("SELECT run FROM runs", columns: 1) == [["another"]])
    }

    @Test("A file without room stays whole, the run ends, and a later replay brings the rest")
    func full() throws {
        let recording = Recording()
        var audience: SyntheticPlayer?
        let run = try recording.run(["largest_mib": 1, "patience_ms": 50]).record { player, run, clock in
            audience = player
            perform([(0, .load), (0, .play), (1_000, .firstFrame)], player, run, clock)
            let text = String(repeating: "many words ", count: 1_000)
            for number in 1...400 {
                clock.advance(to: Int64(number) * 10_000 + 1_000_000)
                run.pump()
                run.trackCustomEvent("long") { $0.set("text", text) }
                run.pump()
            }
            perform([(10_000, .unload)], player, run, clock)
        }
        let kept = try recording.number("SELECT count(*) FROM events")
        #expect(kept > 10 && kept < 400)
        let player = try #require(audience)
        #expect(player.waitForUnloaded(1))
        let dropped = player.reports.unloaded.reduce(0) { $0 + $1.dropped }
        #expect(Double(dropped + run.report.droppedOutputs) >= 404 - kept)
        #expect(try recording.rows("PRAGMA integrity_check", columns: 1) == [["ok"]])
        #expect(Recording.bytes(of: recording.path).count <= 1 << 20)
        try recording.replay(run)
        #expect(try recording.number("SELECT count(*) FROM events") == 404)
    }

    private static func contains(_ bytes: [UInt8], _ text: String) -> Bool {
        bytes.firstRange(of: Array(text.utf8)) != nil
    }
}
