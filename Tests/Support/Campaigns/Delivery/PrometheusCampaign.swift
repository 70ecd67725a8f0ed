internal import ChildPrograms
internal import Database
internal import Glibc
internal import RealServers
internal import TestFiles
internal import TextEncoding

/// Kills a Prometheus that scrapes a replay at random moments, and starts it again, while sessions come and go: in the end
/// it has the sums that the reporter says, and these are what `sqlite` makes of the same sessions.
package struct PrometheusCampaign: Campaign {
    /// Counters, and the same of SQLite's sessions.
    private static let same = [
        ("tally_sessions_ended_total", "count(*)"), ("tally_sessions_started_total", "sum(started)"),
        ("tally_sessions_completed_total", "sum(completed AND started)"),
        ("tally_startup_seconds_sum", "total(startup_ms) / 1000"),
        ("tally_play_seconds_sum", "total(CASE WHEN started THEN play_ms END) / 1000"),
        ("tally_rebuffers_total", "total(CASE WHEN started THEN rebuffer_count END)"),
        ("tally_session_seconds_sum", "total(session_ms) / 1000"),
    ]

    private let binaries: String

    /// Uses the programs and plugins in `binaries`.
    package init(binaries: String) { self.binaries = binaries }

    /// They mostly wait for the next scrape.
    package var roundsAtOnce: Int { 4 }

    package func round(seed: UInt64) async -> String? {
        var random = SplitMix64(seed: seed)
        var (sessions, crashes) = (0, 0)
        do {
            let replay = try await ScrapedReplay(binaries: binaries)
            let server = try await PrometheusServer(scraping: replay.target)
            for _ in 0..<1 + random.next() % 5 {
                let isAway = random.next() % 2 == 0
                if isAway { await server.crash() }
                let more = 1 + Int(random.next() % 12)
                for run in sessions..<sessions + more {
                    let attributes = "{\"video_cdn\":\"cdn\(random.next() % 4)\",\"stream_type\":\"vod\"}"
                    let lines = ArchiveText.run(
                        "run\(run)",
                        samples: 5 + Int(random.next() % 40),
                        attributes: attributes
                    )
                    replay.write(lines.map { $0 + "\n" }.joined())
                }
                sessions += more
                try await Task.sleep(for: .microseconds(Int(random.next() % 1_500_000)))
                if !isAway { await server.crash() }
                try await server.start()
                crashes += 1
            }
            try await replay.awaitSessions(sessions)
            if let problem = try await problem(replay, server, sessions) { return problem }
        } catch {
            return "\(error)"
        }
        print("seed \(seed): \(crashes) crashes of the server, \(sessions) sessions")
        return nil
    }

    private func problem(
        _ replay: ScrapedReplay,
        _ server: PrometheusServer,
        _ sessions: Int
    ) async throws -> String? {
        let database = try Database(path: replay.database)
        let isFilled = try await eventually {
            try database.number("SELECT count(*) FROM session_metrics WHERE NOT is_open") == sessions
        }
        guard isFilled else { return "sqlite has not all sessions" }
        for (name, column) in Self.same {
            let statement = try database.prepare("SELECT \(column) FROM session_metrics")
            let expected = try statement.step() ? statement.double(0) : .nan
            var stored: [Double] = []
            let isSame = try await eventually {
                stored = try await server.values("sum(\(name))")
                return stored.count == 1 && abs(stored[0] - expected) < 0.002
            }
            guard isSame else { return "\(name) is \(stored) in Prometheus, and \(expected) in SQLite" }
        }
        return nil
    }
}
