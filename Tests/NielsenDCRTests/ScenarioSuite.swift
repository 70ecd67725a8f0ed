import PluginKit
import TallyTesting
import Testing

/// Every scenario runs in process, through the plugin's file, and as the replay of its archive.
@Suite struct ScenarioSuite {
    @Test("content and ads", arguments: PlaybackScenarios.all, ScenarioRunner.Mode.allCases)
    func playback(scenario: Scenario, mode: ScenarioRunner.Mode) throws {
        try Self.expect(scenario, mode)
    }

    @Test("how ads end", arguments: AdEndScenarios.all, ScenarioRunner.Mode.allCases)
    func adEnds(scenario: Scenario, mode: ScenarioRunner.Mode) throws {
        try Self.expect(scenario, mode)
    }

    @Test("where a stream ends", arguments: StreamScenarios.all, ScenarioRunner.Mode.allCases)
    func streams(scenario: Scenario, mode: ScenarioRunner.Mode) throws {
        try Self.expect(scenario, mode)
    }

    @Test("pauses, waiting and interruptions", arguments: InterruptionScenarios.all, ScenarioRunner.Mode.allCases)
    func interruptions(scenario: Scenario, mode: ScenarioRunner.Mode) throws {
        try Self.expect(scenario, mode)
    }

    @Test("positions on demand and live", arguments: PositionScenarios.all, ScenarioRunner.Mode.allCases)
    func positions(scenario: Scenario, mode: ScenarioRunner.Mode) throws {
        try Self.expect(scenario, mode)
    }

    @Test(
        "metadata, application and opt-out",
        arguments: MetadataScenarios.all + ApplicationScenarios.all,
        ScenarioRunner.Mode.allCases
    )
    func metadata(scenario: Scenario, mode: ScenarioRunner.Mode) throws {
        try Self.expect(scenario, mode)
    }

    @Test("the vendor's API by itself", arguments: VectorScenarios.all, [ScenarioRunner.Mode.file, .replay])
    func vectors(scenario: Scenario, mode: ScenarioRunner.Mode) throws {
        let runner = unsafe ScenarioRunner(file: .linked { unsafe Linked.direct.entry }, linked: nil)
        try Self.expect(scenario, mode, runner)
    }

    private static func expect(
        _ scenario: Scenario,
        _ mode: ScenarioRunner.Mode,
        _ runner: ScenarioRunner = tracker
    ) throws {
        let problems = try runner.run(scenario, mode)
        #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
    }

    private static var tracker: ScenarioRunner {
        unsafe ScenarioRunner(
            file: .file(PluginFiles.plugin("nielsen-dcr")),
            linked: .linked { unsafe Linked.nielsen.entry }
        )
    }
}
