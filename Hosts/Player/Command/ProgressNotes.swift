internal import HostSupport
internal import Tally

/// Tells how playback goes, one line for each step, where no status line shows it.
struct ProgressNotes: Sendable {
    let log: LogPrinter
    /// Whether a status line shows it instead.
    let isSilent: Bool
    /// What the notes begin with; nil for the only player.
    var name: String?

    /// Tells of a step.
    func say(_ text: String) {
        if !isSilent { log.show(.info, prefix + text) }
    }

    private var prefix: String { name.map { $0 + ": " } ?? "" }

    /// Tells of what did not go as asked.
    func warn(_ text: String) {
        log.show(.warning, prefix + text)
    }
}
