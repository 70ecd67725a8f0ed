import ChildPrograms
import Glibc
import Tally
import TallyTesting
import Testing

/// Reporters are enabled, disabled and replaced while runs go on.
@Suite struct ReporterControlTests {
    private static func lines(_ path: String) throws -> Int {
        try TestFile.bytes(path).count { $0 == 10 }
    }

    private static func selections(_ folder: PluginFolder, enabled: Bool) -> [PluginSelection] {
        [
            PluginSelection(
                "org.tally.reporter.jsonlines",
                name: "lines",
                enabled: enabled,
                configuration: ["path": .string(folder.file("out.jsonl"))]
            )
        ]
    }

    @Test("A disabled reporter gets nothing, and goes on behind what it has written when it is enabled")
    func switched() async throws {
        let folder = PluginFolder()
        let run = try ControlledRun(
            Self.selections(folder, enabled: true),
            files: [PluginFiles.plugin("jsonlines")]
        )
        run.perform(.load)
        #expect(await eventually { (try? Self.lines(folder.file("out.jsonl"))) ?? 0 > 0 })
        #expect(run.run.disable(plugin: "lines") == .requested)
        #expect(run.run.disable(plugin: "lines") == .alreadyDisabled)
        #expect(run.run.plugins().first { $0.name == "lines" }?.state == .disabled)
        let before = try Self.lines(folder.file("out.jsonl"))
        run.perform(.play)
        #expect(try Self.lines(folder.file("out.jsonl")) == before)
        #expect(run.run.enable(plugin: "lines") == .requested)
        run.perform(.pause)
        #expect(await eventually { (try? Self.lines(folder.file("out.jsonl"))) ?? 0 > before })
        _ = run.end()
    }

    @Test("A reporter that is configured as disabled is made when it is enabled")
    func made() async throws {
        let folder = PluginFolder()
        let run = try ControlledRun(
            Self.selections(folder, enabled: false),
            files: [PluginFiles.plugin("jsonlines")]
        )
        run.perform(.load)
        #expect(run.run.plugins().first { $0.name == "lines" }?.state == .disabled)
        #expect(run.run.enable(plugin: "lines") == .requested)
        run.perform(.play)
        #expect(await eventually { (try? Self.lines(folder.file("out.jsonl"))) ?? 0 > 0 })
        _ = run.end()
    }

    @Test(
        "A reporter of a newer file takes the queue over: nothing is lost",
        arguments: [PluginIsolation.none, .process]
    )
    func replaced(_ isolation: PluginIsolation) throws {
        let folder = PluginFolder()
        var selection = Self.selections(folder, enabled: true)[0]
        selection.isolation = isolation
        selection.configuration = ["path": .string(folder.file("out.jsonl")), "append": true]
        let file = try folder.write(
            TestFile.bytes(PluginFiles.plugin("jsonlines")),
            to: "liblines.tallyplugin.so"
        )
        let run = try ControlledRun([selection], files: [file])
        run.perform(.load)
        let process = run.run.plugins().first { $0.name == "lines" }?.process
        try folder.write(
            TestFile.bytes(PluginFiles.plugin("jsonlines")) + [1],
            to: "liblines.tallyplugin.so"
        )
        try run.telemetry.replace(file: file)
        run.perform(.play)
        let status = run.run.plugins().first { $0.name == "lines" }
        #expect(isolation == .none ? status?.process == nil : process != nil && status?.process != process)
        #expect(status?.state == .enabled && status?.reporter?.dropped == 0)
        #expect(run.run.plugins().contains { $0.state == .retired && $0.plugin == "org.tally.reporter.jsonlines" })
        let recorded = run.end()
        #expect(try Self.lines(folder.file("out.jsonl")) == recorded.live.lines.count)
    }

    @Test("A cancelled run drops what waits for reporters and says how much; a drained one delivers it")
    func cancelled() throws {
        for mode in [DestroyMode.cancel, .drain()] {
            let slow = PluginSelection(
                "org.tally.fixture.slow-reporter",
                name: "slow",
                configuration: ["milliseconds": 700]
            )
            let run = try ControlledRun([slow], files: [PluginFiles.fixture("slow-reporter")])
            run.perform(.load)
            for _ in 0..<200 {
                run.perform(.sample)
            }
            let report = run.run.destroy(mode)
            #expect((report.droppedOutputs > 0) == (mode == .cancel), "\(report)")
            run.telemetry.close()
        }
    }
}
