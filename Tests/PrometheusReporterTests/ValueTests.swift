import Campaigns
import ChildPrograms
import Database
import Prometheus
import RealServers
import TallyTesting
import TestFiles
import Testing
import TextEncoding

/// What the reporter counts, beside what `sqlite` says of the same outputs and a real Prometheus makes of it.
@Suite("The metrics of the reporter prometheus") struct ValueTests {
    private static func archive(_ name: String) throws -> String {
        let tests = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        return "\(tests)/ReplayTests/Archives/Kept/\(name).tally.zst"
    }

    /// What of a family is what of SQLite's sessions.
    private static let same = [
        ("tally_sessions_ended_total", "count(*)"), ("tally_sessions_attempted_total", "sum(attempted)"),
        ("tally_sessions_started_total", "sum(started)"), ("tally_sessions_start_failed_total", "sum(start_failed)"),
        ("tally_sessions_exited_before_start_total", "sum(exited_before_start)"),
        ("tally_sessions_completed_total", "sum(completed AND started)"),
        ("tally_startup_seconds_sum", "total(startup_ms) / 1000"), ("tally_startup_seconds_count", "count(startup_ms)"),
        ("tally_play_seconds_sum", "total(CASE WHEN started THEN play_ms END) / 1000"),
        ("tally_rebuffer_seconds_total", "total(CASE WHEN started THEN rebuffer_ms END) / 1000"),
        ("tally_rebuffers_total", "total(CASE WHEN started THEN rebuffer_count END)"),
        ("tally_pause_seconds_total", "total(pause_ms) / 1000"), ("tally_seek_seconds_total", "total(seek_ms) / 1000"),
        ("tally_ads_total", "total(CASE WHEN attempted THEN ads END)"),
        ("tally_ad_seconds_total", "total(ad_ms) / 1000"),
        ("tally_errors_total", "total(errors)"),
        ("tally_average_bitrate_bits_per_second_count", "count(CASE WHEN started THEN average_bitrate_bps END)"),
        ("tally_session_seconds_sum", "total(session_ms) / 1000"),
    ]

