import CMCDReports
import ChildPrograms
import LoopbackServer
import PluginKit
import System
import Tally
import TallyTesting
import TestFiles
import Testing

/// How reports get to a target that fails, or wants no more; and what can be configured.
@Suite("Delivery")
struct DeliveryTests {
    private static let session: [(Int64, PlayerAction)] = [
        (0, .load), (100, .play), (1_000, .firstFrame), (2_000, .pause), (3_000, .play), (4_000, .pause),
        (5_000, .unload),
    ]

    @Test("A target that is overloaded or away gets each report, in a body that does not change")
    func trouble() throws {
        let number = Lock(0)
        let run = try ReportingRun { configuration in
            configuration.chooses = { _ in
                let turn = number.with { number in
                    number += 1
                    return number % 3
                }
                return turn == 0 ? Faults() : turn == 1 ? Faults(status: 429) : Faults(refuses: true)
            }
        }
        try run.record(["spool": .string(run.folder.file("spool"))], steps: Self.session)
        let calm = try ReportingRun()
        try calm.record(steps: Self.session)
        #expect(Set(run.bodies) == Set(calm.bodies) && calm.bodies.count == 6)
    }

    @Test("A target that answers 410 gets no more of the session, and the next one")
    func gone() throws {
        let answered = Lock(0)
        let run = try ReportingRun { configuration in
            configuration.onPost = { request in
                let isFirst = request.text.contains("sn=0,") && answered.with { $0 == 0 }
                answered.with { $0 += 1 }
                return PostAnswer(status: isFirst ? 410 : 204, body: "")
            }
        }
        let wait = PlayerCall("wait") { _, run in
            let isTold = blocked {
                let letters = try? run.command(plugin: "cmcd", "dead_letters", limit: 60_000)
                return letters.map { "\($0)".contains("410") } ?? false
            }
            #expect(isTold)
        }
        let count = PlayerCall("count") { _, run in
            let totals = try? run.command(plugin: "cmcd", "totals", limit: 60_000)
            #expect(totals?["held_back"]?.int == 6, "\(totals ?? .null)")
        }
        try run.record(
            ["batch_ms": 100],
            steps: [(0, .load), (200, .play), (300, .call(wait))] + Self.session.dropFirst().map { ($0.0 + 1000, $0.1) }
                + [(9_000, .call(count))] + Self.session.map { ($0.0 + 10_000, $0.1) }
        )
        let sessions = run.reports.reduce(into: [String: Int]()) { $0[$1["sid"] ?? "", default: 0] += 1 }
        #expect(sessions.count == 2)
        #expect(sessions.values.min() == 2 && sessions.values.max() == 8, "\(sessions)")
    }

    private static let refused: [(JSONObject, String)] = [
        (["url": ""], "url"),
        (["url": "cmcd.example"], "url"),
        (["url": "http://"], "url"),
        (["url": "http://:80/c"], "url"),
        (["url": "https://me:hunter2@cmcd.example"], "url"),
        (["url": "https://cmcd.example", "events": ["nonsense"]], "events.0"),
        (["url": "https://cmcd.example", "interval_ms": -1], "interval_ms"),
        (["url": "https://cmcd.example", "batch_ms": 0], "batch_ms"),
        (["url": "https://cmcd.example", "request_addresses": "some"], "request_addresses"),
        (["url": "https://cmcd.example", "credential": "token"], "credential"),
    ]

    @Test("What cannot be is refused, by its key", arguments: 0..<refused.count)
    func refusals(_ place: Int) throws {
        let (configuration, key) = Self.refused[place]
        let host = try FakeHost(.file(PluginFiles.plugin("cmcd")))
        do {
            try host.start(.object(configuration))
            Issue.record("\(configuration) is taken")
        } catch {
            #expect("\(error)".contains(key), "\(error)")
            #expect(!"\(error)".contains("hunter2"), "\(error)")
        }
        host.destroy()
    }

    @Test("The page has every key and every command")
    func page() throws {
        let page = try TestFile.source("docs/plugins/cmcd.md")
        let schema = try JSONParser().parse(CMCDReporter.descriptor.configurationSchema)
        let keys = schema["properties"]?.object?.map(\.key) ?? []
        #expect(keys.count > 18)
        for key in keys where key != "retry" && !page.contains("`\(key)`") { Issue.record("\(key)") }
        for command in CMCDReporter.commands where !page.contains("| `\(command.name)` |") {
            Issue.record("\(command.name)")
        }
    }
}
