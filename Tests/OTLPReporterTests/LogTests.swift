import LoopbackServer
import OTLP
import PluginKit
import Tally
import TallyTesting
import Testing

/// What becomes logs, and what of metrics' attributes goes out.
@Suite("Logs and points")
struct LogTests {
    private static let steps: [(Int64, PlayerAction)] = [
        (0, .load), (1_000, .play), (1_500, .firstFrame), (13_000, .pause), (14_000, .unload),
    ]

    @Test("A record has its own number, and the trace and the span of its session")
    func records() throws {
        let run = try ExportRun()
        try run.record(steps: Self.steps)
        let logs = try run.logs()
        let session = try #require(try run.spans().first { $0.name == "media.session" })
        #expect(
            logs.map { $0.attribute("media.record.id") } == (1...logs.count).map { "virtualrun01/example-swift/\($0)" }
        )
        #expect(!logs.isEmpty)
        for log in logs {
            #expect(log.name == "media.record")
            #expect(log.trace == session.trace && log.id == session.id)
            #expect(log.attribute("media.session.id") == "virtualrun01/1")
            #expect(log.json["body"]?["kvlistValue"]?["values"]?.array?.isEmpty == false)
        }
    }

    @Test("Player events are logs when they are asked for")
    func events() throws {
        let run = try ExportRun()
        try run.record(["events": true], steps: Self.steps)
        let names = try run.logs().map(\.name).filter { $0 != "media.record" }
        #expect(names.filter { $0 == "media.play" }.count == 1)
        #expect(names.contains("media.video_load") && names.contains("media.video_unload"))
        #expect(!names.contains("media.playhead_sample"))
    }

    @Test("What tells who watches goes out on demand alone", arguments: [false, true])
    func personal(_ isWanted: Bool) throws {
        let run = try ExportRun()
        try run.record(["personal": .bool(isWanted), "events": true]) { player, run, _ in
            player.change { $0.moreOfVideo = { $0.userID("somebody@example.org") } }
            player.perform(.load, on: run)
            run.pump()
            player.perform(.unload, on: run)
            run.pump()
        }
        let texts = run.server.requests.map(\.text)
        #expect(!texts.isEmpty)
        #expect(texts.contains { $0.contains("somebody@example.org") } == isWanted)
    }

    @Test("Signals that are not wanted are not sent", arguments: ["logs", "traces", "metrics"])
    func signals(_ signal: String) throws {
        let run = try ExportRun()
        try run.record(["signals": [.string(signal)]], steps: Self.steps)
        #expect(Set(run.server.requests.map(\.path)) == ["/v1/\(signal)"])
    }

    @Test("A run has 33 different values of an attribute of points at most, and no long ones")
    func bounded() throws {
        let run = try ExportRun()
        try run.record(["signals": ["metrics"]]) { player, run, clock in
            for number in 0..<40 {
                let country = number == 0 ? String(repeating: "x", count: 65) : "c\(number)"
                player.change { $0.videoAttributes["country"] = .string(country) }
                clock.advance(to: clock.now() + 1_000_000)
                player.perform(.load, on: run)
                run.pump()
                player.perform(.unload, on: run)
                run.pump()
            }
        }
        let countries = run.server.requests.map(\.text).flatMap { text in
            text.matches(of: /"media.custom.country","value":\{"stringValue":"([^"]*)"/).map { String($0.1) }
        }
        #expect(Set(countries) == Set((1...32).map { "c\($0)" } + ["other"]))
    }
}
