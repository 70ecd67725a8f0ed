internal import HostSupport

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
        do throws(ControlProblem) {
            command = try ControlCommand(words: Array(words.dropFirst()))
        } catch {
            throw Problem(text: error.message)
        }
        switch command {
        case .tap, .untap: throw Problem(text: "\(words[1]) needs a control socket: nobody looks on in a script")
        default: return (time, command)
        }
    }
}
