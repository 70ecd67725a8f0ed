import TallyTesting
import Testing

/// Every scenario runs in process, through the real plugin file, and as the replay of its archive.
@Suite struct ScenarioTests {
    @Test("Vector", arguments: VectorScenarios.all, ScenarioRunner.Mode.allCases)
    func vector(scenario: Scenario, mode: ScenarioRunner.Mode) throws {
        try check(scenario, mode)
    }

    @Test("Behaviour", arguments: BehaviourScenarios.all + AdScenarios.all, ScenarioRunner.Mode.allCases)
    func behaviour(scenario: Scenario, mode: ScenarioRunner.Mode) throws {
        try check(scenario, mode)
    }

    @Test("A late load", arguments: LateLoadScenarios.all, ScenarioRunner.Mode.allCases)
    func lateLoad(scenario: Scenario, mode: ScenarioRunner.Mode) throws {
        try check(scenario, mode)
    }

    @Test("A sleep of the machine", arguments: SleepScenarios.all, ScenarioRunner.Mode.allCases)
    func sleep(scenario: Scenario, mode: ScenarioRunner.Mode) throws {
        try check(scenario, mode)
    }

    @Test("One instant", arguments: InstantScenarios.all, ScenarioRunner.Mode.allCases)
    func instant(scenario: Scenario, mode: ScenarioRunner.Mode) throws {
        try check(scenario, mode)
    }

    @Test("Before play", arguments: BeforePlayScenarios.all, ScenarioRunner.Mode.allCases)
    func beforePlay(scenario: Scenario, mode: ScenarioRunner.Mode) throws {
        try check(scenario, mode)
    }

    @Test("As 1.3.1", arguments: OldVersionScenarios.all, ScenarioRunner.Mode.allCases)
    func oldVersion(scenario: Scenario, mode: ScenarioRunner.Mode) throws {
        try check(scenario, mode)
    }

    private func check(_ scenario: Scenario, _ mode: ScenarioRunner.Mode) throws {
        let problems = try Heartbeat.runner.run(scenario, mode)
        #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
    }
}
