internal import HostSupport
internal import Tally
internal import TextEncoding

/// Carries out the commands of the control socket, and those of a script that are not for the player alone.
///
/// On the queue's thread, one after another; each may wait.
final class PlayerControl: Sendable {
    private let run: PlayerRun
    private let telemetry: Telemetry
    private let inbox: PlayerInbox
    private let tap: OutputTap
    private let setup: Guarded<HostSetup>
    private let plugins: PluginControl
    private let snapshot: Guarded<PlayerSnapshot>
    private let figures: Guarded<PlaybackFigures>
    private let server = Guarded<ControlServer?>(nil)

    init(
        run: PlayerRun,
        telemetry: Telemetry,
        setup: HostSetup,
        tap: OutputTap,
        inbox: PlayerInbox,
        snapshot: Guarded<PlayerSnapshot>,
        figures: Guarded<PlaybackFigures>
    ) {
        self.run = run
        self.telemetry = telemetry
        self.inbox = inbox
        self.tap = tap
        self.snapshot = snapshot
        self.figures = figures
        let setup = Guarded(setup)
        self.setup = setup
        plugins = PluginControl(run: run, telemetry: telemetry) { setup.with { $0 } }
    }

    /// How an instance of a plugin that came while the player runs is configured.
    func selection(_ plugin: PluginStatus) -> PluginSelection {
        setup.with { $0 }.selection(of: plugin)
    }

    /// Notes whose statistics are shown.
    func note(_ server: ControlServer) {
        self.server.with { $0 = server }
    }

    /// Carries a command out.
    func perform(_ command: ControlCommand) -> ControlReply {
        switch command {
        case .playback(let command): return perform(command)
        case .plugin(let order): return plugins.perform(order)
        case .reload: return reload()
        case .stats: return .success(statistics)
        case .drain(let milliseconds):
            return ReporterDrain.reply(run: run, telemetry: telemetry, limit: milliseconds)
        case .erase: return RunErasure.reply(run: run)
        case .help:
            return .success([
                "commands": .array(
                    ControlVocabulary.entries.map { ["usage": .string($0.usage), "summary": .string($0.summary)] }
                )
            ])
        case .tap, .untap: return .failure(.unavailable, "outputs are shown to clients of the control socket only")
        }
    }

    private func perform(_ command: PlaybackCommand) -> ControlReply {
        let answer = Condition<ControlReply?>(nil)
        inbox.post(command) { reply in answer.change { $0 = reply } }
        let deadline = SystemTime.monotonic() + PlayerRun.answerLimit * 1000
        return answer.wait(until: deadline) { $0 }
            ?? .failure(.timedOut, "the player did not come to it in time; it may still do so")
    }

    /// Reads the file again; whatever is wrong in it changes nothing.
    private func reload() -> ControlReply {
        let old = setup.with { $0 }
        guard old.hasFile else {
            return .failure(.unavailable, "there is no configuration file to read again: start with --config")
        }
        do throws(HostError) {
            let new = try old.readAgain()
            let reply = plugins.apply(from: old, to: new)
            setup.with { $0 = new }
            return reply
        } catch {
            return .failure(.invalidConfiguration, "nothing was changed: " + error.messages.joined(separator: "; "))
        }
    }

    private var statistics: JSONValue {
        let (snapshot, figures) = (snapshot.with { $0 }, figures.with { $0 })
        var members: JSONObject = [
            "run": .string(run.id), "time_us": .int(run.time),
            "playback": [
                "source": .string(snapshot.source), "name": .string(snapshot.name),
                "activity": .string(figures.activity.rawValue),
                "playhead_ms": figures.playheadMs.map { .int($0) } ?? .null,
                "duration_ms": snapshot.durationMs.map { .int($0) } ?? .null,
                "events": .int(Int64(figures.events)), "lost_events": .int(Int64(figures.refusedEvents)),
                "stalls": .int(Int64(figures.stalls)), "pauses": .int(Int64(figures.pauses)),
                "seeks": .int(Int64(figures.seeks)), "items": .int(Int64(figures.items)),
                "ads": .int(Int64(figures.ads)), "ad_errors": .int(Int64(figures.adErrors)),
            ],
        ]
        if case .success(let data) = plugins.perform(.stats(nil)) {
            members["plugins"] = data["plugins"] ?? .array([])
        }
        members["tap"] = tap.totals.json
        if let server = server.with({ $0 }) { members["control"] = server.statistics.json }
        return .object(members)
    }
}
