import Campaigns
import ChildPrograms
import TestFiles
import Testing

/// What an operator asks a collector that runs.
@Suite struct OpenRunCommandTests {
    private let files = TemporaryFolder()

    @Test("Open runs are a table with a header, the oldest first, and one can be shown")
    func table() async throws {
        let control = files.file("control")
        let collector = try await RunningCollector(files.file("collected"), ["--control", control])
        func runs(_ words: [String]) async throws -> ChildProgram.Outcome {
            try await ChildProgram.run("tally-collector", words + ["--control", control])
        }
        #expect(try await runs(["runs"]).output == "No run is open.\n")
        // A run that has come further began earlier.
        for (name, sent) in [("c", 700_000), ("a", 30_700_000), ("b", 60_700_000)] {
            #expect(collector.post("/runs/\(name)", SampleRun.batch(1...4, sent: Int64(sent)))?.safe == 4)
        }
        #expect(await eventually { collector.figure("events_total") == 12 })
        let rows = try await runs(["runs"]).output.split(separator: "\n").map { row in
            row.split(separator: " ").map(String.init)
        }
        #expect(rows.first == ["BEGUN", "HEARD", "STATE", "SESSION", "EVENTS", "FORM", "TENANT", "RUN"])
        #expect(rows.dropFirst().map(\.last) == ["b", "a", "c"])
        #expect(rows.dropFirst().allSatisfy { $0[2...6] == ["playing", "1", "4", "tally", "default"] })
        #expect(try await runs(["show", "a"]).output.contains("tenant"))
        #expect(try await collector.end() == 0)
    }

    @Test("The program's help has the commands to a collector that runs, and each has its own")
    func help() async throws {
        let help = try await ChildProgram.run("tally-collector", ["--help"])
        for name in ["runs", "show", "tap"] {
            #expect(help.output.contains("\n  \(name) "))
            let own = try await ChildProgram.run("tally-collector", [name, "--help"])
            #expect(own.code == 0 && own.output.hasPrefix("Usage: tally-collector \(name) [OPTIONS]"), "\(own.output)")
        }
        let none = try await ChildProgram.run("tally-collector", ["runs", "--control", files.file("none")])
        #expect(none.code == 66 && none.errors.hasPrefix("tally-collector runs: error: "), "\(none.errors)")
        let tooMany = try await ChildProgram.run("tally-collector", ["runs", "x", "--control", files.file("none")])
        #expect(tooMany.code == 64)
    }
}
