import LoopbackServer
import PluginABI
import PluginKit
import System
import Tally
import TallyTesting
import TestFiles
import Testing

/// How requests get to a collector that fails.
@Suite("Delivery")
struct DeliveryTests {
    /// Sessions of some seconds, so that there are many requests.
    private static func sessions(_ count: Int) -> [(Int64, PlayerAction)] {
        (0..<Int64(count)).flatMap { number in
            [(0, PlayerAction.load), (100, .play), (500, .firstFrame), (11_000, .pause), (12_000, .unload)]
                .map { (number * 20_000 + $0.0, $0.1) }
        }
    }

    @Test("Statuses that the protocol calls temporary are tried again, and others are not")
    func statuses() throws {
        for status in [429, 502, 503, 504] {
            let run = try ExportRun { $0.faults = [FaultRule(PathPattern("*"), Faults(status: status), limit: 3)] }
            try run.record(steps: Self.sessions(1))
            #expect(try run.spans().contains { $0.name == "media.session" }, "\(status)")
            let texts = run.server.requests.map(\.text)
            #expect(texts.count == Set(texts).count + 3, "\(status)")
        }
        for status in [400, 401, 404, 408, 413, 500, 501] {
            let run = try ExportRun { $0.faults = [FaultRule(PathPattern("*"), Faults(status: status))] }
            try run.record(steps: Self.sessions(1))
            let texts = run.server.requests.map(\.text)
            #expect(texts.count == Set(texts).count && !texts.isEmpty, "\(status)")
        }
    }

    @Test("Nothing is lost to a collector that refuses connections, cuts answers and is overloaded")
    func trouble() throws {
        let number = Lock(0)
        let run = try ExportRun { configuration in
            configuration.chooses = { _ in
                let number = number.with { number in
                    number += 1
                    return number
                }
                switch number % 4 {
                case 0: return Faults(refuses: true)
                case 1: return Faults(status: 503)
                default: return Faults()
                }
            }
        }
        try run.record(["spool": .string(run.folder.file("spool"))], steps: Self.sessions(20))
        let calm = try ExportRun()
        try calm.record(steps: Self.sessions(20))
        #expect(Set(run.server.requests.map(\.text)) == Set(calm.server.requests.map(\.text)))
        #expect(try run.spans().filter { $0.name == "media.session" }.count == 20)
    }

    @Test("What waits in a spool goes out in a later program, once")
    func later() throws {
        let isWell = Lock(false)
        let run = try ExportRun { configuration in
            configuration.chooses = { _ in isWell.with { $0 } ? Faults() : Faults(status: 503) }
        }
        let settings: JSONObject = ["spool": .string(run.folder.file("spool"))]
        var hurried = settings
        hurried["drain_ms"] = 0
        try run.record(hurried, steps: Self.sessions(3))
        isWell.with { $0 = true }
        let refused = run.server.requests.count
        try run.record(settings, id: "virtualrun02", steps: Self.sessions(1))
        let sessions = try run.spans().compactMap { $0.attribute("media.session.id") }
        #expect(Set(sessions) == ["virtualrun01/1", "virtualrun01/2", "virtualrun01/3", "virtualrun02/1"])
        let texts = run.server.requests.dropFirst(refused).map(\.text)
        #expect(Set(texts).count == texts.count, "each goes out once")
        // The same run again, as a replay would say it.
        try run.record(settings, id: "virtualrun02", steps: Self.sessions(1))
        #expect(run.server.requests.count == refused + texts.count, "what the spool has taken does not go out again")
    }

    @Test("What a collector rejects of a request is counted as lost, in either form of its answer")
    func partialSuccess() throws {
        // Field 1 with 8 bytes: field 1 is 3, and field 2 a text of 4 bytes.
        let binary = "\u{0A}\u{08}\u{08}\u{03}\u{12}\u{04}full"
        let json = #"{"partialSuccess":{"rejectedLogRecords":"3","rejectedSpans":"3","errorMessage":"full"}}"#
        for (encoding, body) in [("json", json), ("protobuf", binary)] {
            let run = try ExportRun { $0.onPost = { _ in PostAnswer(status: 200, body: body) } }
            let lines = Lock<[String]>([])
            let host = try FakeHost(.file(PluginFiles.plugin("otlp")), playerRunID: "run-1")
            try host.start([
                "endpoint": .string("http://127.0.0.1:\(run.server.port)"), "encoding": .string(encoding),
                "signals": ["logs"], "gzip": false, "drain_ms": 60_000,
            ])
            let outputs = ReporterOutputs(playerRunID: "run-1")
            for number in 1...5 as ClosedRange<UInt64> {
                outputs.add(FakeHost.Record(kind: "TEST", attributes: []), ordinal: number)
            }
            #expect(host.deliver(outputs) == 5)
            host.disable()
            lines.with { $0 = host.logLines.map(\.message) }
            let totals = host.command("totals", .object([:])).value ?? .null
            host.destroy()
            #expect(totals["rejected"]?.int == 3, "\(encoding)")
            #expect(totals["lost"]?.int == 3, "\(encoding)")
            #expect(lines.with { $0.contains { $0.contains("rejects 3") && $0.contains("full") } }, "\(encoding)")
            #expect(run.server.requests.count == 1, "it is not sent again")
        }
    }

    @Test("A run that goes on keeps its form, and goes to the new address")
    func reconfigured() throws {
        let (first, second) = (try ExportRun(), try ExportRun())
        func configuration(_ run: ExportRun, _ encoding: String) -> JSONValue {
            [
                "endpoint": .string("http://127.0.0.1:\(run.server.port)"), "encoding": .string(encoding),
                "signals": ["logs"], "gzip": false, "drain_ms": 60_000,
            ]
        }
        let host = try FakeHost(.file(PluginFiles.plugin("otlp")), playerRunID: "run-1")
        try host.start(configuration(first, "json"))
        func deliver(_ numbers: ClosedRange<UInt64>) {
            let outputs = ReporterOutputs(playerRunID: "run-1")
            for number in numbers {
                outputs.add(FakeHost.Record(kind: "TEST", attributes: []), ordinal: number)
            }
            _ = host.deliver(outputs)
        }
        deliver(1...3)
        #expect(host.reconfigure(configuration(second, "protobuf")) == TALLY_OK)
        deliver(4...5)
        host.disable()
        host.destroy()
        #expect(first.server.requests.isEmpty)
        #expect(second.server.requests.map { $0.header("content-type") } == ["application/json"])
        #expect(try second.logs().map { $0.attribute("media.record.kind") } == Array(repeating: "TEST", count: 5))
    }
}
