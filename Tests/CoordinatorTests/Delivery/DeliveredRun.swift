import EventModel
import PluginKit
import Tally
import TallyTesting

/// What gets through a policy of a run whose tracker does what a test says.
enum DeliveredRun {
    /// Begins a run, lets `body` go on, and gives what the reporter `memory` was handed.
    static func deliver(
        _ policy: DeliveryPolicy,
        id: String = "delivered",
        _ script: ScriptedTracker.Script = ScriptedTracker.Script(),
        _ body: (SyntheticPlayer, PlayerRun) -> Void = { _, _ in }
    ) throws -> OutputTranscript {
        let memory = MemoryReporter()
        let catalog = PluginCatalog()
        try catalog.add(ScriptedTracker.source.library())
        var consumers: [any OutputConsumer & Sendable] = [memory]
        if let filter = policy.filter(for: "memory") {
            consumers = [FilteredConsumer(memory, filter)]
        }
        try ScriptedTracker.$script.withValue(script) {
            let telemetry = try Telemetry(
                plugins: [ScriptedRun.selection],
                catalog: catalog,
                options: .init(),
                extraConsumers: consumers
            )
            let player = SyntheticPlayer()
            let run = try PlayerRun(
                telemetry: telemetry,
                delegate: player,
                archive: nil,
                environment: RunEnvironment(
                    description: RunDescription(id: id, epoch: 0),
                    clock: VirtualClock(),
                    pumped: true
                )
            )
            player.perform(.load, on: run)
            run.pump()
            body(player, run)
            run.pump()
            run.destroy()
            telemetry.close()
        }
        return memory.contents
    }
}
