import Campaigns
import ChildPrograms
import TestFiles
import Testing
import TextEncoding

/// Reports in other forms than Tally's own.
@Suite struct ForeignReportTests {
    private let files = TemporaryFolder()
    private let type = "Content-Type: application/cmcd; charset=utf-8\r\n"

    /// A session of a player, whose last report is its end.
    private static let session = """
        cid="film-9",e=t,sid="7c1e",sn=0,st=v,sta=s,ts=1764752400000,v=2
        e=ps,msd=840,sid="7c1e",sn=1,sta=p,ts=1764752400840,v=2
        bad=(
        e=rr,rc=200,sid="7c1e",sn=2,ts=1764752401000,ttlb=20,url="https://cdn.example/1.m4s?token=secret",v=2
        e=ps,sid="7c1e",sn=3,sta=a,ts=1764752401500,v=2
        e=ps,sid="7c1e",sn=4,sta=q,ts=1764752402000,v=2
        """

    private func start(_ options: String = "") async throws -> RunningCollector {
        let configuration = files.write(
            "tally.json5",
            "{ collector: { holdBackSeconds: 0.2, silenceAfterEndSeconds: 1, \(options) } }"
        )
        return try await RunningCollector(files.file("collected"), ["--config", configuration])
    }

    private func events(_ collector: RunningCollector) async throws -> [String] {
        try await collector.archived().compactMap { try JSONParser().parse($0)["event"]?.string }
    }

    private static let expected = [
        "video_load", "play", "quality_sample", "first_frame", "request_completed", "pause", "video_unload",
    ]

    @Test("A session of CMCD becomes a run: a bad record harms no other, and what is secret is in no archive")
    func cmcd() async throws {
        let collector = try await start()
        #expect(collector.post("/cmcd/default", Self.session, headers: type)?.status == 204)
        #expect(await collector.shelved(1))
        #expect(try await events(collector) == Self.expected)
        #expect(try await collector.archived().allSatisfy { !$0.contains("secret") })
        let metrics = collector.connection.get("/metrics") ?? ""
        #expect(metrics.contains("refused_records_total{reason=\"syntax\"} 1"))
    }

    @Test("A session goes on behind a kill, and the same records again make nothing")
    func killed() async throws {
        let collector = try await start()
        let lines = Self.session.split(separator: "\n").map(String.init)
        let first = lines[0...3].joined(separator: "\n")
        #expect(collector.post("/cmcd/default", first, headers: type)?.status == 204)
        #expect(await eventually { (collector.figure("events_total") ?? 0) >= 4 })
        try await collector.killAndBegin()
        #expect(collector.post("/cmcd/default", first, headers: type)?.status == 204)
        #expect(collector.post("/cmcd/default", lines[4...].joined(separator: "\n"), headers: type)?.status == 204)
        #expect(await collector.shelved(1))
        // A machine that is slow is taken for a clock that was set, which is told.
        #expect(try await events(collector).filter { $0 != "custom" } == Self.expected)
    }

    @Test("A session too many is told to wait, those that are open go on, and there is room behind their end")
    func openRuns() async throws {
        let collector = try await start("tenants: { default: { openRuns: 1 } }")
        let begin = "e=t,sid=\"one\",sn=0,sta=p,ts=1764752400000,v=2"
        #expect(collector.post("/cmcd/default", begin, headers: type)?.status == 204)
        let both = Self.session + "\n" + begin.replacing("sn=0", with: "sn=1")
        let full = collector.post("/cmcd/default", both, headers: type)
        #expect(full?.status == 429 && full?.head.contains("Retry-After: 30") == true)
        #expect(collector.figure("journal_entries_total") == 2)
        let event = #"{"event":"init","sessionId":"s","timestamp":1764752400000,"playhead":0,"duration":0}"#
        #expect(collector.post("/", event)?.status == 429)
        #expect(collector.post("/runs/a", SampleRun.whole)?.status == 429)
        try await collector.killAndBegin()
        #expect(collector.post("/cmcd/default", Self.session, headers: type)?.status == 429)
        let end = begin.replacing("sn=0", with: "sn=2").replacing("sta=p", with: "sta=q")
        #expect(collector.post("/cmcd/default", end, headers: type)?.status == 204)
        #expect(await collector.shelved(1))
        #expect(collector.post("/cmcd/default", Self.session, headers: type)?.status == 204)
        #expect(await collector.shelved(2))
    }

