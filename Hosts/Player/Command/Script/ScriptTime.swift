internal import HostSupport

/// When a line of a script is due.
enum ScriptTime: Equatable, Sendable {
    /// When the playhead is there, or beyond it.
    case playhead(milliseconds: Int64)
    /// So long after the start.
    case sinceStart(milliseconds: Int64)

    /// Reads `5`, `12.5` or `@12.5`; nil when it is none of these.
    init?(_ text: Substring) {
        let isSinceStart = text.first == "@"
        let seconds = isSinceStart ? text.dropFirst() : text
        guard let milliseconds = ControlCommand.milliseconds(seconds: seconds) else { return nil }
        self = isSinceStart ? .sinceStart(milliseconds: milliseconds) : .playhead(milliseconds: milliseconds)
    }
}
