import Campaigns
import ChildPrograms
import Glibc
import TestFiles
import Testing

@Suite struct DamagedFileTests {
    private let files = TemporaryFolder()

    /// Kills a collector, changes the file of its one open run, and begins again.
    private func damage(_ collector: RunningCollector, _ expression: String) async throws {
        collector.program.send(SIGKILL)
        _ = try await collector.program.killed()
        let command = "sed -i '\(expression)' \(collector.folder)/runs/open/*/*.run"
        #expect(try await ChildProgram.run("/bin/sh", ["-c", command]).code == 0)
        try await collector.beginAgain()
    }

    @Test("A run's file without its begin is kept and told, and the journal has what is not lost")
    func begin() async throws {
        let collector = try await RunningCollector(files.file("collected"))
        #expect(collector.post("/runs/one", SampleRun.batch(1...4, sent: 700_000))?.safe == 4)
        #expect(await eventually { collector.figure("events_total") == 4 })
        try await damage(collector, "1s/#k/#x/")
        #expect(collector.program.errors.contains("a run's file cannot be read"))
        #expect(collector.post("/runs/one", SampleRun.batch(5...8))?.safe == 8)
        #expect(await collector.shelved(1))
        #expect(try await collector.end() == 0)
        #expect(try await collector.archived().count(where: { $0.contains("\"event\":") }) == 7)
        let kept = try await ChildProgram.run("/bin/sh", ["-c", "ls \(collector.folder)/runs/open/*/*.damaged"])
        #expect(kept.code == 0)
    }

    @Test("A run whose file is damaged in its midst goes on with what stands before it", arguments: [4, 5])
    func midst(line: Int) async throws {
        let collector = try await RunningCollector(files.file("collected"))
        func post(_ number: Int) -> CollectorConnection.Answer? {
            let record = "cid=\"film\",e=ps,sid=\"s\",sn=\(number),sta=p,ts=179000000000\(number),v=2"
            return collector.post("/cmcd/default", record, headers: "Content-Type: application/cmcd\r\n")
        }
        // A key, and for each record itself and how far all is done.
        for number in 0...1 {
            #expect(post(number)?.status == 204)
            let search = "[ $(cat \(collector.folder)/runs/open/*/*.run | wc -l) -eq \(2 * number + 3) ]"
            try #require(try await eventually { try await ChildProgram.run("/bin/sh", ["-c", search]).code == 0 })
        }
        try await damage(collector, "\(line)s/ [0-9]*/ 99999999999999999999/")
        try #require(await collector.program.says("damaged; the run goes on with what stands before it"))
        #expect(post(2)?.status == 204)
        let search = "[ $(cat \(collector.folder)/runs/open/*/*.run | grep -c \"^#r .*film\") -eq 3 ]"
        #expect(try await eventually { try await ChildProgram.run("/bin/sh", ["-c", search]).code == 0 })
        #expect(try await collector.end() == 0)
    }

    @Test("A disk that is full is told once, and found to have room again without a report")
    func fullDisk() async throws {
        let full = files.file("full")
        let collector = try await RunningCollector(
            files.file("collected"),
            ["--config", files.write("tally.json5", "{ collector: { tenants: { web: { keys: [\"k1\"] } } } }")],
            environment: [
                "LD_PRELOAD": "\(TestFile.products)/libsystem-faults.fixture.so", "TALLY_FAULTS_FILE": "/journal/",
                "TALLY_FAULTS_FULL": full,
            ]
        )
        #expect(collector.post("/runs/one?key=k1", SampleRun.batch(1...2))?.safe == 2)
        files.write("full", "")
        #expect(collector.post("/runs/one?key=k1", SampleRun.batch(3...4))?.status == 503)
        #expect(await collector.program.says("reports are answered with 503"))
        #expect(collector.connection.get("/healthz")?.contains("\"status\":\"ok\"") != true)
        #expect(unsafe unlink(full) == 0)
        #expect(await eventually { collector.connection.get("/healthz") == "{\"status\":\"ok\"}" })
        #expect(await collector.program.says("the journal can be written again"))
        #expect(collector.post("/runs/one?key=k1", SampleRun.batch(3...8))?.safe == 8)
        #expect(try await collector.end() == 0)
    }
}
