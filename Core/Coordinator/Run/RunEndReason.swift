/// Why a player run ended.
public enum RunEndReason: String, Sendable {
    /// The player was destroyed after everything that was queued had been handled.
    case drained
    /// The player was destroyed and what was queued was dropped.
    case cancelled
    /// The player died; the end was put in later, at the time of the archive's last complete line.
    case crash
}
