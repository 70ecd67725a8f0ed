import NewRelicCustomTracker
import NewRelicVideo
import PluginKit
import TallyTesting
import Testing

/// Ads, generations and delivery in process, through the plugin's file, and as the replay of the archive.
@Suite struct AdScenarioTests {
    @Test("ads, generations and delivery", arguments: AdScenarios.all, ScenarioRunner.Mode.allCases)
    func ads(scenario: Scenario, mode: ScenarioRunner.Mode) throws { try expect(scenario, mode) }

    @Test("content and ads in a break", arguments: AdBreakScenarios.all, ScenarioRunner.Mode.allCases)
    func breaks(scenario: Scenario, mode: ScenarioRunner.Mode) throws { try expect(scenario, mode) }

    @Test("generation B's figures", arguments: QualityScenarios.all, ScenarioRunner.Mode.allCases)
    func figures(scenario: Scenario, mode: ScenarioRunner.Mode) throws { try expect(scenario, mode) }

    private func expect(_ scenario: Scenario, _ mode: ScenarioRunner.Mode) throws {
        let runner = unsafe ScenarioRunner(
            file: .file(PluginFiles.plugin("new-relic-video")),
            linked: .linked { unsafe Self.library.entry }
        )
        let problems = try runner.run(scenario, mode)
        #expect(problems == [], "\(problems.joined(separator: "\n"))")
    }

    @Test("a custom tracker", arguments: [CustomTrackerScenario.audioBook], ScenarioRunner.Mode.allCases)
    func custom(scenario: Scenario, mode: ScenarioRunner.Mode) throws {
        let runner = unsafe ScenarioRunner(
            file: .file(PluginFiles.plugin("example-new-relic-custom")),
            linked: .linked { unsafe Self.custom.entry }
        )
        let problems = try runner.run(scenario, mode)
        #expect(problems == [], "\(problems.joined(separator: "\n"))")
    }

    private static let library = PluginLibrary(trackers: [NewRelicVideoTracker.self])
    private static let custom = PluginLibrary(trackers: [AudioBookTracker.self])
}
