internal import Chapters
package import HostSupport
internal import PlaybackEngine
internal import Tally

/// The program: from its command line to its exit code.
package struct PlayerCommand {
    private let arguments: CommandLineArguments
    private let surroundings: PlayerSurroundings
    private let log: LogPrinter

    /// Prepares to do what the arguments ask for.
    package init(_ arguments: CommandLineArguments, in surroundings: PlayerSurroundings) {
        self.arguments = arguments
        self.surroundings = surroundings
        log = LogPrinter(program: PlayerSyntax.syntax.program, arguments: arguments, above: surroundings.status)
        if surroundings.takesSignals { SignalWatch.block() }
    }

    /// Does what was asked.
    package func run() -> ExitCode {
        do throws(UsageError) {
            let request = try PlayerRequest(arguments)
            return run(request)
        } catch {
            PlayerSyntax.syntax.end(with: error)
        }
    }

    private func run(_ request: PlayerRequest) -> ExitCode {
        do throws(HostError) {
            let setup = try HostSetup(
                arguments,
                section: .player,
                settings: PlayerSyntax.settings,
                searches: request.listsPlugins || request.takesCommands,
                admission: .ofHost(PlayerSyntax.syntax.program) { log.show(.warning, $0) }
            )
            if request.explains {
                if let problem = try setup.rehearseApart(log) { return problem }
                let socket = request.path(HostSettings.control, in: setup.configuration)
                let canEnable = socket != nil || request.scriptPath != nil || setup.hasFile
                let explanation = EffectiveConfiguration(setup, options: arguments.explained, canEnable: canEnable)
                let text = request.json ? explanation.json : explanation.text(on: StandardStream.output.terminal)
                PlayerSyntax.syntax.end(showing: text)
            }
            if request.listsPlugins {
                let listing = setup.listing
                let text = request.json ? listing.json : listing.text(on: StandardStream.output.terminal)
                PlayerSyntax.syntax.end(showing: text)
            }
            return try play(request, setup)
        } catch {
            for message in error.messages { log.show(.error, message) }
            return error.exitCode
        }
    }

    private func play(_ request: PlayerRequest, _ setup: HostSetup) throws(HostError) -> ExitCode {
        for warning in setup.warnings { log.show(.warning, warning) }
        let requests = request.requests(setup.settings)
        if requests.isInsecure { log.show(.warning, RequestSettings.insecureWarning) }
        let script: PlaybackScript?
        let chapters: ChapterList?
        do throws(InputError) {
            script = try request.scriptPath.map { path throws(InputError) in
                try PlaybackScript(path: path, plugins: setup.configuration.plugins.map(\.name))
            }
            chapters = try request.chaptersPath.map { path throws(InputError) in try ChapterFile.read(path) }
            if let path = requests.certificatesPath { try CertificateFile.check(path) }
        } catch {
            log.show(.error, error.message)
            return error.exitCode
        }
        let place = request.path(HostSettings.archive, in: setup.configuration).map { ArchivePlace($0) }
        let archive = place?.file
        try check(request, setup, script, archive: archive)
        let store = request.path(HostSettings.store, in: setup.configuration)
        if let store { try StorePlace.check(store) }
        let junit = try request.junitPath.map { path throws(HostError) in try SummaryFile(path) }
        var options = Telemetry.Options()
        options.storeFile = store
        options.isolatesTrackers = arguments[HostSettings.isolate, in: JSONObject()]
        options.log = { [log] line in log.write(line) }
        let tap = OutputTap()
        let telemetry = try setup.telemetry(options, tap: tap)
        reportWhatIsMissing(setup, archive)
        var recovery: ArchiveRecovery?
        if let place, setup.configuration.recovers, telemetry.takesRecoveredRuns {
            recovery = ArchiveRecovery(telemetry, place, log: log)
        }
        let materials = PlayerMaterials(
            request: request,
            setup: setup,
            telemetry: telemetry,
            tap: tap,
            script: script,
            chapters: chapters,
            junit: junit,
            log: log,
            surroundings: surroundings,
            recovery: recovery
        )
        do throws(HostError) {
            return request.players == 1
                ? try PlayerSession(materials: materials).play(archive: archive)
                : try ParallelSession(materials: materials).play(archive: archive)
        } catch {
            telemetry.close(limit: 1_000)
            throw error
        }
    }

    /// Makes sure that nothing is written over what is read, before anything is written.
    private func check(
        _ request: PlayerRequest,
        _ setup: HostSetup,
        _ script: PlaybackScript?,
        archive: String?
    ) throws(HostError) {
        let archives = archive.map { archive in
            request.players == 1
                ? [archive]
                : (0..<request.players).map { ParallelSession.path(archive, $0, of: request.players) }
        }
        let store = request.path(HostSettings.store, in: setup.configuration)
        try setup.checkIsolation(
            from: (archives ?? []).map { ($0, "the archive") }
                + (store.map { [($0, "the file of persistent values")] } ?? [])
        )
        try PlayerFiles(
            request,
            script: script,
            certificates: request.requests(setup.settings).certificatesPath,
            configuration: arguments[HostSettings.config]
        ).check(
            archives: archives ?? [],
            junit: request.junitPath,
            store: store,
            plugins: setup.reporterSelections
        )
    }

    private func reportWhatIsMissing(_ setup: HostSetup, _ archive: String?) {
        guard let silence = setup.silence(archive: archive) else { return }
        let isEmpty = setup.configuration.plugins.isEmpty
        log.show(.info, silence + (isEmpty ? "; choose some with --plugins, or record with --archive." : "."))
    }
}

/// Reads the file of chapters that the command line names.
enum ChapterFile {
    static func read(_ path: String) throws(InputError) -> ChapterList {
        let text = try InputError.text(of: path) { "the chapters '\(path)' cannot be read: \($0)" }
        do throws(WebVTTChapters.Failure) {
            return try WebVTTChapters.chapters(in: text)
        } catch {
            throw InputError(message: "the chapters '\(path)' cannot be used: \(error.reason)")
        }
    }
}
