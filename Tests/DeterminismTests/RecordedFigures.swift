import EventModel
import TallyTesting

/// What a run's records say, and what is wrong with it.
struct RecordedFigures {
    let playback: ObservedPlayback
    /// The records of one instance in their order, each with the time at which its viewing began, us.
    let lines: [(line: OutputTranscript.Line, begin: Int64)]
    private(set) var problems: [String] = []

    /// Figures are whole milliseconds, of which each step can lose or win a part.
    private static let tolerance: Int64 = 2
    /// What an allowance gives at an instant: since when, and until when, us.
    typealias Limit = (ObservedPlayback, _ begin: Int64, _ end: Int64) -> Int64

    /// A viewing begins with the session's load, or with a record of this kind.
    init(_ transcript: OutputTranscript, of instance: String, _ playback: ObservedPlayback, since kind: String?) {
        self.playback = playback
        var viewing: Int64 = 0
        lines = transcript.lines.filter { $0.instance == instance && $0.kind != "beacon" }.map { line in
            let words = line.text.split(separator: " ")
            let session = words.firstIndex(of: "session").flatMap { $0 + 1 < words.count ? Int(words[$0 + 1]) : nil }
            if let kind {
                if line.kind == kind { viewing = line.time }
            } else if let session, session > 0 {
                viewing = playback.loads[session - 1]
            }
            return (line, viewing)
        }
    }

    mutating func report(_ line: OutputTranscript.Line, _ problem: String) {
        report("\(line.kind) at \(line.time): \(problem)")
    }

    mutating func report(_ problem: String) { problems.append(problem) }

    /// No number is negative but those that say so that there is none, and the application's own.
    mutating func checkNoneNegative(but allowed: Set<String> = []) {
        for (line, _) in lines {
            for (name, value) in line.attributes where name != "value" && !allowed.contains(name) {
                if Self.number(value) ?? 0 < 0 { report(line, "\(name) is \(value)") }
            }
        }
    }

    /// A playhead lies within what the session has shown of the asset; `unit` is the number of ms in one.
    mutating func checkPlayhead(
        _ name: String,
        unit: Int64,
        slack: Int64 = 0,
        where isOfContent: (OutputTranscript.Line) -> Bool = { _ in true }
    ) {
        for (line, begin) in lines where isOfContent(line) {
            guard let value = line.attributes[name].flatMap(Self.number) else { continue }
            let furthest = playback.furthestPlayhead(from: begin, to: line.time)
            if Int64(value) * unit > furthest + slack || value < 0 {
                report(line, "\(name) is \(value), furthest \(furthest) ms")
            }
        }
    }

    /// A figure of a session is never more than the player allows.
    mutating func checkFigure(
        _ name: String,
        _ limit: Limit,
        where isMeant: (OutputTranscript.Line) -> Bool = { _ in true }
    ) {
        for (line, begin) in lines where isMeant(line) {
            guard let value = line.attributes[name].flatMap(Self.number) else { continue }
            let most = limit(playback, begin, line.time)
            if Int64(value) > most + Self.tolerance { report(line, "\(name) is \(value), \(most) at most") }
        }
    }

    /// The sum of a figure over a session is never more than the player allows.
    mutating func checkSum(
        of name: String,
        _ limit: Limit,
        where isMeant: (OutputTranscript.Line) -> Bool
    ) {
        var sums: [Int64: Int64] = [:]
        for (line, begin) in lines where isMeant(line) {
            guard let value = line.attributes[name].flatMap(Self.number) else { continue }
            sums[begin, default: 0] += Int64(value)
            let most = limit(playback, begin, line.time)
            if sums[begin] ?? 0 > most + Self.tolerance {
                report(line, "\(name) adds up to \(sums[begin] ?? 0), \(most) at most")
            }
        }
    }

    /// Seconds that playheads credit never exceed what the player allows.
    mutating func checkCredit(
        slack: (OutputTranscript.Line) -> Int64 = { _ in 0 },
        _ limit: Limit,
        where isMeant: (OutputTranscript.Line) -> Bool
    ) {
        var sums: [Int64: Int64] = [:]
        for (line, begin) in lines where isMeant(line) && line.attributes["credited"] == .int(1) {
            sums[begin, default: 0] += 1_000 - slack(line)
            let most = limit(playback, begin, line.time)
            if sums[begin] ?? 0 > most + Self.tolerance {
                report(line, "\(sums[begin] ?? 0) ms credited, \(most) ms at most")
            }
        }
    }

    /// An ad's position is never more than the time since it was loaded; the ad may end 50 ms early.
    mutating func checkAdPositions() {
        var loaded: Int64 = 0
        for (line, _) in lines {
            if line.kind == "loadMetadata" { loaded = line.time }
            guard line.kind == "playheadPosition", line.attributes["type"] != .string("content"),
                let position = line.attributes["position"].flatMap(Self.number)
            else { continue }
            if Int64(position) * 1_000_000 > line.time - loaded + 50_000 { report(line, "\(position) s in an ad") }
        }
    }

    static func number(_ value: PlainValue) -> Double? {
        switch value {
        case .int(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }
}
