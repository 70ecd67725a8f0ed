internal import HostSupport
internal import Tally

/// Commands with the times at which they run, so that a run can be repeated.
struct PlaybackScript: Sendable {
    /// A line with a command.
    struct Line: Sendable {
        /// Its number in the file, from 1.
        let number: Int
        let time: ScriptTime
        let command: ScriptCommand
    }

    /// The file, for messages.
    let path: String
    let lines: [Line]

    /// Reads a file; commands for trackers may name these.
    init(path: String, trackers: [String]) throws(ScriptError) {
        let bytes: [UInt8]
        do throws(TextFile.Failure) {
            bytes = try TextFile.read(path, limit: 1_048_576)
        } catch {
            throw .unreadable(path: path, reason: error.reason)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .unreadable(path: path, reason: "it is not text in UTF-8")
        }
        let parser = ScriptLineParser(trackers: trackers)
        var lines: [Line] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            do throws(ScriptLineParser.Problem) {
                guard let (time, command) = try parser.parse(line) else { continue }
                lines.append(Line(number: index + 1, time: time, command: command))
            } catch {
                throw .line(path: path, number: index + 1, problem: error.text)
            }
        }
        self.path = path
        self.lines = lines
    }
}
