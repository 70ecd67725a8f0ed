internal import Chapters
package import HostSupport
internal import MediaProcess
package import PlaybackEngine
package import Tally

/// What all players of the program share.
struct PlayerMaterials {
    let request: PlayerRequest
    let setup: HostSetup
    let telemetry: Telemetry
    let tap: OutputTap
    let script: PlaybackScript?
    let chapters: ChapterList?
    /// Takes the outcome as JUnit's XML, if that is wanted.
    let junit: SummaryFile?
    let log: LogPrinter
    let surroundings: PlayerSurroundings
    /// What earlier players left behind that died; nil when nothing is to be recovered.
    let recovery: ArchiveRecovery?
    /// Becomes the reason for a graceful end, as soon as somebody has one.
    let stopRequested = Lock<String?>(nil)

    var status: SharedProgressLine { surroundings.status }
    var nowNs: Int64 { surroundings.platform.nowNs }

    /// Whether an archive cannot be written: the core has no other errors than those.
    var hasFailedArchive: Bool { log.errors(of: "") > 0 }

    /// Whether a status line is shown: on a terminal that nothing else writes its lines to.
    var hasStatus: Bool { !request.quiet && !request.json && status.isShown && !writesToTerminal }

    /// Lets a signal ask for the end, where the program is its own.
    func watchSignals(hangUp: (@Sendable () -> Void)?) {
        guard surroundings.takesSignals else { return }
        let stopRequested = stopRequested
        SignalWatch.start(
            { stopRequested.with { $0 = $0 ?? "a signal asks for it; a second interrupt ends at once" } },
            hangUp: hangUp
        )
    }

    /// Writes the outcome as JUnit's XML, if that is wanted; false when it cannot be written.
    func writeReport(of runs: [(name: String?, summary: PlaybackSummary)], since startNs: Int64) -> Bool {
        let cases = runs.flatMap { name, summary in
            let outcomes = [("playback", summary.error?.description)] + summary.outcomes.map { ($0.text, $0.failure) }
            return outcomes.map {
                JUnitDocument.Case("tally-player", (name.map { $0 + ": " } ?? "") + $0.0, failure: $0.1)
            }
        }
        let seconds = Double(nowNs - startNs) / 1_000_000_000
        do throws(HostError) {
            try junit?.write(JUnitDocument(request.source, seconds: seconds, cases).xml)
            return true
        } catch {
            log.show(.error, error.messages.joined(separator: "; "))
            return false
        }
    }

    /// Whether a plugin writes its lines to the terminal that the status would be on.
    private var writesToTerminal: Bool {
        setup.configuration.plugins.contains { plugin in
            guard plugin.enabled, plugin.pluginID.split(separator: ".").last == "console" else { return false }
            return plugin.config["to"]?.string != "stdout" || StandardStream.output.terminal.isTerminal
        }
    }
}

/// What the program stands in: the machine and its terminal, unless a test puts others in their place.
package struct PlayerSurroundings: Sendable {
    /// Engines, time, threads and documents.
    package var platform: any MediaPlatform = Machine()
    /// Where the status, the notes and the summary are written.
    package var status = SharedProgressLine()
    /// Whether the signals of the process are for this player.
    package var takesSignals = true
    /// Begins a player run for a delegate, recorded to a file.
    package var startRun: @Sendable (Telemetry, any PlayerDelegate, String?) throws(TelemetryError) -> PlayerRun = {
        telemetry,
        delegate,
        archive throws(TelemetryError) in
        try telemetry.startRun(delegate: delegate, archive: archive)
    }

    /// The machine as it is.
    package init() {}
}
