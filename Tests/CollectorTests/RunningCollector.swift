import Campaigns
import ChildPrograms
import Glibc
import TestFiles
import TextEncoding

/// A collector that runs, and what its folder has.
final class RunningCollector {
    let folder: String
    private(set) var program: ChildProgram
    private(set) var port: UInt16 = 0
    private let options: [String]
    private let environment: [String: String]

    /// Starts one on a folder, with variables besides those of the tests.
    init(_ folder: String, _ options: [String] = [], environment: [String: String] = [:]) async throws {
        self.folder = folder
        self.options = options
        self.environment = environment
        program = try Self.start(folder, port: 0, options, environment)
        try await learnPort()
    }

    /// Starts one whose only tenant, `web`, has the key `k1`.
    convenience init(ofOneTenant files: TemporaryFolder) async throws {
        let configuration = "{ collector: { tenants: { web: { keys: [\"k1\"] } } } }"
        try await self.init(files.file("collected"), ["--config", files.write("tally.json5", configuration)])
    }

    private static func start(
        _ folder: String,
        port: UInt16,
        _ options: [String],
        _ environment: [String: String]
    ) throws -> ChildProgram {
        try ChildProgram(
            "tally-collector",
            ["--folder", folder, "--listen", "127.0.0.1:\(port)"] + options + ["--plugin-dir", TestFile.products],
            environment: environment
        )
    }

    struct NoBegin: Error, CustomStringConvertible {
        let description: String
    }

    private func learnPort() async throws {
        guard await program.says("takes reports on http"),
            let place = program.errors.split(separator: "127.0.0.1:").last,
            let port = UInt16(place.prefix { $0.isNumber })
        else { throw NoBegin(description: "the collector does not begin: \(program.errors)") }
        self.port = port
    }

    var connection: CollectorConnection { CollectorConnection(port: port) }

    /// Posts text.
    func post(
        _ path: String,
        _ text: String,
        headers: String = "",
        method: String = "POST"
    ) -> CollectorConnection.Answer? {
        connection.post(path, Array(text.utf8), headers: headers, method: method)
    }

    /// A figure of `/metrics`.
    func figure(_ name: String) -> Int? {
        let prefix = "tally_collector_\(name) "
        let line = connection.get("/metrics")?.split(separator: "\n").first { $0.hasPrefix(prefix) }
        return line.flatMap { Int($0.dropFirst(prefix.count)) }
    }

    /// Kills it, and begins another on the same folder and port, with other options when they are given.
    func killAndBegin(_ other: [String]? = nil) async throws {
        program.send(SIGKILL)
        _ = try await program.killed()
        try await beginAgain(other)
    }

    /// Begins another on the same folder and port when it was killed.
    func beginAgain(_ other: [String]? = nil) async throws {
        program = try Self.start(folder, port: port, other ?? options, environment)
        try await learnPort()
    }

    /// Ends it as it is meant to be.
    func end() async throws -> Int32 {
        program.send(SIGTERM)
        return try await program.end()
    }

    /// The lines of all archives, of one tenant when it is named.
    func archived(tenant: String = "*") async throws -> [String] {
        try await Self.archived(in: folder, tenant: tenant)
    }

    /// The same of a collector's folder, whose collector may have ended.
    static func archived(in folder: String, tenant: String = "*") async throws -> [String] {
        let command = "cat \(folder)/archives/\(tenant)/*/*.tally.zst 2>/dev/null | zstdcat -q"
        let made = try await ChildProgram.run("/bin/sh", ["-c", command])
        return made.output.split(separator: "\n").map(String.init)
    }

    /// Waits until so many runs are in archives.
    func shelved(_ count: Int) async -> Bool {
        await eventually { (figure("archived_runs_total") ?? 0) >= count }
    }
}

/// A run of a player that begins, plays and ends, in lines as a page sends them.
enum SampleRun {
    /// Its calls, from the first number on.
    static let calls = [
        #"{"n":1,"t_us":0,"event":"video_load","attributes":{"video_id":"film","video_name":"A <b>film</b>"}}"#,
        #"{"n":2,"t_us":1000,"event":"play"}"#,
        #"{"n":3,"t_us":400000,"event":"first_frame","state":{"playhead_ms":0}}"#,
        #"{"n":4,"t_us":650000,"event":"playhead_sample","state":{"playhead_ms":250}}"#,
        #"{"n":5,"t_us":900000,"event":"pause","state":{"playhead_ms":500}}"#,
        #"{"n":6,"t_us":35000000,"event":"play","state":{"playhead_ms":500}}"#,
        #"{"n":7,"t_us":36000000,"event":"video_unload","state":{"playhead_ms":1500}}"#,
        #"{"n":8,"t_us":36000100,"end":"drained","dropped":0}"#,
    ]

    /// A batch with some of them.
    static func batch(_ numbers: ClosedRange<Int>, sent: Int64 = 36_100_000) -> String {
        (["{\"sent_us\":\(sent)}"] + calls[(numbers.lowerBound - 1)...(numbers.upperBound - 1)]).joined(separator: "\n")
    }

    /// All of it.
    static var whole: String { batch(1...8) }
}
