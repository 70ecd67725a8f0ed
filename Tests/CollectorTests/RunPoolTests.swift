import ChildPrograms
import CollectedRuns
import PlayerReports
import System
import Tally
import TestFiles
import Testing

@Suite struct RunPoolTests {
    private let files = TemporaryFolder()
    private let key = RunKey(tenant: "web", form: .cmcd, name: "7c1e")

    private func pool() throws -> (pool: RunPool, shelf: ArchiveShelf) {
        let shelf = try ArchiveShelf(ArchiveShelf.Options(folder: files.file("archives"))) { Issue.record("\($0)") }
        var options = RunOptions(folder: files.file("runs"))
        options.interpretation = { _ in CMCDInterpretation() }
        return (try RunPool(try Telemetry(), options, shelf: shelf), shelf)
    }

    @Test("What comes of a session behind the time at which it should be over is another run's, and is not lost")
    func behindItsEnd() async throws {
        let (pool, shelf) = try pool()
        let now = SystemTime.wall()
        // A worker that is behind has both before it knows what time it is.
        for (entry, received) in [now, now + 3_600_000_000].enumerated() {
            let text = "cid=\"film\",e=ps,sid=\"7c1e\",sn=\(entry),sta=p,ts=\(received / 1000),v=2\n"
            let reports = ReceivedReports(key, received: received, text: Array(text.utf8))
            pool.backlog.add(reports)
            pool.accept(reports, entry: UInt64(entry) + 1)
        }
        #expect(await eventually { pool.counts.entries == 2 && shelf.statistics.runs == 1 })
        #expect(pool.counts.begun == 2 && pool.counts.ended == 1 && pool.openRunCount == 1)
        #expect(pool.counts.refused.isEmpty)
        pool.close()
    }

    @Test("Sessions whose ids are cleaned or cut to the same letters are runs of their own names")
    func names() {
        let long = String(repeating: "x", count: 48)
        let ids = ["a b", "a/b", "a_b", long + "1", long + "2", long].map {
            RunKey(tenant: "web", form: .cmcd, name: $0).runID(begunAt: 1_764_752_400_000_000)
        }
        #expect(Set(ids).count == ids.count)
        #expect(ids.allSatisfy { $0.utf8.count <= 64 && $0.hasSuffix("-mips0io0") }, "\(ids)")
        #expect(ids[2].hasPrefix("a_b-m") && ids[5].hasPrefix(long + "-m"))
        #expect(RunKey(tenant: "web", form: .native, name: "a_b").runID(begunAt: 1) == "a_b")
    }
}
