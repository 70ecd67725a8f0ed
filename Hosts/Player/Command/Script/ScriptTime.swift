/// When a line of a script is due.
enum ScriptTime: Equatable, Sendable {
    /// When the playhead is there, or beyond it.
    case playhead(milliseconds: Int64)
    /// So long after the start.
    case sinceStart(milliseconds: Int64)

    /// Reads `5`, `12.5` or `@12.5`; nil when it is none of these.
    init?(_ text: Substring) {
        let isSinceStart = text.first == "@"
        guard let seconds = ScriptTime.seconds(isSinceStart ? text.dropFirst() : text) else { return nil }
        self = isSinceStart ? .sinceStart(milliseconds: seconds) : .playhead(milliseconds: seconds)
    }

    /// A number of seconds as milliseconds; nil when it is none, negative, or more than a year.
    static func seconds(_ text: some StringProtocol) -> Int64? {
        guard let seconds = Double(String(text)), (0...31_536_000).contains(seconds) else { return nil }
        return Int64((seconds * 1000).rounded())
    }
}