    @Test("Counts and sums are those of sqlite", arguments: ["playback", "ads", "sleep", "made"])
    func equal(name: String) async throws {
        let replay = try await ScrapedReplay(binaries: PluginFiles.folder)
        var sessions = 40
        if name == "made" {
            for run in 0..<sessions { replay.write(Self.lines("run\(run)", samples: 20 + run)) }
        } else {
            let text = try await ChildProgram.run("/usr/bin/zstdcat", [try Self.archive(name)]).output
            sessions = text.split(separator: "\n").count { $0.contains(#""event":"video_load""#) }
            replay.write(text)
        }
        try await replay.awaitSessions(sessions)
        let text = try await replay.metrics()
        // SQLite's reporter has a thread of its own.
        let database = try await Self.filled(replay.database, sessions: sessions)
        for (name, column) in Self.same {
            let statement = try database.prepare("SELECT \(column) FROM session_metrics")
            let theirs = try statement.step() ? statement.double(0) : .nan
            let ours = ScrapedReplay.sum(name, in: text)
            #expect(abs(ours - theirs) < 0.002, "\(name): \(ours) and \(theirs)")
        }
    }

    private static func filled(_ path: String, sessions: Int) async throws -> Database {
        let database = try Database(path: path)
        _ = try await eventually {
            try database.number("SELECT count(*) FROM session_metrics WHERE NOT is_open") == sessions
        }
        return database
    }

    private static func lines(_ run: String, samples: Int, _ attributes: String = #"{"video_id":"film"}"#) -> String {
        ArchiveText.run(run, samples: samples, attributes: attributes).map { $0 + "\n" }.joined()
    }

    @Test("Label values beyond the bounds count for other, and nothing is lost of the sums", arguments: [100, 5])
    func bounded(series: Int) async throws {
        let replay = try await ScrapedReplay(
            binaries: PluginFiles.folder,
            [
                "labels": #"["video_cdn","country"]"#, "most_values": "3", "most_series": "\(series)",
            ]
        )
        for run in 0..<24 {
            replay.write(
                Self.lines("r\(run)", samples: 5, "{\"video_cdn\":\"cdn\(run % 6)\",\"country\":\"C\(run / 6)\"}")
            )
        }
        try await replay.awaitSessions(24)
        let text = try await replay.metrics()
        let keys = text.split(separator: "\n").filter { $0.hasPrefix("tally_sessions_ended_total{") }
        let names = Set(keys.compactMap { $0.firstMatch(of: /video_cdn="(\w*)"/)?.output.1 })
        #expect(names == ["cdn0", "cdn1", "cdn2", "other"], "\(keys)")
        // Those that are told apart, and the one for all others.
        #expect(keys.count <= min(series + 1, 16), "\(keys)")
        #expect(ScrapedReplay.sum("tally_label_values_folded_total", in: text) > 0)
        #expect(ScrapedReplay.sum("tally_startup_seconds_count", in: text) == 24)
    }

    @Test("Exemplars name a run that is in their bucket, in OpenMetrics alone, and not where they are unwanted")
    func exemplars() async throws {
        let odd = #"{"video_cdn":"a\"b\\c\nd"}"#
        for wanted in [true, false] {
            let replay = try await ScrapedReplay(binaries: PluginFiles.folder, ["exemplars": "\(wanted)"])
            replay.write(Self.lines("first", samples: 10, odd))
            try await replay.awaitSessions(1)
            let open = try await replay.get("-H", "Accept: application/openmetrics-text; version=1.0.0").output
            #expect(open.contains("200 application/openmetrics-text; version=1.0.0"))
            #expect(open.contains("\n# EOF\n"))
            #expect(open.contains(#"le="0.5"} 1 # {run="first"} 0.299 "#) == wanted, "\(open)")
            #expect(open.contains(#"video_cdn="a\"b\\c\nd""#))
            let plain = try await replay.get().output
            #expect(plain.contains("200 text/plain; version=0.0.4"))
            #expect(!plain.contains(" # {") && !plain.contains("# EOF") && !plain.contains("_created"))
            #expect(plain.contains("# TYPE tally_sessions_ended_total counter"))
        }
    }

    @Test("Who has another name for it, another method, another path or no token is refused")
    func refused() async throws {
        let folder = TemporaryFolder()
        folder.write("token", "0123456789abcdef0123")
        _ = try await ChildProgram.run("/bin/chmod", ["600", folder.file("token")])
        let replay = try await ScrapedReplay(
            binaries: PluginFiles.folder,
            ["token": "{file: \"\(folder.file("token"))\"}"]
        )
        let bearer = "Authorization: Bearer 0123456789abcdef0123"
        #expect(try await replay.get().output.contains("401 "))
        #expect(try await replay.get("-H", "Authorization: Bearer 0123456789abcdef0124").output.contains("401 "))
        #expect(try await replay.get("-H", bearer).output.contains("200 text/plain"))
        #expect(try await replay.get("-H", bearer, "-H", "Host: evil.example").output.contains("403 "))
        #expect(try await replay.get("-H", bearer, "-d", "x=1").output.contains("405 "))
        #expect(try await replay.get("-H", bearer, path: "x").output.contains("404 "))
    }

    @Test(
        "Labels that are none, and a port that somebody has, are refused with what to do",
        arguments: [
            (#"labels=["a b"]"#, "letters, digits and _", 78), (#"labels=["le"]"#, "letters, digits and _", 78),
            (#"labels=["country","user_id"]"#, "does not tell who watches", 78),
            (#"labels=["country","country"]"#, "each label once", 78),
        ]
    )
    func configuration(setting: String, told: String, code: Int32) async throws {
        let outcome = try await ChildProgram.run(
            "tally-replay",
            [
                try Self.archive("playback"), "--plugin-dir", PluginFiles.folder, "--plugins", "prometheus", "--set",
                "plugins.prometheus.config.\(setting)",
            ]
        )
        #expect(outcome.code == code)
        #expect(outcome.errors.contains(told), "\(outcome.errors)")
    }
}