    @Test("A session whose reports are held back says when the first of them came")
    func begunAt() async throws {
        let control = files.file("control")
        let collector = try await RunningCollector(
            files.file("collected"),
            ["--set", "collector.settled=true", "--control", control]
        )
        #expect(collector.post("/cmcd/default", Self.session, headers: type)?.status == 204)
        #expect(await eventually { collector.figure("open_runs") == 1 })
        let made = try await ChildProgram.run("tally-collector", ["ctl", "--control", control, "--json", "runs"])
        let run = try JSONParser().parse(made.output)["data"]?["runs"]?.array?.first
        #expect(run?["run"] == "7c1e")
        #expect((run?["begun_us"]?.int ?? 0) > 1_764_752_400_000_000)
        #expect(run?["begun_us"] == run?["heard_us"])
    }

    @Test("Other media types, bodies without a record and other tenants are refused")
    func refused() async throws {
        let collector = try await start()
        #expect(collector.post("/cmcd/default", Self.session, headers: "Content-Type: text/plain\r\n")?.status == 415)
        #expect(collector.post("/cmcd/default", Self.session)?.status == 415)
        #expect(collector.post("/cmcd/default", " \n\r\n", headers: type)?.status == 400)
        #expect(collector.post("/cmcd/other", Self.session, headers: type)?.status == 401)
        #expect(collector.post("/cmcd/default", Self.session, headers: type, method: "PUT")?.status == 405)
    }

    @Test("Requests of a log become runs that say they are that, and the same log again adds nothing")
    func imported() async throws {
        func line(_ time: String, _ target: String) -> String {
            "1.2.3.4 - - [26/Nov/2026:\(time) +0000] \"GET \(target) HTTP/1.1\" 200 512 \"-\" \"x\""
        }
        let said = "cid%3D%22film%22%2Csid%3D%22s1%22"
        let log = files.write(
            "access.log",
            [
                line("10:00:00", "/v/master.m3u8?CMCD=ot%3Dm%2C\(said)"),
                line("10:00:01", "/v/1.m4s?token=secret&CMCD=br%3D2400%2Cot%3Dv%2C\(said)"), line("10:00:02", "/other"),
                "nonsense",
                // After 5 minutes the run before is over.
                line("10:20:00", "/v/2.m4s?CMCD=br%3D2400%2Cot%3Dv%2C\(said)"),
            ].joined(separator: "\n") + "\n"
        )
        var lists: [String] = []
        for _ in 0..<2 {
            let run = try await ChildProgram.run(
                "tally-collector",
                ["import", "--folder", files.file("collected"), log]
            )
            #expect(run.code == 65 && run.errors.contains("access.log:4"), "\(run.errors)")
            let folder = files.file("collected/archives/default/2026-11-26")
            lists.append(try TestFile.text(folder + "/10.tally.zst.runs"))
            let plain = try await ChildProgram.run("/bin/sh", ["-c", "zstdcat \(folder)/10.tally.zst"])
            #expect(!plain.output.contains("secret") && !plain.output.contains("1.2.3.4"))
            let events = plain.output.split(separator: "\n").compactMap {
                try? JSONParser().parse(String($0))["event"]?.string
            }
            #expect(
                events == [
                    "video_load", "request_completed", "request_completed", "video_unload", "video_load",
                    "request_completed", "video_unload",
                ]
            )
        }
        #expect(lists[0] == lists[1] && lists[0].split(separator: "\n").count == 2)
    }
}
