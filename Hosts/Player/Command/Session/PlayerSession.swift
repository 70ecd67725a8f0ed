internal import HostSupport
internal import PlaybackEngine
internal import Tally

/// One run of the program with one player: plays, ends the telemetry, and says what it came to.
struct PlayerSession {
    let materials: PlayerMaterials

    func play(archive: String?) throws(HostError) -> ExitCode {
        let (request, setup, log) = (materials.request, materials.setup, materials.log)
        let notes = ProgressNotes(
            log: log,
            isSilent: materials.hasStatus || request.json,
            isQuiet: request.quiet
        )
        let startNs = materials.nowNs
        let played = try PlayedRun(materials, archive: archive, notes: notes)
        let control = played.control
        let socket = request.path(HostSettings.control, in: setup.configuration)
        do throws(HostError) {
            if let socket { try control.listen(socket) }
        } catch {
            played.abandon()
            throw error
        }
        if socket != nil || !setup.configuration.plugins.isEmpty { control.watchDirectories() }
        let state = (played.snapshot, played.figures)
        let keyboard = materials.hasStatus ? Keyboard(state, played.inbox, log: log) : nil
        let reload: @Sendable () -> Void = { control.reload() }
        materials.watchSignals(hangUp: setup.hasFile ? reload : nil)
        played.start()
        watch(played)
        played.finish()
        keyboard?.close()
        materials.status.clear()
        materials.recovery?.end()
        let reporters = ReporterOutcome.closing(materials.telemetry, patience: PlayerSyntax.patience, log: log)
        var summary = played.summary(reporters)
        if !materials.writeReport(of: [(nil, summary)], since: startNs) { summary.hasLostOutput = true }
        summary.show(on: log, to: materials.status, quiet: request.quiet, json: request.json)
        return summary.exitCode
    }

    /// Shows how playback goes until it is over.
    private func watch(_ played: PlayedRun) {
        guard materials.hasStatus || (materials.request.json && !materials.request.quiet) else { return }
        var display = StatusDisplay(materials)
        while !played.isStopped {
            display.show(played)
            materials.surroundings.platform.sleep(milliseconds: 100)
        }
        display.end(played)
    }
}
