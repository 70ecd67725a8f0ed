import LoopbackServer
import PluginKit
import Tally
import TallyTesting
import TestFiles

/// A run that is exported to a server of the tests while it is recorded, in JSON.
final class ExportRun {
    let server: LoopbackServer
    let folder = TemporaryFolder()

    /// Starts a server that takes everything, unless the configuration says otherwise.
    init(_ change: (inout ServerConfiguration) -> Void = { _ in }) throws {
        var configuration = ServerConfiguration()
        configuration.onPost = { _ in PostAnswer(status: 200, body: "{}") }
        change(&configuration)
        server = try LoopbackServer(configuration)
    }

    /// Records what `body` has a player do; the example tracker says records of it.
    @discardableResult
    func record(
        _ configuration: JSONObject = [:],
        id: String = "virtualrun01",
        _ body: (SyntheticPlayer, PlayerRun, VirtualClock) throws -> Void
    ) throws -> RecordedRun {
        var members: JSONObject = [
            "endpoint": .string("http://127.0.0.1:\(server.port)"), "encoding": "json", "gzip": false,
            "drain_ms": 60_000, "retry": ["first_ms": 5, "longest_ms": 40],
        ]
        for member in configuration { members[member.key] = member.value }
        var virtual = VirtualRun(
            plugins: [
                PluginSelection("org.tally.example.swift", name: "example-swift"),
                PluginSelection("org.tally.reporter.otlp", name: "otlp", configuration: .object(members)),
            ],
            sources: [.file(PluginFiles.plugin("example-swift")), .file(PluginFiles.plugin("otlp"))]
        )
        virtual.id = id
        return try virtual.record(body)
    }

    /// Records steps at literal times, ms since the run's start.
    @discardableResult
    func record(
        _ configuration: JSONObject = [:],
        id: String = "virtualrun01",
        steps: [(Int64, PlayerAction)]
    ) throws -> RecordedRun {
        try record(configuration, id: id) { player, run, clock in
            for (time, action) in steps {
                clock.advance(to: time * 1000)
                run.pump()
                player.perform(action, on: run)
                run.pump()
            }
        }
    }

    /// The bodies of one signal that arrived, each once.
    func bodies(of signal: String) throws -> [JSONValue] {
        let texts = Set(server.requests.filter { $0.path == "/v1/\(signal)" }.map(\.text))
        return try texts.map { try JSONParser().parse($0) }
    }

    /// All spans, by the time of their begin.
    func spans() throws -> [Exported] {
        try elements("traces", "resourceSpans", "scopeSpans", "spans").sorted { $0.start < $1.start }
    }

    /// All log records, by their time.
    func logs() throws -> [Exported] {
        try elements("logs", "resourceLogs", "scopeLogs", "logRecords").sorted { $0.time < $1.time }
    }

    private func elements(_ signal: String, _ resource: String, _ scope: String, _ list: String) throws -> [Exported] {
        try bodies(of: signal).flatMap { body in
            (body[resource]?.array ?? []).flatMap { $0[scope]?.array ?? [] }.flatMap { $0[list]?.array ?? [] }
        }
        .map(Exported.init)
    }
}

/// A span or a log record as it arrived.
struct Exported {
    let json: JSONValue

    init(_ json: JSONValue) { self.json = json }

    var name: String { json["name"]?.string ?? json["eventName"]?.string ?? "" }
    /// Times, ms since the epoch of virtual runs.
    var start: Int64 { milliseconds("startTimeUnixNano") }
    var end: Int64 { milliseconds("endTimeUnixNano") }
    var time: Int64 { milliseconds("timeUnixNano") }
    var id: String { json["spanId"]?.string ?? "" }
    var parent: String? { json["parentSpanId"]?.string }
    var trace: String { json["traceId"]?.string ?? "" }
    var isFailed: Bool { json["status"]?["code"]?.int == 2 }

    private func milliseconds(_ key: String) -> Int64 {
        (Int64(json[key]?.string ?? "") ?? -1) / 1_000_000 - 1_700_000_000_000
    }

    /// The value of an attribute as text; nil where there is none.
    func attribute(_ name: String) -> String? {
        let pair = json["attributes"]?.array?.first { $0["key"]?.string == name }
        guard let value = pair?["value"] else { return nil }
        return value["stringValue"]?.string ?? value["intValue"]?.string ?? value["boolValue"]?.bool.map { "\($0)" }
    }
}
