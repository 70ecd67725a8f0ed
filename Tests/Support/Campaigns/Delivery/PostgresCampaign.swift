internal import ChildPrograms
internal import Glibc
internal import RealServers
internal import TestFiles
internal import TextEncoding

/// Ends a replay that writes into PostgreSQL with SIGKILL at random moments, while the server crashes and comes back, and
/// starts it again: in the end each table and each view is that of a replay that nobody disturbed.
package struct PostgresCampaign: Campaign {
    /// What is compared: tables, and the views that measure them.
    private static let relations = [
        "runs", "sessions", "events", "control_events", "records", "beacons", "kept_totals", "kept_minutes", "kept_ads",
        "session_metrics",
    ]

    private let binaries: String
    private let archive: String
    private let server: PostgresServer
    private let events: Int

    /// Uses the programs and plugins in `binaries`, and the archive of so many runs, which it makes in `folder`.
    package init(binaries: String, folder: String, runs: Int = 150) async throws {
        self.binaries = binaries
        archive = "\(folder)/tally-postgres-\(getpid()).tally"
        server = try await PostgresServer(isSafe: true)
        let lines = (0..<runs).flatMap { ArchiveText.run("run\($0)", samples: 100) }
        TestFile.write(Array(lines.map { $0 + "\n" }.joined().utf8), to: archive)
        guard try await Self.replay(archive, into: "undisturbed", on: server, binaries).end() == 0 else {
            throw RoundFailure("the replay to compare with fails")
        }
        events = Int(try await server.query("SELECT count(*) FROM undisturbed.events")) ?? 0
    }

    /// They share the server.
    package var roundsAtOnce: Int { 1 }

    private static func replay(
        _ archive: String,
        into schema: String,
        on server: PostgresServer,
        _ binaries: String
    ) throws -> ChildProgram {
        let settings = ["connection": "\"\(server.address())\"", "schema": "\"\(schema)\"", "patience_ms": "600000"]
        return try ChildProgram(
            "\(binaries)/tally-replay",
            [archive, "--quiet", "--plugin-dir", binaries, "--plugins", "new-relic-video,postgres"]
                + settings.sorted { $0.key < $1.key }.flatMap {
                    ["--set", "plugins.postgres.config.\($0.key)=\($0.value)"]
                }
        )
    }

    private func replay(into schema: String) throws -> ChildProgram {
        try Self.replay(archive, into: schema, on: server, binaries)
    }

    package func round(seed: UInt64) async -> String? {
        var random = SplitMix64(seed: seed)
        let schema = "round\(seed)"
        var (kills, crashes) = (0, 0)
        do {
            for step in 0..<2 + random.next() % 4 {
                let program = try replay(into: schema)
                let least = Int(random.next() % UInt64(events))
                let isUnderWay = await eventually {
                    let written = (try? await count(schema)) ?? 0
                    return program.state != .running || written >= least
                }
                guard isUnderWay else { return "the replay neither ends nor writes: \(program.errors)" }
                if step % 2 == 0 {
                    await server.crash()
                    crashes += 1
                    // A replay that is killed while there is no server, or goes on when there is one again.
                    if random.next() % 2 == 0 { program.send(SIGKILL) }
                    try await server.start()
                } else {
                    program.send(SIGKILL)
                }
                if random.next() % 2 == 0 { program.send(SIGKILL) }
                if try await program.end() < 0 { kills += 1 }
            }
            let code = try await replay(into: schema).end()
            guard code == 0 else { return "the last replay ended with \(code)" }
            for relation in Self.relations {
                let (own, whole) = ("SELECT * FROM \(schema).\(relation)", "SELECT * FROM undisturbed.\(relation)")
                let different = try await server.query(
                    "SELECT count(*) FROM ((\(own) EXCEPT ALL \(whole)) UNION ALL (\(whole) EXCEPT ALL \(own))) AS d"
                )
                guard different == "0" else { return "\(relation): \(different) rows differ" }
            }
            _ = try await server.query("DROP SCHEMA \(schema) CASCADE")
        } catch {
            return "\(error)"
        }
        print("seed \(seed): \(kills) kills, \(crashes) crashes of the server, \(events) events")
        return nil
    }

    private func count(_ schema: String) async throws -> Int {
        Int(try await server.query("SELECT count(*) FROM \(schema).events")) ?? 0
    }
}
