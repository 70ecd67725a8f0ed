import ChildPrograms
import LoopbackServer
import PluginKit
import Tally
import TallyTesting
import TestFiles
import Testing

/// What is reported of what a player does: CTA-5004-B, event mode.
@Suite("Reports")
struct ReportTests {
    /// A session with most of what there is to say.
    private static let session: [(Int64, PlayerAction)] = [
        (0, .load), (100, .play), (940, .firstFrame), (2_000, .seekStart(to: 60)), (2_100, .bufferStart(.seek)),
        (2_300, .bufferComplete), (2_400, .seekComplete), (3_000, .bufferStart(.stall)), (3_500, .bufferComplete),
        (4_000, .pause), (5_000, .play), (5_500, .rendition(bitrate: 5_000_400, shift: .up, phase: .decided)),
        (5_600, .muted(true)), (5_700, .rate(1.5)), (5_800, .background), (5_900, .foreground),
        (6_000, .playerError("network")), (7_000, .complete), (8_000, .unload),
    ]

    /// Its reports without what all of them have.
    private static let reported = """
        e=ps,pt=0,sn=0,sta=d,ts=1700000000000
        e=t,pt=0,sn=1,sta=d,ts=1700000000000
        e=ps,pt=0,sn=2,sta=s,ts=1700000000100
        e=ps,msd=840,pt=840,sn=3,sta=p,ts=1700000000940
        e=ps,pt=1900,sn=4,sta=k,ts=1700000002000
        e=ps,pt=60100,sn=5,sta=p,ts=1700000002400
        bs,e=ps,pt=60700,sn=6,sta=r,ts=1700000003000
        bsa=(1),bsd=(500),bsda=(500),e=ps,pt=60700,sn=7,sta=p,ts=1700000003500
        e=ps,pt=61200,sn=8,sta=a,ts=1700000004000
        e=ps,pt=61200,sn=9,sta=p,ts=1700000005000
        br=(5000),e=bc,pt=61700,sn=10,sta=p,ts=1700000005500
        br=(5000),e=m,pt=61800,sn=11,sta=p,ts=1700000005600
        br=(5000),e=pr,pr=1.5,pt=61900,sn=12,sta=p,ts=1700000005700
        bg,br=(5000),e=b,pr=1.5,pt=62050,sn=13,sta=p,ts=1700000005800
        bg=?0,br=(5000),e=b,pr=1.5,pt=62200,sn=14,sta=p,ts=1700000005900
        br=(5000),e=e,ec=("network" "7"),pr=1.5,pt=62350,sn=15,sta=p,ts=1700000006000
        br=(5000),e=ps,pr=1.5,pt=63850,sn=16,sta=e,ts=1700000007000
        """

    private static let sessionID = "9a382145-8204-89e0-b4cf-83e7113f96a1"

    /// The records that arrived without what each of them has to have, which is looked for.
    private func records(_ run: ReportingRun) -> [String] {
        let bodies = run.bodies.sorted { Self.number($0) < Self.number($1) }
        return bodies.flatMap { $0.split(separator: "\n") }.map { line in
            var members = line.split(separator: ",").map(String.init)
            for member in ["sid=\"\(Self.sessionID)\"", "v=2"] {
                #expect(members.contains(member), "\(line)")
                members.removeAll { $0 == member }
            }
            members.removeAll { ["cid=\"asset-1\"", "dfa=0", "pb=(3000)", "st=v"].contains($0) }
            return members.joined(separator: ",")
        }
    }

    private static func number(_ body: String) -> Int {
        Int(body.split(separator: ",sn=").dropFirst().first?.prefix { $0.isNumber } ?? "") ?? 0
    }

    @Test("A session is told from its load to its end, in the standard's words and syntax")
    func session() throws {
        let run = try ReportingRun()
        try run.record(steps: Self.session)
        #expect(records(run).joined(separator: "\n") == Self.reported)
        for request in run.server.requests {
            #expect(request.method == "POST" && request.path == "/c/acme")
            #expect(request.header("content-type") == "application/cmcd")
            #expect(!request.text.hasSuffix("\n"), "no line feed stands behind the last record")
        }
        // One body for each second in which something happened.
        #expect(run.bodies.count == 7)
    }

