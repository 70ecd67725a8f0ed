import Campaigns
import ChildPrograms
import TestFiles
import Testing

@Suite struct ErasureTests {
    private let files = TemporaryFolder()

    @Test("Where no collector has been nothing is erased, and nothing is made", arguments: [false, true])
    func noFolder(isThere: Bool) async throws {
        let folder = files.file("folder")
        if isThere { files.makeFolder("folder") }
        let run = try await ChildProgram.run("tally-collector", ["erase", "--folder", folder, "--run", "r"])
        #expect(run.code == 66 && run.errors.contains("there is no collector's folder"), "\(run.errors)")
        #expect(TemporaryFolder.names(in: files.path) == (isThere ? ["folder"] : []))
        #expect(TemporaryFolder.names(in: folder).isEmpty)
    }

    @Test("Of two runs of one name that of the tenant is erased which is named", arguments: ["--run", "--user"])
    func ofTenant(option: String) async throws {
        let configuration = files.write(
            "tally.json5",
            "{ collector: { tenants: { web: { keys: [\"k1\"] }, app: { keys: [\"k2\"] } } } }"
        )
        let collector = try await RunningCollector(files.file("collected"), ["--config", configuration])
        let batch = SampleRun.whole.replacing("\"video_id\":", with: "\"user_id\":\"viewer\",\"video_id\":")
        for key in ["k1", "k2"] { #expect(collector.post("/runs/viewer?key=\(key)", batch)?.safe == 8) }
        #expect(await collector.shelved(2))
        #expect(try await collector.end() == 0)
        func erase(_ tenant: String) async throws -> Int32 {
            try await ChildProgram.run(
                "tally-collector",
                ["erase", "--folder", collector.folder, option, "viewer", "--tenant", tenant]
            ).code
        }
        #expect(try await erase("none") == 1)
        #expect(try await erase("web") == 0)
        #expect(try await collector.archived(tenant: "web").isEmpty)
        #expect(try await collector.archived(tenant: "app").count == 9)
    }

    @Test("Of a viewer all of the run is erased, also what says nothing of who watches, and it does not come back")
    func wholeRun() async throws {
        let configuration = files.write("tally.json5", "{ collector: { tenants: { web: { keys: [\"k1\"] } } } }")
        let collector = try await RunningCollector(files.file("collected"), ["--config", configuration])
        let first = SampleRun.batch(1...1).replacing("\"video_id\":", with: "\"user_id\":\"viewer-77\",\"video_id\":")
        let name = "marked-run-77"
        #expect(collector.post("/runs/\(name)?key=k1", first)?.safe == 1)
        #expect(collector.post("/runs/\(name)?key=k1", SampleRun.batch(2...8))?.safe == 8)
        #expect(await collector.shelved(1))
        #expect(try await collector.end() == 0)
        let erased = try await ChildProgram.run(
            "tally-collector",
            ["erase", "--folder", collector.folder, "--user", "viewer-77"]
        )
        #expect(erased.code == 0 && erased.errors.contains("2 journal entries"), "\(erased.errors)")
        let found = try await ChildProgram.run("/usr/bin/grep", ["-rla", name, collector.folder])
        #expect(found.output.isEmpty, "\(found.output)")
    }
}
