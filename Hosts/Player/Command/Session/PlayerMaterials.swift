internal import Chapters
internal import HostSupport
internal import Tally

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
    let status: SharedProgressLine
    /// What earlier players left behind that died; nil when nothing is to be recovered.
    let recovery: ArchiveRecovery?
    /// Becomes the reason for a graceful end, as soon as somebody has one.
    let stopRequested = Lock<String?>(nil)

    /// Whether a status line is shown: on a terminal that nothing else writes its lines to.
    var hasStatus: Bool {
        !request.quiet && !request.json && StandardStream.error.terminal.isTerminal && !writesToTerminal
    }

    /// Whether a plugin writes its lines to the terminal that the status would be on.
    private var writesToTerminal: Bool {
        setup.configuration.plugins.contains { plugin in
            guard plugin.enabled, plugin.pluginID.split(separator: ".").last == "console" else { return false }
            return plugin.config["to"]?.string != "stdout" || StandardStream.output.terminal.isTerminal
        }
    }
}
