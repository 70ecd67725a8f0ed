import Campaigns
import ChildPrograms
import CollectedRuns
import Glibc
import RealServers
import TestFiles
import Testing
import TextEncoding

/// Two collectors behind nginx, one of which is taken out: the other one goes on with its runs.
@Suite struct AdoptionTests {
    private let files = TemporaryFolder()

    private func collector(_ name: String) async throws -> RunningCollector {
        try await RunningCollector(files.file(name), ["--socket", files.file("\(name).sock")])
    }

    private func adopt(_ sources: String..., into target: String) async throws -> ChildProgram.Outcome {
        try await ChildProgram.run(
            "tally-collector",
            ["adopt", "--folder", files.file(target)] + sources.map { files.file($0) }
        )
    }

    /// What is installed, with sockets in the place of names.
    private func nginx() async throws -> Nginx {
        let many = try TestFile.text(Repository.path("Hosts/Collector/Deployment/nginx-many.conf"))
            .replacing("collector-1.internal:8095", with: "unix:\(files.file("one.sock"))")
            .replacing("collector-2.internal:8095", with: "unix:\(files.file("two.sock"))")
        return try await Nginx { _, port, secure in
            """
            \(many)
            server {
                listen 127.0.0.1:\(port);
                listen 127.0.0.1:\(secure);
                location / { proxy_pass http://tally_collector; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_next_upstream off; }
            }
            """
        }
    }

    @Test(
        "Each run stays with one collector, and goes on with the other one when its own is taken out: each line is there once",
        .enabled(if: RealServers.areInstalled)
    )
    func takenOut() async throws {
        let (one, two) = (try await collector("one"), try await collector("two"))
        let nginx = try await nginx()
        let connection = CollectorConnection(port: nginx.port)
        func post(_ run: Int, _ numbers: ClosedRange<Int>) -> Int? {
            let text = SampleRun.batch(numbers)
            return connection.post("/runs/run-\(run)", Array(text.utf8), headers: "", method: "POST")?.status
        }
        for run in 0..<24 {
            #expect(post(run, 1...4) == 200)
            #expect(post(run, 5...6) == 200, "it is the same collector, which has the first lines")
        }
        // One run is over, and known to be.
        for run in 20..<24 { #expect(post(run, 7...8) == 200) }
        #expect(
            await eventually {
                (one.figure("archived_runs_total") ?? 0) + (two.figure("archived_runs_total") ?? 0) == 4
            }
        )
        #expect((one.figure("open_runs") ?? 0) > 3 && (two.figure("open_runs") ?? 0) > 3, "both have some")
        let moved = one.figure("open_runs") ?? 0
        #expect(try await one.end() == 0)
        // Which runs it had is nginx's to say.
        #expect((0..<20).contains { post($0, 7...7) == 502 })
        let early = try await adopt("one", into: "two")
        #expect(early.code == 73 && early.errors.contains("another collector uses this folder"), "\(early.errors)")
        #expect(try await two.end() == 0)
        let adopted = try await adopt("one", into: "two")
        #expect(adopted.code == 0 && adopted.errors.contains("taken over: \(moved) open runs"), "\(adopted.errors)")
        // A collector that is begun on the old folder by mistake has none of them.
        try await one.beginAgain()
        #expect(one.figure("open_runs") == 0)
        #expect(try await one.end() == 0)
        let again = try await adopt("one", into: "two")
        #expect(again.code == 0 && again.errors.contains("taken over: 0 open runs"), "\(again.errors)")
        try await two.beginAgain()
        // The name of the one that is gone leads to the other.
        _ = unsafe unlink(files.file("one.sock"))
        #expect(unsafe symlink(files.file("two.sock"), files.file("one.sock")) == 0)
        for run in 0..<20 { #expect(post(run, 5...8) == 200) }
        // What is over is over with the other one too: its player is told to begin another run.
        for run in 20..<24 { #expect(post(run, 1...8) == 410) }
        #expect(await two.shelved(20))
        let archived = try await one.archived() + two.archived()
        var numbers: [String: [Int64]] = [:]
        for line in archived {
            let json = try JSONParser().parse(line)
            numbers[json["run"]?.string ?? "", default: []].append(json["n"]?.int ?? -1)
        }
        #expect(numbers.count == 24)
        for (run, lines) in numbers { #expect(lines == Array(0..<Int64(lines.count)) && lines.count == 9, "\(run)") }
    }

    @Test("An adoption that was cut off and is repeated late takes nothing over twice, and loses nothing")
    func cutOff() async throws {
        let (one, two) = (try await collector("one"), try await collector("two"))
        // The other journal is far ahead of this one.
        for _ in 0..<40 { #expect(one.post("/runs/ended", SampleRun.batch(1...8))?.status != nil) }
        #expect(one.post("/runs/open", SampleRun.batch(1...4))?.status == 200)
        #expect(await one.shelved(1))
        #expect(try await one.end() == 0)
        #expect(try await two.end() == 0)
        var adoption = CollectionAdoption(from: files.file("one"), into: files.file("two"))
        #expect(try adoption.copy(behind: 0).open == 1)
        try await two.beginAgain()
        #expect(two.post("/runs/open", SampleRun.batch(5...8))?.status == 200)
        #expect(await two.shelved(1))
        #expect(try await two.end() == 0)
        let again = try await adopt("one", into: "two")
        #expect(again.code == 0 && again.errors.contains("taken over: 1 open run"), "\(again.errors)")
        try await two.beginAgain()
        #expect(two.figure("open_runs") == 0)
        #expect(two.post("/runs/open", SampleRun.batch(5...8))?.status == 410)
        #expect(two.post("/runs/ended", SampleRun.batch(1...8))?.status == 410)
        let archived = try await two.archived()
        #expect(archived.count == 9 && archived.allSatisfy { $0.contains("\"run\":\"open\"") })
    }

    @Test("What is in no run's file yet is not left behind, and what both have of a run stays where it is")
    func refused() async throws {
        let (one, two) = (try await collector("one"), try await collector("two"))
        #expect(one.post("/runs/a", SampleRun.batch(1...4))?.status == 200)
        one.program.send(SIGSTOP)
        _ = try await two.end()
        one.program.send(SIGCONT)
        #expect(one.post("/runs/b", SampleRun.batch(1...4))?.status == 200)
        one.program.send(SIGKILL)
        _ = try await one.program.killed()
        let early = try await adopt("one", into: "two")
        if early.code != 0 {
            #expect(early.code == 73 && early.errors.contains("end it by SIGTERM"), "\(early.errors)")
            try await one.beginAgain()
            #expect(try await one.end() == 0)
            #expect(try await adopt("one", into: "two").code == 0)
        }
        // Both have something of one.
        try await one.beginAgain()
        try await two.beginAgain()
        #expect(one.post("/runs/c", SampleRun.batch(1...4))?.status == 200)
        #expect(two.post("/runs/c", SampleRun.batch(1...3))?.status == 200)
        #expect(try await one.end() == 0)
        #expect(try await two.end() == 0)
        let doubled = try await adopt("one", into: "two")
        #expect(
            doubled.code == 1 && doubled.errors.contains("not taken over: 1 run") && doubled.errors.contains("as c:")
        )
        #expect(try await adopt("nowhere", into: "two").code == 66)
        #expect(try await adopt("one", into: "nowhere").code == 66)
        #expect(try await adopt("two", into: "two").code == 64)
    }
}
