import TallyTesting
import Testing

/// Every scenario runs in process, through the real plugin file, and as the replay of its archive.
@Suite struct ScenarioTests {
    @Test("Playback", arguments: PlaybackScenarios.all + SleepScenarios.all, ScenarioRunner.Mode.allCases)
    func playback(scenario: Scenario, mode: ScenarioRunner.Mode) throws {
        let problems = try Mux.runner.run(scenario, mode)
        #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
    }

    @Test("Speed and order", arguments: SpeedScenarios.all + OrderScenarios.all, ScenarioRunner.Mode.allCases)
    func order(scenario: Scenario, mode: ScenarioRunner.Mode) throws {
        let problems = try Mux.runner.run(scenario, mode)
        #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
    }

    @Test("Ads", arguments: AdScenarios.all + AdPictureScenarios.all, ScenarioRunner.Mode.allCases)
    func ads(scenario: Scenario, mode: ScenarioRunner.Mode) throws {
        let problems = try Mux.runner.run(scenario, mode)
        #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
    }

    @Test(
        "Data, requests and errors",
        arguments: DataScenarios.all + TimeUpdateScenarios.all + RequestScenarios.all + ErrorScenarios.all
            + SourceScenarios.all,
        ScenarioRunner.Mode.allCases
    )
    func data(scenario: Scenario, mode: ScenarioRunner.Mode) throws {
        let problems = try Mux.runner.run(scenario, mode)
        #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
    }
}
