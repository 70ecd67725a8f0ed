internal import Chapters
internal import Glibc
internal import HostSupport
internal import PlaybackEngine
internal import Tally

/// One run of the program: plays the source, ends the telemetry, and says what it came to.
final class PlayerSession {
    private let request: PlayerRequest
    private let setup: HostSetup
    private let telemetry: Telemetry
    private let tap: OutputTap
    private let script: PlaybackScript?
    private let chapters: ChapterList?
    private let log: LogPrinter
    private let status: StatusLine
    private let hasStatus: Bool

    init(
        _ request: PlayerRequest,
        _ setup: HostSetup,
        _ telemetry: Telemetry,
        _ tap: OutputTap,
        script: PlaybackScript?,
        chapters: ChapterList?,
        log: LogPrinter,
        status: StatusLine
    ) {
        self.request = request
        self.setup = setup
        self.telemetry = telemetry
        self.tap = tap
        self.script = script
        self.chapters = chapters
        self.log = log
        self.status = status
        hasStatus = !request.quiet && StandardStream.error.terminal.isTerminal && !Self.writesToTerminal(setup)
    }

    /// Plays to the end; the exit code says how it went.
    func play(archive: String?) throws(HostError) -> ExitCode {
        let snapshot = PlayerSnapshot(source: request.source, declaredType: request.streamType(setup.settings))
        let delegate = SnapshotDelegate(snapshot, log: log)
        let run: PlayerRun
        do throws(TelemetryError) {
            run = try telemetry.startRun(delegate: delegate, archive: archive)
        } catch {
            throw setup.located(error)
        }
        let figures = Guarded(PlaybackFigures())
        let notes = ProgressNotes(log: log, isSilent: hasStatus)
        let declaredType = request.streamType(setup.settings)
        let startNs = Clock.bootNs()
        let stopRequested = Guarded<String?>(nil)
        let inbox = PlayerInbox()
        let control = ControlPlane(
            run: run,
            telemetry: telemetry,
            setup: setup,
            tap: tap,
            host: PlayerHost(run: run, inbox: inbox, snapshot: delegate.snapshot, figures: figures),
            log: log
        )
        let socket = request.controlSocket(setup.configuration)
        do throws(HostError) {
            if let socket { try control.listen(socket) }
        } catch {
            control.endCommands()
            run.destroy()
            throw error
        }
        if socket != nil || !setup.configuration.plugins.isEmpty { control.watchDirectories() }
        let player = Player(
            request,
            script: script?.lines ?? [],
            ads: request.ads(setup.settings),
            chapters: chapters,
            makeTracking: { source, last in
                let tracking = PlaybackTracking(run: run, snapshot: delegate.snapshot, figures: figures, notes: notes)
                guard let last else { return tracking }
                delegate.snapshot.with { snapshot in
                    let before = snapshot
                    snapshot = PlayerSnapshot(source: source, declaredType: declaredType)
                    snapshot.volume = before.volume
                    snapshot.isMuted = before.isMuted
                    snapshot.isFullscreen = before.isFullscreen
                    snapshot.playerSize = before.playerSize
                }
                tracking.continueFrom(last)
                return tracking
            },
            stopRequested: stopRequested,
            inbox: inbox,
            queue: control.queue
        )
        let reload: @Sendable () -> Void = { control.reload() }
        SignalWatch.start(
            { stopRequested.with { $0 = "a signal asks for it; a second interrupt ends at once" } },
            hangUp: setup.hasFile ? reload : nil
        )
        player.start(request.engine(setup.settings))
        wait(for: player, delegate.snapshot, figures)
        control.endWatch()
        inbox.close()
        control.endCommands()
        let destroyed = run.destroy()
        control.endClients()
        let reporters = ReporterOutcome.closing(telemetry, patience: PlayerSyntax.patience, log: log)
        var summary = PlaybackSummary(
            source: request.source,
            name: delegate.snapshot.with { $0.name },
            durationMs: delegate.snapshot.with { $0.durationMs },
            figures: figures.with { $0 },
            droppedEvents: destroyed.droppedEvents,
            trackers: run.trackerStatistics.map { ($0.name, $0.statistics) },
            reporters: reporters,
            archive: archive,
            // The core has no other errors than those of the archive.
            archiveFailed: archive != nil && log.errors(of: "") > 0,
            unreachedLines: player.unreachedLines.map { "\(script?.path ?? ""):\($0.number)" }
        )
        let value = summary.value
        let outcomes = request.expectations.map { ($0.text, $0.failure(in: value)) }
        summary.unmet = outcomes.compactMap(\.1)
        report(summary, outcomes, since: startNs)
        summary.show(on: log, quiet: request.quiet, json: request.json)
        return summary.exitCode
    }

    /// Writes what programs read that collect test results.
    private func report(_ summary: PlaybackSummary, _ outcomes: [(String, String?)], since startNs: Int64) {
        guard let path = request.junitPath else { return }
        let playback = ProbeReport.Case(name: "playback", failure: summary.error?.description)
        let report = ProbeReport(
            source: request.source,
            seconds: Double(Clock.bootNs() - startNs) / 1_000_000_000,
            cases: [playback] + outcomes.map { ProbeReport.Case(name: $0.0, failure: $0.1) }
        )
        do throws(HostError) {
            try SummaryFile(path).write(report.xml)
        } catch {
            log.show(.error, error.messages.joined(separator: "; "))
        }
    }

    /// Shows the status until playback is over.
    private func wait(for player: Player, _ snapshot: Guarded<PlayerSnapshot>, _ figures: Guarded<PlaybackFigures>) {
        guard hasStatus else {
            player.waitUntilStopped()
            return
        }
        while !player.isStopped {
            let outputs = telemetry.reporterStatistics.map(\.statistics.taken).max() ?? 0
            status.show(StatusText.text(snapshot.with { $0 }, figures.with { $0 }, outputs: outputs))
            usleep(100_000)
        }
        player.waitUntilStopped()
        status.clear()
    }

    /// Whether a plugin writes its lines to the terminal that the status would be on.
    private static func writesToTerminal(_ setup: HostSetup) -> Bool {
        setup.configuration.plugins.contains { plugin in
            guard plugin.enabled, plugin.pluginID.split(separator: ".").last == "console" else { return false }
            return plugin.config["to"]?.string != "stdout" || StandardStream.output.terminal.isTerminal
        }
    }
}
