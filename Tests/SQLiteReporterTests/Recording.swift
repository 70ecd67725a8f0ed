import Database
import Tally
import TallyTesting
import TestFiles

/// A folder with a database that the reporter's file writes, removed with this object.
final class Recording {
    var folder: String { own.path }
    private let own = TemporaryFolder()

    /// The database.
    var path: String { folder + "/tally.db" }

    /// A tracker that says records and beacons, and the reporter, as a host has them.
    func plugins(_ configuration: JSONObject = [:]) -> [PluginSelection] {
        var members: JSONObject = ["path": .string(path)]
        for member in configuration {
            members[member.key] = member.value
        }
        return [
            PluginSelection("org.tally.example.swift", name: "watch"),
            PluginSelection("org.tally.reporter.sqlite", name: "sqlite", configuration: .object(members)),
        ]
    }

    /// Their files.
    static let sources = [
        PluginSource.file(PluginFiles.plugin("example-swift")), .file(PluginFiles.plugin("sqlite")),
    ]

    /// A run on a virtual clock that is written to the database.
    func run(_ configuration: JSONObject = [:], id: String = "virtualrun01") -> VirtualRun {
        var run = VirtualRun(plugins: plugins(configuration), sources: Self.sources)
        run.id = id
        return run
    }

    /// A run without trackers, whose timers would move events by a microsecond.
    func bareRun(_ configuration: JSONObject = [:]) -> VirtualRun {
        VirtualRun(plugins: Array(plugins(configuration).dropFirst()), sources: Self.sources)
    }

    /// Replays an archive into the database.
    func replay(_ recorded: RecordedRun) throws {
        _ = try recorded.replay(through: plugins(), from: Self.sources)
    }

    /// The rows of a query, each value as text; NULL is `-`.
    func rows(_ query: String, columns: Int32) throws -> [[String]] {
        try Self.rows(Database(path: path), query, columns: columns)
    }

    /// The rows of a query in an open database.
    static func rows(_ database: Database, _ query: String, columns: Int32) throws -> [[String]] {
        let statement = try database.prepare(query)
        var rows: [[String]] = []
        while try statement.step() {
            rows.append((0..<columns).map { statement.isNull($0) ? "-" : statement.text($0) })
        }
        return rows
    }

    /// The single number that a query gives.
    func number(_ query: String) throws -> Double {
        let statement = try Database(path: path).prepare(query)
        return try statement.step() ? statement.double(0) : .nan
    }

    /// Everything in the tables of runs, as text.
    func contents() throws -> [[String]] {
        let tables = [
            ("runs", 3, "run"), ("sessions", 10, "run, session"), ("events", 33, "run, ordinal"),
            ("control_events", 6, "run, time_us, type, plugin"), ("records", 9, "run, instance, ordinal"),
            ("beacons", 16, "run, instance, ordinal"),
        ]
        return try tables.flatMap { table, columns, order in
            try rows("SELECT * FROM \(table) ORDER BY \(order)", columns: Int32(columns))
        }
    }

    /// The bytes of all files of the folder that begin with the database's name.
    func bytes() -> [UInt8] {
        ["", "-wal", "-shm"].flatMap { Self.bytes(of: path + $0) }
    }

    /// The bytes of a file, none when it is not there.
    static func bytes(of path: String) -> [UInt8] {
        (try? TestFile.bytes(path)) ?? []
    }

    /// Writes a file.
    static func write(_ text: String, to path: String) {
        TestFile.write(Array(text.utf8), to: path)
    }
}

extension PlayerRun {
    /// Waits until the database has all that was said so far: the reporter carries out a command behind it.
    func waitUntilStored() throws {
        pump()
        _ = try command(plugin: "sqlite", "checkpoint")
    }
}
