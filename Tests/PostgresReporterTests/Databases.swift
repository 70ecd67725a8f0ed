import ChildPrograms
import Database
import RealServers
import TallyTesting
import TestFiles
import TextEncoding

/// A database of the tests' server, and a file of SQLite's beside it: the same replay fills both.
final class Databases {
    /// One server for all tests that do not end it.
    private static let shared = Task { try await PostgresServer() }

    let server: PostgresServer
    let name: String
    private let folder = TemporaryFolder()

    /// The file of SQLite's.
    var file: String { folder.file("tally.db") }
    /// Where the database is, for libpq.
    var address: String { server.address(name) }

    /// Makes an empty database.
    init(_ name: String, on server: PostgresServer? = nil) async throws {
        if let server { self.server = server } else { self.server = try await Self.shared.value }
        self.name = name
        _ = try await self.server.query("CREATE DATABASE \(name)")
    }

    /// The kept archive of this name.
    static func archive(_ name: String) -> String {
        let tests = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        return "\(tests)/ReplayTests/Archives/Kept/\(name).tally.zst"
    }

    /// Writes an archive of runs that begin one after the other.
    func write(runs: Int, samples: Int) -> String {
        var lines: [String] = []
        for run in 0..<runs { lines += ArchiveText.run("run\(run)", samples: samples) }
        return folder.write("runs-\(runs).tally", lines.map { $0 + "\n" }.joined())
    }

    /// Writes an archive of these lines.
    func write(_ lines: [String], to name: String) -> String {
        folder.write(name, lines.map { $0 + "\n" }.joined())
    }

    /// The arguments of a replay into both.
    func arguments(_ archive: String, into plugins: String = "postgres,sqlite", _ more: [String] = []) -> [String] {
        [
            archive, "--plugin-dir", PluginFiles.folder, "--plugins", "new-relic-video,example-swift,\(plugins)",
            "--quiet",
        ]
            + (plugins.contains("postgres") ? ["--set", "plugins.postgres.config.connection=\"\(address)\""] : [])
            + (plugins.contains("sqlite") ? ["--set", "plugins.sqlite.config.path=\"\(file)\""] : [])
            + ["--set", "plugins.example-swift.config.url=\"http://127.0.0.1:1/\""] + more
    }

    /// Replays an archive into both.
    func replay(
        _ archive: String,
        into plugins: String = "postgres,sqlite",
        _ more: String...
    ) async throws -> ChildProgram.Outcome {
        try await ChildProgram.run("tally-replay", arguments(archive, into: plugins, more))
    }

    /// What a query gives in PostgreSQL.
    func query(_ text: String) async throws -> String {
        try await server.query("SET search_path TO tally; " + text, in: name)
    }

    /// The first row in which the two say different things of a table or view, in this order; nil when they are the same.
    func difference(_ relation: String, by order: String) async throws -> String? {
        let lines = try await query("SELECT row_to_json(t) FROM (SELECT * FROM \(relation) ORDER BY \(order)) AS t")
        let ours = try lines.split(separator: "\n").map { line in
            (try JSONParser().parse(String(line)).object ?? [:]).filter { !$0.key.hasSuffix("_bytes") }.map(\.value)
        }
        let columns = Int32(ours.first?.count ?? 1)
        let statement = try Database(path: file).prepare("SELECT * FROM \(relation) ORDER BY \(order)")
        let theirs = try statement.rows { row in
            (0..<columns).map { row.isNull($0) ? "-" : row.text($0) }
        }
        guard ours.count == theirs.count else { return "\(relation): \(ours.count) rows and \(theirs.count)" }
        for (mine, other) in zip(ours, theirs) {
            for (column, (value, text)) in zip(mine, other).enumerated() where !Self.isSame(value, text) {
                return "\(relation), column \(column): \(value) and \(text) in \(other)"
            }
        }
        return nil
    }

    private static func isSame(_ value: JSONValue, _ text: String) -> Bool {
        switch value {
        case .null: text == "-"
        case .bool(let truth): text == (truth ? "1" : "0")
        case .string(let own): own == text
        case .object, .array: (try? JSONParser().parse(text)).map { Self.isEqual($0, value) } ?? false
        default:
            if let one = value.double, let other = Double(text) {
                abs(one - other) <= 1e-9 * max(abs(one), abs(other), 1)
            } else {
                false
            }
        }
    }

    /// The same values, in whatever order an object has them.
    private static func isEqual(_ one: JSONValue, _ other: JSONValue) -> Bool {
        if let one = one.object, let other = other.object {
            return one.count == other.count
                && one.allSatisfy { member in other[member.key].map { isEqual(member.value, $0) } ?? false }
        }
        if let one = one.array, let other = other.array {
            return one.count == other.count && zip(one, other).allSatisfy { isEqual($0, $1) }
        }
        return one == other
    }

    /// Every table and view that both have, with what sorts it.
    static let relations = [
        ("runs", "run"), ("sessions", "run, session"), ("events", "run, ordinal"),
        ("control_events", "run, time_us, type, plugin"), ("records", "run, instance, ordinal"),
        ("beacons", "run, instance, ordinal"), ("kept_totals", "run, session"),
        ("kept_minutes", "run, session, minute"),
        ("kept_ads", "run, session, ad"), ("session_intervals", "run, ordinal"), ("session_metrics", "run, session"),
        ("session_minutes", "run, session, minute"), ("metrics", "1"), ("video_metrics", "video_id"),
        ("audience_by_minute", "video_id, minute"), ("ads", "run, session, ad"), ("errors", "run, ordinal"),
    ]

    /// All differences of both.
    func differences() async throws -> [String] {
        var found: [String] = []
        for (relation, order) in Self.relations {
            if let difference = try await difference(relation, by: order) { found.append(difference) }
        }
        return found
    }
}
