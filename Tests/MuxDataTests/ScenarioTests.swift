import TallyTesting
import Testing

/// Every scenario runs in process, through the real plugin file, and as the replay of its archive.
@Suite struct ScenarioTests {
    @Test("Playback", arguments: PlaybackScenarios.all, ScenarioRunner.Mode.allCases)
    func playback(scenario: Scenario, mode: ScenarioRunner.Mode) throws {
        #expect(try Mux.runner.run(scenario, mode) == [])
    }
}
