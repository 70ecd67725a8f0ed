internal import HostSupport
internal import Tally
internal import TextEncoding

/// Everything through which a run is changed while it goes on: commands, the control socket, and watched directories.
final class PlayerControlPlane: Sendable {
    /// Takes commands for the player.
    let inbox: PlayerInbox
    /// Takes all commands.
    let queue: ControlQueue

    private let control: PlayerControl
    private let tap: OutputTap
    private let log: LogPrinter
    private let server = Guarded<ControlServer?>(nil)
    private let watch = Guarded<PluginWatch?>(nil)
    private let setup: HostSetup
    private let telemetry: Telemetry

    init(
        run: PlayerRun,
        telemetry: Telemetry,
        setup: HostSetup,
        tap: OutputTap,
        snapshot: Guarded<PlayerSnapshot>,
        figures: Guarded<PlaybackFigures>,
        log: LogPrinter
    ) {
        let inbox = PlayerInbox()
        let control = PlayerControl(
            run: run,
            telemetry: telemetry,
            setup: setup,
            tap: tap,
            inbox: inbox,
            snapshot: snapshot,
            figures: figures
        )
        self.inbox = inbox
        self.control = control
        self.tap = tap
        self.log = log
        self.setup = setup
        self.telemetry = telemetry
        queue = ControlQueue { control.perform($0) }
    }

    /// Makes the control socket, when one is wanted, and begins to watch the plugin directories.
    func listen(_ path: String?) throws(HostError) {
        if let path {
            do throws(ControlSocketFile.Failure) {
                let server = try ControlServer(path: path, queue: queue, tap: tap)
                self.server.with { $0 = server }
                control.note(server)
                log.show(.debug, "commands are taken on \(path)")
            } catch {
                throw .controlSocket(error)
            }
        }
        let configuration = setup.configuration
        guard configuration.watchesDirectories, path != nil || !configuration.plugins.isEmpty else { return }
        let (log, control) = (log, control)
        let watch = PluginWatch(
            telemetry: telemetry,
            directories: setup.directories.map(\.path),
            onDrop: configuration.dropIn ?? .load,
            selection: { control.selection($0) },
            report: { Self.show($0, on: log) }
        )
        self.watch.with { $0 = watch }
    }

    /// Reads the configuration again and says what came of it.
    func reload() {
        let log = log
        queue.submit(.reload) { reply in
            switch reply {
            case .success(let data): log.show(.info, data["note"]?.string ?? "")
            case .failure(let problem): log.show(.warning, problem.message)
            }
        }
    }

    /// Takes no commands and no plugin files any more; what was given before is carried out.
    func endCommands() {
        watch.with { watch -> PluginWatch? in
            defer { watch = nil }
            return watch
        }?.close()
        inbox.close()
        queue.close()
    }

    /// Writes what clients still get, and disconnects them.
    func endClients() {
        server.with { server -> ControlServer? in
            defer { server = nil }
            return server
        }?.close()
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
