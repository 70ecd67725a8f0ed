package import Tally
internal import TextEncoding

/// Everything through which a host is told what to do while it works: commands, the control socket, and watched
/// directories.
package final class ControlPlane: Sendable {
    /// Takes all commands.
    package let queue: ControlQueue

    private let control: HostControl
    private let tap: OutputTap
    private let log: LogPrinter
    private let server = Lock<ControlServer?>(nil)
    private let watch = Lock<PluginWatch?>(nil)
    private let setup: HostSetup
    private let telemetry: Telemetry

    /// Begins to take commands for a run or a replay.
    package init(
        run: any ControlledPlayback,
        telemetry: Telemetry,
        setup: HostSetup,
        tap: OutputTap,
        host: any CommandedHost,
        log: LogPrinter
    ) {
        let control = HostControl(run: run, telemetry: telemetry, setup: setup, tap: tap, host: host)
        self.control = control
        self.tap = tap
        self.log = log
        self.setup = setup
        self.telemetry = telemetry
        queue = ControlQueue { control.perform($0) }
    }

    /// Makes the control socket.
    ///
    /// - Throws: ``HostError/controlSocket(_:)`` when it cannot be made.
    package func listen(_ path: String) throws(HostError) {
        do throws(ControlSocketFile.Failure) {
            let server = try ControlServer(path: path, queue: queue, tap: tap)
            self.server.with { $0 = server }
            control.show(server)
            log.show(.debug, "commands are taken on \(path)")
        } catch {
            throw .controlSocket(error)
        }
    }

    /// Begins to watch the plugin directories, where the configuration has them watched.
    package func watchDirectories() {
        let configuration = setup.configuration
        guard configuration[HostSettings.dropIn] != .off else { return }
        let (log, control) = (log, control)
        let watch = PluginWatch(
            telemetry: telemetry,
            directories: setup.directories.map(\.path),
            onDrop: configuration[HostSettings.dropIn] == .enable ? .enable : .load,
            selection: { control.selection($0) },
            report: { Self.show($0, on: log) }
        )
        self.watch.with { $0 = watch }
    }

    /// Reads the configuration again and says what came of it.
    package func reload() {
        let log = log
        queue.submit(.reload) { reply in
            switch reply {
            case .success(let data): log.show(.info, data["note"]?.string ?? "")
            case .failure(let problem): log.show(.warning, problem.description)
            }
        }
    }

    /// Takes no plugin files any more.
    package func endWatch() {
        watch.with { $0.take() }?.close()
    }

    /// Takes no commands any more; what was given before is carried out.
    package func endCommands() {
        queue.close()
    }

    /// Writes what clients still get, and disconnects them.
    package func endClients() {
        server.with { $0.take() }?.close()
    }

    private static func show(_ report: PluginWatch.Report, on log: LogPrinter) {
        func names(_ plugins: [PluginStatus]) -> String {
            plugins.map { "\($0.name) \($0.version)" }.joined(separator: ", ")
        }
        switch report {
        case .loaded(let file, let plugins): log.show(.info, "\(file): loaded \(names(plugins))")
        case .replaced(let file, let plugins): log.show(.info, "\(file): replaced \(names(plugins))")
        case .refused(_, let error): log.show(.warning, "not used: \(error)")
        case .removed(let file): log.show(.debug, "\(file): removed; what was loaded from it goes on")
        }
    }
}
