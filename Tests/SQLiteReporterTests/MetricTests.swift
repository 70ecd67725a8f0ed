import EventModel
import Tally
import TallyTesting
import Testing
import TextEncoding

/// The views against figures that were worked out by hand, through the plugin's file.
@Suite("The metric views")
struct MetricTests {
    private static func recorded() throws -> Recording {
        let recording = Recording()
        _ = try recording.bareRun().record(ScriptedSessions.performAll)
        return recording
    }

    @Test("A session's times, counts and bitrate are those of its script")
    func session() throws {
        let recording = try Self.recorded()
        let row = try recording.rows(
            """
            SELECT attempted, started, startup_ms, exited_before_start, start_failed, playback_failed, completed, play_ms,
                rebuffer_ms, rebuffer_count, pause_ms, seek_ms, seeks, average_bitrate_bps, peak_bitrate_bps, renditions,
                furthest_ms, furthest_estimate_ms, play_wall_ms, rated_ms,
                errors, ad_ms, ads, ads_completed, ads_skipped, session_ms, is_open, video_id, length_ms, loaded_at
            FROM session_metrics WHERE session = 1
            """,
            columns: 30
        )
        #expect(
            row == [
                [
                    "1", "1", "1500.0", "0", "0", "0", "0", "80000.0", "3000.0", "2", "10000.0", "2000.0", "1",
                    "4750000.0", "5000000", "1", "330500", "330500", "80000.0", "80000.0",
                    "1", "3000.0", "1", "1", "0", "100500", "0", "asset-1", "600000", "2023-11-14T22:13:20.000Z",
                ]
            ]
        )
        let ratio = try recording.number("SELECT rebuffer_ratio FROM session_metrics WHERE session = 1")
        #expect(abs(ratio - 3.0 / 83.0) < 1e-9)
    }

    @Test("Who left before the start, whose start failed and who never asked are told apart")
    func starts() throws {
        let recording = try Self.recorded()
        let rows = try recording.rows(
            "SELECT attempted, started, exited_before_start, start_failed, completed, startup_ms FROM session_metrics "
                + "ORDER BY session",
            columns: 6
        )
        #expect(
            rows == [
                ["1", "1", "0", "0", "0", "1500.0"], ["1", "0", "1", "0", "0", "-"], ["1", "0", "0", "1", "0", "-"],
                ["1", "1", "0", "0", "1", "500.0"], ["0", "0", "0", "0", "0", "-"],
            ]
        )
    }

    @Test("Each session counts once, however many events it has", arguments: ["metrics", "video_metrics"])
    func weights(view: String) throws {
        let recording = try Self.recorded()
        let row = try recording.rows(
            "SELECT sessions, open_sessions, attempts, plays, exit_before_start_share, start_failure_share, startup_ms, "
                + "play_ms, rebuffer_count, rebuffered_share, average_bitrate_bps, completed_share, total_play_ms, "
                + "total_play_wall_ms, total_rebuffer_ms "
                + "FROM \(view)",
            columns: 15
        )
        // Playing: 80 s and 10 s. Bitrate: 4.75 and 5 Mbit/s, as the player keeps its rendition.
        #expect(
            row == [
                [
                    "5", "0", "4", "2", "0.25", "0.25", "1000.0", "45000.0", "1.0", "0.5", "4875000.0", "0.5",
                    "90000.0", "90000.0", "3000.0",
                ]
            ]
        )
        let ratio = try recording.number("SELECT rebuffer_ratio FROM \(view)")
        #expect(abs(ratio - 3.0 / 83.0 / 2) < 1e-9)
        // By time, the session of 80 s weighs eight times as much as the one of 10 s.
        let weighted = try recording.number("SELECT weighted_rebuffer_ratio FROM \(view)")
        #expect(abs(weighted - 3.0 / 93.0) < 1e-9)
        let bitrate = try recording.number("SELECT weighted_bitrate_bps FROM \(view)")
        #expect(abs(bitrate - (4_750_000 * 80 + 5_000_000 * 10) / 90) < 1e-3)
        #expect(try recording.number("SELECT startup_median_ms FROM metrics") == 1_000)
        #expect(try recording.number("SELECT startup_p95_ms FROM metrics") == 1_500)
    }

    @Test("Sessions can be grouped by hour, day, CDN and country; what is said last of a video holds")
    func groups() throws {
        let recording = Recording()
        _ = try recording.bareRun().record { player, run, clock in
            for (load, cdn) in [(0, "one"), (2_800, "two"), (90_000, "two")] {
                player.change {
                    $0.moreOfVideo = { $0.cdn("first") }
                    $0.videoAttributes = ["country": .string(cdn == "one" ? "AT" : "CH")]
                }
                let time = Int64(load) * 1000
                perform([(time, .load), (time, .play), (time + 1_000, .firstFrame)], player, run, clock)
                player.change { $0.moreOfVideo = { $0.cdn(cdn) } }
                perform([(time + 2_000, .metadata(name: "New")), (time + 9_000, .unload)], player, run, clock)
            }
        }
        // The run begins at 22:13:20.
        let groups = ["loaded_hour", "loaded_day", "video_cdn", "country"].map { column in
            try? recording.rows("SELECT \(column), count(*) FROM session_metrics GROUP BY 1 ORDER BY 1", columns: 2)
        }
        #expect(
            groups == [
                [["2023-11-14T22:00Z", "1"], ["2023-11-14T23:00Z", "1"], ["2023-11-15T23:00Z", "1"]],
                [["2023-11-14", "2"], ["2023-11-15", "1"]], [["one", "1"], ["two", "2"]], [["AT", "1"], ["CH", "2"]],
            ]
        )
    }

    @Test("The intervals of one session are made of its events alone")
    func plan() throws {
        let plan = try Self.recorded().rows(
            "EXPLAIN QUERY PLAN SELECT * FROM session_intervals WHERE run = 'virtualrun01' AND session = 1",
            columns: 4
        ).map { $0[3] }
        #expect(plan.contains { $0.hasPrefix("SEARCH sessions") })
        #expect(plan.contains { $0.hasPrefix("SEARCH events") && $0.contains("session=?") })
    }

    @Test("Counts of no sessions at all are 0")
    func none() throws {
        let recording = Recording()
        _ = try recording.bareRun().record { _, _, _ in }
        #expect(
            try recording.rows("SELECT sessions, open_sessions, attempts, plays FROM metrics", columns: 4)
                == [["0", "0", "0", "0"]]
        )
    }

    @Test("The audience of a minute are the sessions that played any of it, not those that skipped it")
    func audience() throws {
        let recording = try Self.recorded()
        let rows = try recording.rows(
            "SELECT video_id, minute, sessions, share, left_here FROM audience_by_minute ORDER BY minute",
            columns: 5
        )
        #expect(rows == [["asset-1", "0", "2", "1.0", "1"], ["asset-1", "5", "1", "0.5", "1"]])
    }

    @Test("A stretch without events counts for all minutes that it covers, at the rate that it was played at")
    func stretches() throws {
        let recording = Recording()
        _ = try recording.bareRun(["playhead_samples": false]).record { player, run, clock in
            player.change { $0.rate = 2 }
            perform(
                [(0, .load), (0, .play), (0, .firstFrame), (90_000, .pause), (95_000, .unload)],
                player,
                run,
                clock
            )
        }
        // 90 s at twice the speed: 180 s, which end where minute 3 begins.
        let rows = try recording.rows("SELECT minute FROM session_minutes ORDER BY minute", columns: 1)
        #expect(rows == [["0"], ["1"], ["2"]])
    }

    @Test("Ads and errors have a row each")
    func lists() throws {
        let recording = try Self.recorded()
        #expect(
            try recording.rows(
                "SELECT session, ad, ad_id, length_ms, shown_ms, quartile, completed, skipped, clicks, errors FROM ads",
                columns: 10
            ) == [["1", "1", "ad-1", "15000", "3000.0", "2", "1", "0", "0", "0"]]
        )
        #expect(
            try recording.rows(
                "SELECT session, error_id, message, code, fatal, started FROM errors ORDER BY ordinal",
                columns: 6
            ) == [
                ["1", "slow", "synthetic", "7", "0", "1"], ["3", "broken", "no such asset", "404", "1", "0"],
            ]
        )
    }

    @Test("Playhead samples change no metric")
    func samples() throws {
        var figures: [[[String]]] = []
        for samples in [true, false] {
            let recording = Recording()
            _ = try recording.bareRun(["playhead_samples": .bool(samples)]).record { player, run, clock in
                let sampled: [(Int64, PlayerAction)] = (1..<400).map { (Int64($0) * 250 + 1, .sample) }
                let steps = (ScriptedSessions.viewed + sampled).enumerated()
                    .sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }.map(\.element)
                perform(steps, player, run, clock)
            }
            let count = try recording.number("SELECT count(*) FROM events WHERE type = 'playhead_sample'")
            #expect(count == (samples ? 399 : 0))
            figures.append(
                try recording.rows("SELECT * FROM session_metrics", columns: 49)
                    + recording.rows("SELECT * FROM audience_by_minute", columns: 5)
            )
        }
        #expect(figures[0] == figures[1])
    }

    @Test("A session that goes on is told, and does not count yet")
    func open() throws {
        let recording = Recording()
        _ = try recording.bareRun().record { player, run, clock in
            perform([(0, .load), (0, .play), (1_000, .firstFrame), (5_000, .quality)], player, run, clock)
            try run.waitUntilStored()
            #expect(try recording.number("SELECT count(*) FROM events WHERE type = 'quality_sample'") == 1)
            #expect(
                try recording.rows("SELECT is_open, startup_ms, play_ms FROM session_metrics", columns: 3)
                    == [["1", "1000.0", "4000.0"]]
            )
            #expect(
                try recording.rows("SELECT sessions, open_sessions, startup_ms FROM metrics", columns: 3)
                    == [["0", "1", "-"]]
            )
        }
        #expect(try recording.number("SELECT sessions FROM metrics") == 1)
    }
}
