import ChildPrograms
import Database
import LoopbackServer
import OTLP
import PluginKit
import RealServers
import TallyTesting
import TestFiles
import Testing

/// What arrives of the reference archive, as `opentelemetry-proto` of PyPI decodes it.
@Suite(
    "Decoded by opentelemetry-proto",
    .enabled(if: Decoder.isThere, "there is no opentelemetry-proto: run Scripts/bootstrap --tests")
)
struct DecodedTests {
    @Test("Both forms say the same, and its metrics are those of sqlite")
    func reference() async throws {
        let folder = TemporaryFolder()
        let archive = try await Self.referenceArchive(folder)
        let binary = try await Decoder.export(archive, "protobuf", folder)
        let json = try await Decoder.export(archive, "json", folder)
        #expect(binary == json)
        #expect(binary["logs"]?.array?.count == 277)
        #expect(binary["spans"]?.array?.filter { $0["name"]?.string == "media.session" }.count == 3)
        let database = folder.file("tally.db")
        let kept = try await ChildProgram.run(
            "tally-replay",
            [
                archive, "--quiet", "--plugin-dir", PluginFiles.folder, "--plugins", "sqlite", "--set",
                "plugins.sqlite.config.path=\"\(database)\"",
            ]
        )
        try #require(kept.code == 0, "\(kept.errors)")
        #expect(try compare(binary["points"]?.array ?? [], with: Database(path: database)) > 60)
    }

    @Test(
        "A collector of others passes on all of it",
        .enabled(if: Decoder.hasRotel, "there is no Rotel: run Scripts/bootstrap --tests")
    )
    func rotel() async throws {
        let folder = TemporaryFolder()
        let archive = try await Self.referenceArchive(folder)
        let direct = try await Decoder.export(archive, "protobuf", folder)
        #expect(try await Decoder.export(archive, "protobuf", folder, through: .rotel) == direct)
    }

    /// Makes the beginning of the reference archive.
    private static func referenceArchive(_ folder: TemporaryFolder) async throws -> String {
        let archive = folder.file("reference.tally")
        let made = try await ChildProgram.run(
            "tally-bench",
            ["make-reference-archive", archive, "--events", "12000", "--seed", "1"]
        )
        try #require(made.code == 0, "\(made.errors)")
        return archive
    }

    /// Holds points to the view of sessions, and gives how many there were to hold.
    private func compare(_ points: [JSONValue], with database: Database) throws -> Int {
        let columns = Set(
            try database.prepare("SELECT name FROM pragma_table_info('session_metrics')").rows([]) { $0.text(0) }
        )
        var compared = 0
        for metric in MediaMetric.all where metric.name != "media.live.latency" && columns.contains(metric.source) {
            let query = "SELECT run, \(metric.source) * 1.0 FROM session_metrics WHERE \(metric.source) IS NOT NULL"
            let rows = try database.prepare(query).rows([]) { (run: $0.text(0), value: $0.double(1)) }
            let values = Dictionary(rows.map { ($0.run, $0.value) }) { first, _ in first }
            for point in points where point["name"]?.string == metric.name {
                let run = point["resource"]?["service.instance.id"]?.string ?? ""
                let value = try #require(values[run], "\(metric.name) of \(run)")
                let said = try #require(point["sum"]?.double, "\(metric.name) of \(run)")
                // Bitrates are whole bits a second in Tally's metrics, and have fractions in the view.
                let tolerance = metric.unit == "bit/s" ? 1 : 1e-9 * max(1, abs(value))
                #expect(abs(said - value) <= tolerance, "\(metric.name) of \(run)")
                compared += 1
            }
        }
        return compared
    }
}

/// A collector in Python, which keeps what it is sent and decodes it.
enum Decoder {
    static let python = "\(TestFile.repository)/.build/otlp-python/bin/python"
    private static let script = "\(TestFile.repository)/Tests/OTLPReporterTests/check_otlp.py"

    /// Whether it is installed.
    static var isThere: Bool { (try? TestFile.bytes(python)) != nil }

    /// Where requests go before they come to Python.
    enum Way {
        case direct
        /// Through Rotel, a collector of others, which decodes them and makes requests of its own.
        case rotel
    }

    private static let rotelAgent = "\(TestFile.repository)/.build/otlp-python/rotel-agent"

    /// Whether Rotel is installed.
    static var hasRotel: Bool { (try? TestFile.bytes(rotelAgent)) != nil }

    /// What a replay of an archive exports.
    static func export(
        _ archive: String,
        _ encoding: String,
        _ folder: TemporaryFolder,
        through: Way = .direct
    ) async throws -> JSONValue {
        let name = "\(encoding)-\(through)"
        let bodies = folder.file(name)
        _ = folder.makeFolder(name)
        // Python looks for its packages where it was called by; `env` calls it by its whole path.
        let collector = try ChildProgram("/usr/bin/env", [python, script, "receive", bodies])
        var port = try #require(await collector.firstLine(), "\(collector.errors)")
        var rotel: ChildProgram?
        if through == .rotel {
            let ports = (FreePort.find(), FreePort.find())
            rotel = try ChildProgram(
                rotelAgent,
                [
                    "start", "--otlp-http-endpoint", "127.0.0.1:\(ports.0)", "--otlp-grpc-endpoint",
                    "127.0.0.1:\(ports.1)", "--exporter", "otlp", "--otlp-exporter-endpoint",
                    "http://127.0.0.1:\(port)", "--otlp-exporter-protocol", "http",
                ]
            )
            port = "\(ports.0)"
        }
        let configuration = [
            "endpoint": "\"http://127.0.0.1:\(port)\"", "encoding": "\"\(encoding)\"", "drain_ms": "600000",
        ]
        let replay = try await ChildProgram.run(
            "tally-replay",
            [archive, "--quiet", "--plugin-dir", PluginFiles.folder, "--plugins", "example-swift,otlp"]
                + configuration.flatMap { ["--set", "plugins.otlp.config.\($0.key)=\($0.value)"] }
        )
        try #require(replay.code == 0, "\(replay.errors)")
        // It sends what it has before it ends.
        await rotel?.terminate()
        await collector.terminate()
        let decoded = try await ChildProgram.run("/usr/bin/env", [python, script, "decode", bodies])
        try #require(decoded.code == 0, "\(decoded.errors)")
        return try JSONParser().parse(decoded.output)
    }
}
