internal import HostSupport
internal import Tally

/// Reads one line of a script: a time, and a command in the same words that the control socket takes.
enum ScriptLineParser {
    /// What is wrong with the line, and what to write instead.
    struct Problem: Error {
        let text: String
    }

    /// The line's time and command; nil when it has none.
    static func parse(_ line: some StringProtocol) throws(Problem) -> (time: ScriptTime, command: ControlCommand)? {
        let words: [String]
        do throws(CommandWords.OpenQuote) {
            words = try CommandWords(line).words
        } catch {
            throw Problem(text: "the quotes are not closed")
        }
        guard let first = words.first else { return nil }
        guard let time = ScriptTime(Substring(first)) else {
            throw Problem(
                text: "\"\(first)\" is no time; a line begins with seconds of the playhead, such as 5, "
                    + "or of the clock, such as @12.5"
            )
        }
        guard words.count > 1 else { throw Problem(text: "a command is missing behind the time") }
        let command: ControlCommand
        do throws(ControlError) {
            command = try ControlCommand(words: Array(words.dropFirst()))
        } catch {
            throw Problem(text: error.description)
        }
        switch command {
        case .tap, .untap: throw Problem(text: "\(words[1]) needs a control socket: nobody looks on in a script")
        default: return (time, command)
        }
    }
}

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

/// Says which lines of a script are due; each is due once.
struct ScriptClock: Sendable {
    private var waiting: [PlaybackScript.Line]

    init(_ lines: [PlaybackScript.Line]) {
        waiting = lines
    }

    var rest: [PlaybackScript.Line] { waiting }

    /// The next due line in the script's order: one at a time, because what a line does can move the playhead.
    mutating func next(sinceStartMs: Int64, playheadMs: Int64?) -> PlaybackScript.Line? {
        let due = waiting.firstIndex { line in
            switch line.time {
            case .sinceStart(let milliseconds): sinceStartMs >= milliseconds
            case .playhead(let milliseconds): playheadMs.map { $0 >= milliseconds } ?? false
            }
        }
        return due.map { waiting.remove(at: $0) }
    }
}
