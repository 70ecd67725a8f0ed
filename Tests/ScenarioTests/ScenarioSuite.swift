import NewRelicVideo
import PluginKit
import SwiftTracker
import TallyTesting
import Testing

/// Every scenario runs in process, through the real plugin file, and as the replay of its archive.
@Suite struct ScenarioSuite {
    @Test("New Relic", arguments: NewRelicScenarios.all, ScenarioRunner.Mode.allCases)
    func newRelic(scenario: Scenario, mode: ScenarioRunner.Mode) throws {
        let runner = unsafe ScenarioRunner(
            file: .file(PluginFiles.plugin("new-relic-video")),
            linked: .linked { unsafe Linked.newRelic.entry }
        )
        #expect(try runner.run(scenario, mode) == [])
    }

    @Test("Example in C", arguments: ExampleScenarios.inC, [ScenarioRunner.Mode.file, .replay])
    func exampleInC(scenario: Scenario, mode: ScenarioRunner.Mode) throws {
        let runner = ScenarioRunner(file: .file(PluginFiles.plugin("example-c")), linked: nil)
        #expect(try runner.run(scenario, mode) == [])
    }

    @Test("Example in Swift", arguments: ExampleScenarios.inSwift, ScenarioRunner.Mode.allCases)
    func exampleInSwift(scenario: Scenario, mode: ScenarioRunner.Mode) throws {
        let runner = unsafe ScenarioRunner(
            file: .file(PluginFiles.plugin("example-swift")),
            linked: .linked { unsafe Linked.swiftExample.entry }
        )
        #expect(try runner.run(scenario, mode) == [])
    }
}

/// Trackers that are linked into the test program.
private enum Linked {
    static let newRelic = PluginLibrary(trackers: [NewRelicVideoTracker.self])
    static let swiftExample = PluginLibrary(trackers: [WatchTimeTracker.self])
}
