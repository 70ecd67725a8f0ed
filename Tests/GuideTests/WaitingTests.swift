import Tally
import TallyTesting
import Testing

@Test(
    "A wait of a second is told when it ends, and at the session's end",
    arguments: [ScenarioRunner.Mode.file, .replay]
)
func wait(mode: ScenarioRunner.Mode) throws {
    let scenario = Scenario(
        "a wait of a second",
        tracker: PluginSelection("org.example.waiting", name: "waiting", configuration: ["shortest_ms": 100]),
        steps: [
            .at(0, .load), .at(100, .play), .at(200, .firstFrame), .at(3_000, .bufferStart(.stall)),
            .at(4_000, .bufferComplete), .at(9_000, .complete), .at(9_000, .unload),
        ],
        expected: [
            .at(4_000, "wait", ["waited_ms": .int(1_000)]), .at(9_000, "waiting_summary", ["waited_ms": .int(1_000)]),
        ]
    )
    let runner = ScenarioRunner(file: .file(PluginFiles.fixture("waiting")), linked: nil)
    #expect(try runner.run(scenario, mode) == [])
}
