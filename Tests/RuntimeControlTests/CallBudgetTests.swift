import Tally
import TallyTesting
import Testing

/// Calls that take longer than they should disable a tracker, by their number.
@Suite struct CallBudgetTests {
    @Test("The last call that is allowed over the budget disables a tracker, and none before it")
    func number() throws {
        let folder = PluginFolder()
        var options = Telemetry.Options()
        // Every call takes longer, however fast it is.
        options.callBudget = -1
        options.callsOverBudget = 3
        let run = try ControlledRun(
            [PluginSelection(ControlledRun.patched, name: "mine")],
            files: [folder.make("libcounter.tallyplugin.so")],
            options: options
        )
        // Its session's begin and this event are two.
        run.perform(.load)
        #expect(run.said("mine") == ["begin 0", "event 1"])
        run.perform(.play)
        #expect(run.said("mine") == ["begin 0", "event 1", "event 2", "end 2"])
        run.perform(.pause)
        #expect(run.said("mine").count == 4)
        let recorded = run.end()
        #expect(recorded.live.events.count { $0.contains("time_budget") } == 2)
        #expect(try run.replayAsRecorded(recorded.archive).lines == recorded.live.lines)
    }
}
