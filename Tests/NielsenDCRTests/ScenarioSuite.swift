import PluginKit
import TallyTesting
import Testing

/// Every scenario runs in process, through the plugin's file, and as the replay of its archive.
@Suite struct ScenarioSuite {
    @Test("content and ads", arguments: PlaybackScenarios.all, ScenarioRunner.Mode.allCases)
    func playback(scenario: Scenario, mode: ScenarioRunner.Mode) throws {
        #expect(try Self.tracker.run(scenario, mode) == [])
    }

    private static let tracker = unsafe ScenarioRunner(
        file: .file(PluginFiles.plugin("nielsen-dcr")),
        linked: .linked { unsafe Linked.nielsen.entry }
    )
}
