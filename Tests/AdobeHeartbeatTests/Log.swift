import Tally
import TallyTesting

/// Collects the log of a run.
final class Log: Sendable {
    private let collected = Lock<[LogLine]>([])

    var lines: [LogLine] { collected.with { $0 } }

    /// A playback with a pause and a whole quantum.
    func run(
        _ configuration: JSONValue,
        _ model: SyntheticPlayer.Model = SyntheticPlayer.Model()
    ) throws -> RecordedRun {
        try run(configuration) { player, run, clock in
            player.change { $0 = model }
            let steps: [(Int64, PlayerAction)] = [
                (0, .load), (0, .play), (12_000, .pause), (13_000, .play), (14_000, .unload),
            ]
            for (time, action) in steps {
                clock.advance(to: time * 1000)
                run.pump()
                player.perform(action, on: run)
                run.pump()
            }
        }
    }

    func run(
        _ configuration: JSONValue,
        _ body: (SyntheticPlayer, PlayerRun, VirtualClock) throws -> Void
    ) throws -> RecordedRun {
        var virtual = VirtualRun(plugins: [Heartbeat.selection(configuration)], sources: Heartbeat.sources)
        virtual.log = { [self] line in collected.with { $0.append(line) } }
        return try virtual.record(body)
    }

    /// Sets plugins up as a host does, from their files, and ends again.
    func start(_ plugins: [PluginSelection]) throws {
        var options = Telemetry.Options()
        options.log = { [self] line in collected.with { $0.append(line) } }
        let files = ["adobe-analytics", "adobe-heartbeat"].map { PluginSource.file(PluginFiles.plugin($0)) }
        let telemetry = try Telemetry(plugins: plugins, catalog: RecordedRun.catalog(files), options: options)
        telemetry.close()
    }

    /// Plays in a run that has no delegate.
    func run(_ plugins: [PluginSelection], _ body: (PlayerRun) -> Void) throws {
        var options = Telemetry.Options()
        options.log = { [self] line in collected.with { $0.append(line) } }
        let telemetry = try Telemetry(
            plugins: plugins,
            catalog: RecordedRun.catalog(Heartbeat.sources),
            options: options
        )
        let run = try telemetry.startRun()
        body(run)
        run.destroy()
        telemetry.close()
    }

    static func lines(_ configuration: JSONValue) throws -> [LogLine] {
        let log = Log()
        _ = try log.run(configuration)
        return log.lines
    }
}
