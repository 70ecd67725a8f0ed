internal import PlaybackEngine
internal import TestFiles
internal import TextEncoding

/// How the player may end because of its source, as docs/cli.md says.
struct DocumentedEnds {
    private let exitCodes: [String: Int32]

    /// Reads the table, which has to have each code of an error.
    init() throws {
        var exitCodes: [String: Int32] = [:]
        for line in try TestFile.source("docs/cli.md").split(separator: "\n") {
            let cells = line.split(separator: "|").map { $0.filter { $0 != " " && $0 != "`" } }
            guard cells.count > 2, let code = EngineError.Code(rawValue: String(cells[0])) else { continue }
            exitCodes[code.rawValue] = Int32(cells[1])
        }
        guard exitCodes.count == EngineError.Code.allCases.count else {
            throw RoundFailure("docs/cli.md lacks a code of an error: it has \(exitCodes.keys.sorted())")
        }
        self.exitCodes = exitCodes
    }

    /// The exit code because of an error; nil for one that the documentation does not have.
    func exitCode(of error: String?) -> Int32? {
        guard let error else { return 0 }
        return exitCodes[error]
    }
}

/// What the player made of a damaged stream.
struct PlayedStream {
    /// Time limits that make a round short.
    static let options = [
        "--set", "player.loadTimeoutSeconds=3", "--set", "player.stallTimeoutSeconds=2.5",
        "--set", "player.networkTimeoutSeconds=2", "--set", "player.resumeSeconds=0.5", "--duration", "12",
    ]
    /// Longer than a load and a stall may take together.
    private static let longestStandstillUs: Int64 = 8_000_000

    private let code: Int32
    private let summary: JSONValue
    private let lines: [JSONValue]

    /// Reads what a round left.
    init(_ files: RoundFiles, code: Int32) throws {
        self.code = code
        guard let last = files.lines(files.log).last, let summary = try? JSONParser().parse(last),
            summary["exit_code"] != nil
        else { throw RoundFailure("the player ends with \(code) and no summary: \(files.read(files.log).suffix(400))") }
        self.summary = summary
        lines = try files.lines(files.archive).map { try JSONParser().parse($0) }
    }

    private var error: String? { summary.value(at: "error.code")?.string }

    /// The error's code, or how far it came without one.
    var end: String {
        let isComplete = summary["complete"] == true
        return error.map { $0 + (isComplete ? ", played to the end" : "") } ?? (isComplete ? "complete" : "time is up")
    }

    /// What the player says of an engine that failed by itself.
    var engineFailure: String? {
        guard error?.hasPrefix("engine_") ?? false else { return nil }
        return summary.value(at: "error.message")?.string
    }

    /// What is wrong; nil when nothing is.
    func problem(_ ends: DocumentedEnds) -> String? {
        guard let expected = ends.exitCode(of: error) else { return "no documentation has the error \(error ?? "")" }
        if code != expected { return "it ends with \(code), and \(error ?? "without an error") with \(expected)" }
        guard lines.last?["end"]?.string == "drained", summary["archive_complete"] == true else {
            return "the archive is not complete"
        }
        if summary["lost_events"]?.int != 0 { return "events are lost" }
        if let flagged = lines.first(where: { $0["flags"] != nil }) {
            return "an event out of order: \(flagged.canonicalText)"
        }
        return sequenceProblem ?? standstill
    }

    private var sequenceProblem: String? {
        var counts: [String: Int] = [:]
        for line in lines { counts[line["event"]?.string ?? "", default: 0] += 1 }
        func count(_ name: String) -> Int { counts[name] ?? 0 }
        if count("video_load") != 1 || count("video_unload") != 1 { return "the session has no begin, or no end" }
        if (count("player_error") == 0) != (error == nil) {
            return "\(end), with \(count("player_error")) errors in events"
        }
        if let fatal = lines.firstIndex(where: {
            $0["event"] == "player_error" && $0.value(at: "attributes.error_fatal") == true
        }),
            let next = lines[(fatal + 1)...].first(where: { $0["event"] != nil }), next["event"] != "video_unload"
        {
            return "behind the error comes \(next.canonicalText)"
        }
        if count("buffer_complete") > count("buffer_start") { return "a wait ends that has not begun" }
        return nil
    }

    /// The playhead stands still for longer than the limits let it.
    private var standstill: String? {
        var (place, sinceUs): (Int64?, Int64) = (nil, 0)
        for line in lines {
            guard let event = line["event"]?.string, let timeUs = line["t_us"]?.int else { continue }
            if event == "video_load" { sinceUs = timeUs }
            if timeUs - sinceUs > Self.longestStandstillUs {
                return "it stands still for \((timeUs - sinceUs) / 1000) ms"
            }
            let reached = line.value(at: "state.playhead_ms")?.int
            if reached != place { (place, sinceUs) = (reached ?? place, reached == nil ? sinceUs : timeUs) }
            if event == "video_unload" { return nil }
        }
        return nil
    }
}