    @Test("Ads are told by their own ids, whatever ends them; who leaves before the end quits")
    func ads() throws {
        let run = try ReportingRun()
        try run.record(steps: [
            (0, .load), (100, .play), (200, .adBreakStart), (300, .adStart(1)), (900, .adComplete),
            (1_000, .adStart(2)),
            (1_500, .adSkip), (1_550, .adStart(3)), (1_600, .adBreakComplete), (1_700, .firstFrame),
            (1_800, .adBreakStart), (1_900, .adStart(4)), (4_000, .unload),
        ])
        let told = run.reports.map { [$0["e"], $0["cid"], $0["sta"]].compactMap(\.self).joined(separator: " ") }
        let film = "\"asset-1\""
        #expect(
            told == [
                "ps \(film) d", "t \(film) d", "ps \(film) s", "abs \(film) s", "as \"ad-1\" s", "ae \(film) s",
                "as \"ad-2\" s", "sk \(film) s", "ae \(film) s", "as \"ad-3\" s", "ae \(film) s", "abe \(film) s",
                "ps \(film) p", "abs \(film) p", "as \"ad-4\" p", "ae \(film) p", "abe \(film) p", "ps \(film) q",
            ]
        )
    }

    @Test("Requests are told from when they began, without what may be secret in their addresses")
    func requests() throws {
        let segment = PlayerCall("segment") { _, run in
            var request = NetworkRequest()
            (request.url, request.host) = ("https://cdn.example/v/7.m4s?token=secret", "cdn.example")
            (request.type, request.status) = ("video", 206)
            (request.duration, request.firstByte) = (0.42, 0.045)
            run.trackRequestCompleted(request)
        }
        for (style, url) in [
            ("without_query", "https://cdn.example/v/7.m4s"), ("host", "https://cdn.example/"),
            ("full", "https://cdn.example/v/7.m4s?token=secret"),
        ] {
            let run = try ReportingRun()
            try run.record(
                ["request_addresses": .string(style), "events": ["rr", "h"]],
                steps: [(0, .load), (100, .play), (1_000, .call(segment)), (2_000, .call(segment)), (3_000, .unload)]
            )
            let reports = run.reports
            #expect(reports.map { $0["e"] } == ["h", "rr", "rr"], "the host is told once")
            #expect(reports[0]["h"] == "\"cdn.example\"")
            #expect(reports[1]["ts"] == "1700000000580" && reports[2]["ts"] == "1700000001580")
            #expect(reports[1]["url"] == "\"\(url)\"", "\(style)")
            #expect(reports[1]["rc"] == "206" && reports[1]["ttlb"] == "420" && reports[1]["ttfb"] == "45")
            #expect(reports[1]["ot"] == "v" && reports[1]["pt"] == nil && reports[1]["sta"] == nil)
            #expect(reports.map { $0["sn"] } == ["0", "1", "2"], "what is not sent has no number")
        }
    }

    @Test("An error that ends playback is a state of its own, and nobody quits behind it")
    func failed() throws {
        let failure = PlayerCall("failure") { _, run in
            run.trackVideoPlayerError("not_found", PlayerErrorDetails(message: "gone", code: 404, fatal: true))
        }
        let run = try ReportingRun()
        try run.record(steps: [(0, .load), (100, .play), (500, .call(failure)), (900, .unload)])
        let reports = run.reports
        #expect(reports.compactMap { $0["sta"] } == ["d", "d", "s", "f", "f"])
        #expect(reports.last?["ec"] == "(\"not_found\" \"404\")")
    }

    @Test("A text that the syntax has no room for is left out, and costs nothing else")
    func texts() throws {
        for (id, said) in [
            ("film \"9\" \\", "\"film \\\"9\\\" \\\\\""), ("caf\u{E9}", nil), (String(repeating: "x", count: 129), nil),
        ] {
            let run = try ReportingRun()
            try run.record(steps: [(0, .load), (100, .unload)]) { player, _ in player.change { $0.id = id } }
            #expect(run.reports.first?["cid"] == said)
            #expect(run.reports.first?["e"] == "ps")
        }
    }

    @Test("A replay of the archive sends the same bodies")
    func replayed() async throws {
        let live = try ReportingRun()
        let recorded = try live.record(steps: Self.session)
        let again = try ReportingRun()
        let replay = try await ChildProgram.run(
            "tally-replay",
            [
                recorded.archive, "--quiet", "--plugin-dir", PluginFiles.folder, "--plugins", "cmcd", "--set",
                "plugins.cmcd.config.url=\"http://127.0.0.1:\(again.server.port)/c/acme\"", "--set",
                "plugins.cmcd.config.drain_ms=600000",
            ]
        )
        #expect(replay.code == 0, "\(replay.errors)")
        #expect(Set(again.bodies) == Set(live.bodies) && again.bodies.count == live.bodies.count)
    }
}
