internal import ChildPrograms
internal import Glibc
internal import RealServers
internal import TestFiles
internal import TextEncoding

/// What a replay that nobody disturbed has written into PostgreSQL, which others into schemas beside it are held to.
struct UndisturbedTables {
    /// What is compared: tables, and the views that measure them.
    private static let relations = [
        "runs", "sessions", "events", "control_events", "records", "beacons", "kept_totals", "kept_minutes", "kept_ads",
        "session_metrics",
    ]

    let server: PostgresServer
    /// The archive that is replayed.
    let archive: String
    /// How many events it has.
    let events: Int
    private let binaries: String

    /// Starts a server, writes an archive of so many runs to a path, and replays it with the programs in `binaries`.
    init(binaries: String, archive: String, runs: Int) async throws {
        self.binaries = binaries
        self.archive = archive
        server = try await PostgresServer(isSafe: true)
        let lines = (0..<runs).flatMap { ArchiveText.run("run\($0)", samples: 100) }
        TestFile.write(Array(lines.map { $0 + "\n" }.joined().utf8), to: archive)
        let program = try Self.replay([archive], into: "undisturbed", on: server, binaries)
        guard try await program.end() == 0 else { throw RoundFailure("the replay to compare with fails") }
        events = Int(try await server.query("SELECT count(*) FROM undisturbed.events")) ?? 0
    }

    /// Starts a replay of something into a schema.
    func replay(_ operands: [String], into schema: String, _ options: String...) throws -> ChildProgram {
        try Self.replay(operands, into: schema, on: server, binaries, options)
    }

    private static func replay(
        _ operands: [String],
        into schema: String,
        on server: PostgresServer,
        _ binaries: String,
        _ options: [String] = []
    ) throws -> ChildProgram {
        let settings = ["connection": "\"\(server.address())\"", "schema": "\"\(schema)\"", "patience_ms": "600000"]
        return try ChildProgram(
            "\(binaries)/tally-replay",
            operands + ["--quiet", "--plugin-dir", binaries, "--plugins", "new-relic-video,postgres"]
                + settings.sorted { $0.key < $1.key }.flatMap {
                    ["--set", "plugins.postgres.config.\($0.key)=\($0.value)"]
                } + options
        )
    }

    /// How many events a schema has by now; 0 where there is none yet.
    func count(_ schema: String) async -> Int {
        ((try? await server.query("SELECT count(*) FROM \(schema).events")).flatMap { Int($0) }) ?? 0
    }

    /// What differs in a schema, which is removed when nothing does; nil then.
    func difference(_ schema: String) async throws -> String? {
        for relation in Self.relations {
            let (own, whole) = ("SELECT * FROM \(schema).\(relation)", "SELECT * FROM undisturbed.\(relation)")
            let different = try await server.query(
                "SELECT count(*) FROM ((\(own) EXCEPT ALL \(whole)) UNION ALL (\(whole) EXCEPT ALL \(own))) AS d"
            )
            guard different == "0" else { return "\(relation): \(different) rows differ" }
        }
        _ = try await server.query("DROP SCHEMA \(schema) CASCADE")
        return nil
    }
}
