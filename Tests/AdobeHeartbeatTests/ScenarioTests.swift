import TallyTesting
import Testing

/// Every scenario runs in process, through the real plugin file, and as the replay of its archive.
@Suite struct ScenarioTests {
    @Test("Vector", arguments: VectorScenarios.all, ScenarioRunner.Mode.allCases)
    func vector(scenario: Scenario, mode: ScenarioRunner.Mode) throws {
        #expect(try Heartbeat.runner.run(scenario, mode) == [])
    }
}
