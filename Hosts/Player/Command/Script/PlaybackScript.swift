internal import HostSupport
internal import Tally

/// Commands with the times at which they run, so that a run can be repeated.
struct PlaybackScript: Sendable {
    struct Line: Sendable {
        /// Its number in the file, from 1.
        let number: Int
        let time: ScriptTime
        let command: ControlCommand
    }

    let path: String
    let lines: [Line]

    /// Reads a file; commands for plugins may name these, and what the script itself loads.
    init(path: String, plugins: [String]) throws(ScriptError) {
        let bytes: [UInt8]
        do throws(TextFile.Failure) {
            bytes = try TextFile.read(path, limit: 1_048_576)
        } catch {
            throw .unreadable(path: path, reason: error.reason)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .unreadable(path: path, reason: "it is not text in UTF-8")
        }
        var lines: [Line] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            do throws(ScriptLineParser.Problem) {
                guard let (time, command) = try ScriptLineParser.parse(line) else { continue }
                lines.append(Line(number: index + 1, time: time, command: command))
            } catch {
                throw .line(path: path, number: index + 1, problem: error.text)
            }
        }
        try Self.check(lines, path, plugins)
        self.path = path
        self.lines = lines
    }

    /// A slip in a name is told before anything is played.
    private static func check(_ lines: [Line], _ path: String, _ plugins: [String]) throws(ScriptError) {
        let loads = lines.contains { line in
            switch line.command {
            case .plugin(.load), .plugin(.loadFile): true
            default: false
            }
        }
        guard !loads else { return }
        for line in lines {
            guard case .plugin(let order) = line.command, let name = order.instance, !plugins.contains(name) else {
                continue
            }
            let known = plugins.isEmpty ? "none is configured" : "there are " + plugins.joined(separator: ", ")
            throw .line(path: path, number: line.number, problem: "no plugin has the name \"\(name)\"; \(known)")
        }
    }
}

/// What is wrong with a script.
enum ScriptError: Error, Equatable {
    case unreadable(path: String, reason: String)
    /// A line cannot be understood; the number counts from 1.
    case line(path: String, number: Int, problem: String)

    var exitCode: ExitCode {
        switch self {
        case .unreadable: .noInput
        case .line: .badConfiguration
        }
    }

    var message: String {
        switch self {
        case .unreadable(let path, let reason): "\(path): cannot read the script: \(reason)"
        case .line(let path, let number, let problem): "\(path):\(number): \(problem)"
        }
    }
}
