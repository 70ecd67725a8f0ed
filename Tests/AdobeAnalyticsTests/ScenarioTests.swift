import TallyTesting
import Testing

/// Every scenario runs in process, through the real plugin file, and as the replay of its archive.
@Suite struct ScenarioTests {
    @Test("Analytics", arguments: AnalyticsScenarios.all, ScenarioRunner.Mode.allCases)
    func analytics(scenario: Scenario, mode: ScenarioRunner.Mode) throws {
        let problems = try Analytics.runner.run(scenario, mode)
        #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
    }
}
