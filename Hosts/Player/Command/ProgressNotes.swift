internal import HostSupport
internal import Tally

/// Tells how playback goes, one line for each step, where no status line shows it.
struct ProgressNotes: Sendable {
    let log: LogPrinter
    /// Whether a status line shows it instead.
    let isSilent: Bool

    /// Tells of a step.
    func say(_ text: String) {
        if !isSilent { log.show(.info, text) }
    }

    /// Tells of what did not go as asked.
    func warn(_ text: String) {
        log.show(.warning, text)
    }
}
