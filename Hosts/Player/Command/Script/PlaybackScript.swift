internal import HostSupport
internal import PlaybackEngine
internal import Tally
internal import TextEncoding

/// Commands with the times at which they run, so that a run can be repeated.
struct PlaybackScript: Sendable {
    struct Line: Sendable {
        /// Where it stands, as `FILE:LINE`.
        let place: String
        let time: ScriptTime
        let command: ControlCommand
    }

    let path: String
    let lines: [Line]

    /// Reads a file; commands for plugins may name these, and what the script itself loads.
    init(path: String, plugins: [String]) throws(InputError) {
        let text = try InputError.text(of: path) { "\(path): cannot read the script: \($0)" }
        var lines: [Line] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            do throws(ScriptLineParser.Problem) {
                guard let (time, command) = try ScriptLineParser.parse(line) else { continue }
                lines.append(Line(place: "\(path):\(index + 1)", time: time, command: command))
            } catch {
                throw InputError(message: "\(path):\(index + 1): \(error.text)")
            }
        }
        try Self.check(lines, path, plugins)
        self.path = path
        self.lines = lines
    }

    /// A slip in a name is told before anything is played.
    private static func check(_ lines: [Line], _ path: String, _ plugins: [String]) throws(InputError) {
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
            let hint = NearestName.among(plugins, to: name).map { "did you mean \($0)?" } ?? known
            throw InputError(message: "\(line.place): no plugin has the name \"\(name)\"; \(hint)")
        }
    }
}

/// Why a file that the command line names cannot be used: where, what and what to do.
struct InputError: Error {
    let message: String
    var exitCode = ExitCode.badConfiguration

    /// The text of a file; `message` puts the reason why it cannot be read into words.
    static func text(of path: String, _ message: (String) -> String) throws(InputError) -> String {
        do throws(TextFile.Failure) {
            let bytes = try TextFile.read(path, limit: 1_048_576)
            if let text = String(validating: bytes, as: UTF8.self) { return text }
        } catch {
            throw InputError(message: message(error.reason), exitCode: .noInput)
        }
        throw InputError(message: message("it is not text in UTF-8"), exitCode: .noInput)
    }
}

/// Remembers which line of the script an order to the engine came from: the engine refuses some later.
struct ScriptedOrders {
    /// The line that is carried out now, as `FILE:LINE`; nil while nothing of the script is.
    var place: String?
    private var given: [(order: EngineCommand, place: String)] = []

    /// Notes an order that the engine gets; the same one counts once, wherever it came from last.
    mutating func give(_ order: EngineCommand) {
        given.removeAll { $0.order == order }
        if let place { given.append((order, place)) }
    }

    /// The line that a refused order came from; nil when it came from elsewhere.
    func place(of order: EngineCommand) -> String? { given.first { $0.order == order }?.place }
}
