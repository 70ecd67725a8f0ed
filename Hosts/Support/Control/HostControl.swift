package import Tally
package import TextEncoding

/// What a host does itself of the commands; everything else is the same in all hosts.
package protocol CommandedHost: Sendable {
    /// Which host it is, for the commands that it has.
    var section: HostSection { get }

    /// Carries out a command for playback, and may wait for it.
    func perform(_ command: PlaybackCommand) -> ControlReply

    /// Deletes what was recorded.
    func erase() -> ControlReply

    /// Shows the open runs, or the one of a name.
    func runs(named name: String?) -> ControlReply

    /// What the host adds to the reply to `stats`.
    var statistics: JSONObject { get }

    /// Does something that changes plugins where this host can take changes, and waits for it.
    func whereChangesAreTaken(_ body: @escaping @Sendable () -> ControlReply) -> ControlReply
}

extension CommandedHost {
    package func runs(named name: String?) -> ControlReply {
        .failure(.unavailable, "only a collector has runs of players elsewhere")
    }

    package func whereChangesAreTaken(_ body: @escaping @Sendable () -> ControlReply) -> ControlReply {
        body()
    }
}

/// Carries out commands, whoever gives them: the control socket, a script, a signal.
///
/// On the queue's thread, one after another; each may wait.
package final class HostControl: Sendable {
    private let run: any ControlledPlayback
    private let telemetry: Telemetry
    private let tap: OutputTap
    private let host: any CommandedHost
    private let setup: Lock<HostSetup>
    private let plugins: PluginControl
    private let server = Lock<ControlServer?>(nil)

    /// Takes commands for a run or a replay.
    package init(
        run: any ControlledPlayback,
        telemetry: Telemetry,
        setup: HostSetup,
        tap: OutputTap,
        host: any CommandedHost
    ) {
        self.run = run
        self.telemetry = telemetry
        self.tap = tap
        self.host = host
        let setup = Lock(setup)
        self.setup = setup
        plugins = PluginControl(run: run, telemetry: telemetry) { setup.with { $0 } }
    }

    /// How an instance of a plugin that came while the host runs is configured.
    package func selection(_ plugin: PluginStatus) -> PluginSelection {
        setup.with { $0 }.selection(of: plugin)
    }

    /// Shows the statistics of this server too.
    package func show(_ server: ControlServer) {
        self.server.with { $0 = server }
    }

    /// Carries a command out.
    package func perform(_ command: ControlCommand) -> ControlReply {
        switch command {
        case .playback(let command): return host.perform(command)
        case .plugin(let order): return host.whereChangesAreTaken { [plugins] in plugins.perform(order) }
        case .reload: return host.whereChangesAreTaken { [self] in reload() }
        case .stats: return host.whereChangesAreTaken { [self] in .success(statistics) }
        case .drain(let milliseconds): return ReporterDrain.reply(run: run, telemetry: telemetry, limit: milliseconds)
        case .erase: return host.erase()
        case .runs: return host.runs(named: nil)
        case .showRun(let name): return host.runs(named: name)
        case .help:
            let entries = ControlVocabulary.entries(for: host.section)
            return .success([
                "commands": .array(entries.map { ["usage": .string($0.usage), "summary": .string($0.summary)] })
            ])
        case .tap, .untap: return .failure(.unavailable, "outputs are shown to clients of the control socket only")
        }
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
        var members = host.statistics
        if case .success(let data) = plugins.perform(.stats(nil)) { members["plugins"] = data["plugins"] ?? .array([]) }
        members["tap"] = tap.totals.json
        if let server = server.with({ $0 }) { members["control"] = server.statistics.json }
        return .object(members)
    }
}

/// Lets reporters deliver what they have without ending them.
package enum ReporterDrain {
    /// Asks all reporters and waits for their answers, at most `limit`, ms.
    package static func reply(run: any ControlledPlayback, telemetry: Telemetry, limit: Int64) -> ControlReply {
        // What was put out before is with the reporters when this returns.
        _ = run.plugins()
        let runs = run.openRuns
        let reporters = telemetry.reporters.filter(\.isEnabled)
        let answers = Condition((count: 0, sum: FlushAnswer()))
        for reporter in reporters {
            for id in runs {
                reporter.flush(runID: id, session: 0, budget: limit) { answer in
                    answers.change { answers in
                        answers.count += 1
                        answers.sum.delivered += answer.delivered
                        answers.sum.kept += answer.kept
                        answers.sum.dropped += answer.dropped
                    }
                }
            }
        }
        let deadline = SystemTime.monotonic() + limit * 1000
        let inTime = answers.wait(until: deadline) { $0.count == reporters.count * runs.count ? true : nil } ?? false
        let sum = answers.with { $0.sum }
        guard inTime else {
            return .failure(.timedOut, "reporters did not deliver all within \(Double(limit) / 1000) s; they go on")
        }
        return .success([
            "delivered": .int(Int64(clamping: sum.delivered)), "kept": .int(Int64(clamping: sum.kept)),
            "lost": .int(Int64(clamping: sum.dropped)),
        ])
    }
}

/// Deletes what there is of a run: its archive so far, and what reporters keep.
package enum RunErasure {
    /// The command of a reporter that deletes what it keeps of a run.
    private static let command = "erase"

    /// Erases the run's archive, and asks each reporter that has a command `erase` to do the same.
    ///
    /// What has been delivered already cannot be called back.
    package static func reply(run: PlayerRun) -> ControlReply {
        do throws(ControlError) {
            try run.eraseArchive()
        } catch {
            return .failure(.refused, error.description)
        }
        var reporters = JSONObject()
        for plugin in run.plugins()
        where plugin.kind == .reporter && plugin.commands.contains(where: { $0.name == command }) {
            do throws(ControlError) {
                reporters[plugin.name] = try run.command(plugin: plugin.name, command, ["run": .string(run.id)])
            } catch {
                return .failure(.refused, "the archive was erased, but \(plugin.name) refuses: \(error.reason)")
            }
        }
        return .success(["run": .string(run.id), "reporters": .object(reporters)])
    }
}
