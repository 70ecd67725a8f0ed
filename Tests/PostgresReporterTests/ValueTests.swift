import ChildPrograms
import RealServers
import Tally
import TallyTesting
import TestFiles
import Testing
import TextEncoding

/// What the reporter puts into a real server, beside what `sqlite` says of the same outputs.
@Suite("The tables of the reporter postgres", .enabled(if: PostgresServer.isInstalled, "run Scripts/bootstrap --tests"))
struct ValueTests {
    @Test("Tables, views and metrics are those of sqlite", arguments: ["playback", "ads", "runs", "sleep"])
    func equal(archive: String) async throws {
        let databases = try await Databases("equal_\(archive)")
        let replay = try await databases.replay(Databases.archive(archive))
        // Some of them are damaged.
        #expect([0, 65].contains(replay.code), "\(replay.errors)")
        let differences = try await databases.differences()
        #expect(differences == [])
        #expect(try await databases.query("SELECT count(*) > 0 FROM events") == "t")
        // What was kept at the sessions' ends is what is measured now.
        let tables = ["kept_totals", "kept_minutes", "kept_ads"]
        #expect(try await databases.query("SELECT count(*) > 0 FROM kept_totals") == "t")
        for table in tables { _ = try await databases.query("DELETE FROM \(table)") }
        for (view, order) in Databases.relations.suffix(7) {
            #expect(try await databases.difference(view, by: order) == nil)
        }
    }

    @Test("A replay adds nothing to what is there, and restores what is missing")
    func again() async throws {
        let databases = try await Databases("again")
        let archive = Databases.archive("ads")
        _ = try await databases.replay(archive)
        for _ in 0..<2 {
            #expect(try await databases.replay(archive, into: "postgres").code == 0)
            let differences = try await databases.differences()
            #expect(differences == [])
            // As if the middle had been lost: what is measured then is something else, until it is back.
            _ = try await databases.query(
                "DELETE FROM events WHERE ordinal % 3 = 1; DELETE FROM beacons WHERE ordinal = 0"
            )
            _ = try await databases.query("DELETE FROM kept_totals")
            #expect(try await databases.difference("session_metrics", by: "run, session") != nil)
        }
    }

    @Test("A session that was measured without what was lost of it is measured anew when that comes")
    func restored() async throws {
        let databases = try await Databases("restored")
        let archive = Databases.archive("ads")
        _ = try await databases.replay(archive)
        let lost = "DELETE FROM events WHERE ordinal % 3 = 1"
        _ = try await databases.query("\(lost); UPDATE kept_totals SET play_time_us = 1, furthest_ms = 1")
        #expect(try await databases.replay(archive, into: "postgres").code == 0)
        let differences = try await databases.differences()
        #expect(differences == [])
    }

    @Test("Texts that PostgreSQL does not have cost one character, not the batch")
    func oddTexts() async throws {
        let databases = try await Databases("odd")
        let odd = #"{"video_id":"a\u0000b\tc\\","video_name":"\u0001\n'\"\\u0000","x":"\\\\u0000\u0000ü\ud83d\ude00"}"#
        let lines = ArchiveText.run("plain", samples: 5) + ArchiveText.run("odd", samples: 5, attributes: odd)
        #expect(try await databases.replay(databases.write(lines, to: "odd.tally"), into: "postgres").code == 0)
        #expect(try await databases.query("SELECT count(*) FROM sessions WHERE begun_us IS NOT NULL") == "2")
        let name = try await databases.query(
            "SELECT to_json(ARRAY[video_id, video_name, attributes ->> 'x']) FROM sessions WHERE run = 'odd'"
        )
        #expect(
            try JSONParser().parse(name).array?.map(\.string)
                == ["a\u{FFFD}b\tc\\", "\u{1}\n'\"\\u0000", "\\\\u0000\u{FFFD}ü😀"]
        )
        #expect(
            try await databases.query(
                "SELECT count(*) FROM events WHERE attributes ->> 'video_id' = E'a\u{FFFD}b\\tc\\\\'"
            )
                == "1"
        )
    }

    @Test("Numbers of any size are kept, and no view fails on them")
    func largeNumbers() async throws {
        let databases = try await Databases("large")
        var lines = ArchiveText.run("large", samples: 8)
        let large =
            #""state":{"playhead_ms":9007199254740991,"duration_ms":9007199254740991,"rate_milli":2147483647}"#
        for index in [6, 9] { lines[index].replace(#/"state":\{[^}]*\}/#, with: large) }
        #expect(try await databases.replay(databases.write(lines, to: "large.tally"), into: "postgres").code == 0)
        #expect(try await databases.query("SELECT count(*) FROM events WHERE playhead_ms = 9007199254740991") != "0")
        #expect(try await databases.query("SELECT count(*) FROM session_metrics") == "1")
        #expect(
            try await databases.query("SELECT (SELECT count(*) FROM session_intervals) = count(*) FROM events") == "t"
        )
    }

    @Test("What is erased is gone, stays away in a replay, and is another session's nowhere")
    func erased() async throws {
        let databases = try await Databases("erased")
        let configuration: JSONObject = ["connection": .string(databases.address)]
        let plugins = [
            PluginSelection("org.tally.reporter.postgres", name: "postgres", configuration: .object(configuration))
        ]
        let sources = [PluginSource.file(PluginFiles.plugin("postgres"))]
        let recorded = try VirtualRun(plugins: plugins, sources: sources).record { player, run, clock in
            for _ in 0..<2 {
                for action in [PlayerAction.load, .play, .firstFrame, .unload] {
                    clock.advance(to: clock.now() + 1_000_000)
                    player.perform(action, on: run)
                    run.pump()
                }
            }
            let answer = try run.command(plugin: "postgres", "erase", ["run": "virtualrun01", "session": 1])
            #expect((answer["removed"]?.int ?? 0) > 4)
        }
        _ = try recorded.replay(through: plugins, from: sources)
        #expect(try await databases.query("SELECT string_agg(session::text, ',') FROM sessions") == "2")
        #expect(try await databases.query("SELECT count(*) FROM events WHERE session = 1") == "0")
        #expect(try await databases.query("SELECT string_agg(session::text, ',') FROM session_metrics") == "2")
    }
}
