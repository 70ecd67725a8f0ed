import Campaigns
import ChildPrograms
import CollectedRuns
import Glibc
import System
import TestFiles
import Testing

@Suite struct BackpressureTests {
    private let files = TemporaryFolder()

    private var tenants: String {
        files.write(
            "tally.json5",
            """
            { collector: { waitingMebibytes: 1, workers: 1,
                           tenants: { flood: { keys: ["f"] }, other: { keys: ["o"] } } } }
            """
        )
    }

    /// A batch with so many lines of a run, of about 90 bytes each.
    private func batch(_ count: Int) -> String {
        let load = #"{"n":1,"t_us":0,"event":"video_load","attributes":{"video_id":"film"}}"#
        let others = (2...count).map {
            #"{"n":\#($0),"t_us":\#($0),"event":"custom.padding","attributes":{"text":"0123456789abcdefghij"}}"#
        }
        return ([#"{"sent_us":1000}"#, load] + others).joined(separator: "\n")
    }

    /// The figure of a tenant in `/metrics`; 0 when it has none.
    private func waiting(_ tenant: String, _ collector: RunningCollector) -> Int {
        collector.figure("tenant_waiting_bytes{tenant=\"\(tenant)\"}") ?? 0
    }

    @Test("A tenant that floods a reporter that is behind is told to wait, others are not, and what was taken is safe")
    func slowReporter() async throws {
        let plugins = try PluginFolder(fixtures: ["slow-reporter"])
        let collector = try await RunningCollector(
            files.file("collected"),
            [
                "--config", tenants, "--plugin-dir", plugins.path, "--plugins", "slow-reporter",
                "--set", "plugins.slow-reporter.config.milliseconds=600000",
            ]
        )
        let text = batch(2_000)
        var taken = 0
        var refusal: CollectorConnection.Answer?
        while refusal == nil, taken < 500 {
            let answer = collector.post("/runs/flood-\(taken)?key=f", text)
            if answer?.status == 200 { taken += 1 } else { refusal = answer }
        }
        #expect(refusal?.status == 503 && refusal?.head.contains("Retry-After: ") == true)
        // No more waits than a tenant may have, and the one that reached it.
        #expect(waiting("flood", collector) < 1024 * 1024 / 2 + text.utf8.count + 256)
        #expect(collector.post("/runs/one?key=o", SampleRun.whole)?.status == 200)
        // The worker may have come further meanwhile, until it stands behind the reporter.
        var status = collector.post("/runs/flood-\(taken)?key=f", text)?.status
        while status == 200, taken < 500 {
            taken += 1
            status = collector.post("/runs/flood-\(taken)?key=f", text)?.status
        }
        #expect(status == 503)
        #expect(collector.connection.get("/healthz") == "{\"status\":\"ok\"}")
        try await collector.killAndBegin(["--config", tenants])
        #expect(await collector.shelved(1))
        #expect(try await collector.end() == 0)
        let search = "cat \(collector.folder)/runs/open/*/*.run | grep -c '\"event\":'"
        let kept = try await ChildProgram.run("/bin/sh", ["-c", search])
        #expect(kept.output == "\(taken * 2_000)\n")
    }

    @Test("While the disk does not answer no more waits for it than may, and others than who floods still have room")
    func slowDisk() async throws {
        let hold = files.file("hold")
        let collector = try await RunningCollector(
            files.file("collected"),
            ["--config", tenants],
            environment: [
                "LD_PRELOAD": TestFile.products + "/libsystem-faults.fixture.so",
                "TALLY_FAULTS_FILE": "collected/journal", "TALLY_FAULTS_HOLD": hold,
            ]
        )
        #expect(collector.post("/runs/first?key=f", SampleRun.whole)?.status == 200)
        files.write("hold", "")
        let text = Array(batch(4_000).utf8)
        var waiting: [StartedPost] = []
        for number in 0..<2 {
            let post = try #require(
                StartedPost(collector.connection, "/runs/flood-\(number)?key=f", text, count: text.count)
            )
            waiting.append(post)
            try #require(await eventually { self.waiting("flood", collector) > (number + 1) * text.count * 9 / 10 })
        }
        // What waits has more than is free.
        #expect(collector.post("/runs/flood-x?key=f", SampleRun.whole)?.status == 503)
        let other = Array(SampleRun.whole.utf8)
        waiting.append(try #require(StartedPost(collector.connection, "/runs/one?key=o", other, count: other.count)))
        #expect(await eventually { self.waiting("other", collector) > 0 })
        unsafe unlink(hold)
        for post in waiting { #expect(post.finish()?.status == 200) }
    }

    @Test("Bodies that come slowly have no more memory than may be, and those of few bytes always have room")
    func slowBodies() async throws {
        let collector = try await RunningCollector(files.file("collected"), ["--config", tenants])
        let body = Array(batch(9_000).utf8)
        let part = 600_000
        let first = try #require(StartedPost(collector.connection, "/runs/a?key=f", body, count: part))
        #expect(await eventually { collector.figure("incoming_bytes") == part })
        let second = try #require(StartedPost(collector.connection, "/runs/b?key=f", body, count: part))
        #expect(collector.post("/runs/c?key=f", SampleRun.whole)?.status == 200)
        #expect(second.finish()?.status == 503)
        #expect(first.finish()?.status == 200)
        #expect(await eventually { collector.figure("incoming_bytes") == 0 })
    }

    private func reports(_ tenant: String, _ count: Int) -> ReceivedReports {
        let key = RunKey(tenant: tenant, form: .native, name: "run")
        return ReceivedReports(key, received: 0, text: [UInt8](repeating: 0x20, count: count - 256))
    }

    @Test("A tenant may have as much waiting as is free; one that is alone may have all")
    func shares() {
        let backlog = Backlog(limit: 3_000, isShared: true)
        backlog.add(reports("a", 1_400))
        #expect(backlog.hasRoom(for: "a"))
        backlog.add(reports("a", 256))
        #expect(!backlog.hasRoom(for: "a") && backlog.hasRoom(for: "b") && !backlog.isFull)
        backlog.add(reports("b", 1_000))
        #expect(!backlog.hasRoom(for: "b") && backlog.hasRoom(for: "c"))
        backlog.remove(reports("a", 1_400))
        #expect(backlog.hasRoom(for: "a") && backlog.bytes == 1_256)
        let alone = Backlog(limit: 1_000, isShared: false)
        alone.add(reports("a", 999))
        #expect(alone.hasRoom(for: "a"))
        // One without lines takes room too.
        alone.add(reports("a", 256))
        #expect(!alone.hasRoom(for: "a") && alone.isFull)
    }

    @Test("Tenants take turns, each in the order of the journal, and a job is done behind what came before it")
    func turns() {
        var turns = ReportTurns<String>(bytes: 600)
        for number in 1...5 { turns.append(reports("a", 300), UInt64(number)) }
        turns.append(reports("b", 300), 6)
        turns.append("job")
        turns.append(reports("b", 300), 7)
        var order: [String] = []
        #expect(turns.first == 1)
        while let turn = turns.next() {
            switch turn {
            case .reports(let entries): order.append(entries.map { "\($0.number)" }.joined(separator: " "))
            case .job(let job): order.append(job)
            }
            if order.count == 2 { #expect(turns.first == 3) }
        }
        #expect(order == ["1 2", "6", "3 4", "5", "job", "7"])
        #expect(turns.first == nil)
    }
}
