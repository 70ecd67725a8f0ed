import EventModel
import TallyTesting

/// Checks the records of one run against rules that need no knowledge of the player.
struct CallRules {
    private(set) var problems: [String] = []
    private let isNormalSpeed: Bool

    private var isPlayed = false
    private var isContentLoaded = false
    private var loaded: String?
    private var isStopped = false
    private var last: (position: Int64, time: Int64)?
    /// When an ad counted a second that was not over yet: its `stop` has to follow at once.
    private var earlyAdEnd: Int64?
    /// Ads that did so.
    private var earlyAdEnds: Int64 = 0
    /// Seconds that were credited.
    private(set) var credited: Int64 = 0
    private var sinceFinal: [Bool: Int64] = [false: 0, true: 0]
    private var pinged: [Bool: Int64] = [false: 0, true: 0]
    private var viewed: Set<Bool> = []

    /// Begins a run; without a change of speed, a second adds exactly one to the position.
    init(isNormalSpeed: Bool) {
        self.isNormalSpeed = isNormalSpeed
    }

    /// Takes the next line.
    mutating func check(_ line: OutputTranscript.Line) {
        if let time = earlyAdEnd {
            if line.kind != "stop" || line.time != time { report(line, "after a second that was not over") }
            earlyAdEnd = nil
        }
        switch line.kind {
        case "play":
            if isPlayed { report(line, "play before end") }
            isPlayed = true
        case "loadMetadata": load(line)
        case "playheadPosition": playhead(line)
        case "stop":
            if loaded == nil { report(line, "stop without an asset") }
            if isStopped { report(line, "stopped twice") }
            isStopped = true
            last = nil
        case "end":
            if !isPlayed { report(line, "end without play") }
            isPlayed = false
            isContentLoaded = false
            last = nil
            loaded = nil
        case "ping": ping(line)
        case "beacon", "event", "warning", "optOutStatus": break
        default: report(line, "not expected")
        }
    }

    /// Compares the sums of the whole run.
    mutating func finish(played: Int64) {
        if credited * 1_000_000 > played + earlyAdEnds * Self.earlyEnd {
            problems.append("\(credited) s credited, \(played) us played at most")
        }
        for isAd in [true, false] where sinceFinal[isAd] != pinged[isAd] {
            problems.append("\(sinceFinal[isAd] ?? 0) s credited, \(pinged[isAd] ?? 0) s in pings (ad: \(isAd))")
        }
    }

    /// Time by which an ad may end before its last second is over, us.
    private static let earlyEnd: Int64 = 50_000

    private mutating func load(_ line: OutputTranscript.Line) {
        guard case .string(let type)? = line.attributes["type"] else { return report(line, "no type") }
        if type == "content" {
            if !isPlayed { report(line, "content before play") }
            if !isContentLoaded { viewed.remove(false) }
            isContentLoaded = true
        } else {
            viewed.remove(true)
        }
        if loaded != nil, loaded == "content", type == "content" { report(line, "content loaded twice") }
        loaded = type
        isStopped = false
        last = nil
    }

    private mutating func playhead(_ line: OutputTranscript.Line) {
        guard case .int(let position)? = line.attributes["position"], case .string(let type)? = line.attributes["type"],
            case .int(let credit)? = line.attributes["credited"]
        else { return report(line, "incomplete") }
        if loaded != type { report(line, "of another asset than \(loaded ?? "none")") }
        if position < 0 { report(line, "negative") }
        if credit == 1 {
            credited += 1
            sinceFinal[type != "content", default: 0] += 1
            guard let last else { return report(line, "credited without one before") }
            let elapsed = line.time - last.time
            if elapsed < 1_000_000, type != "content", elapsed >= 1_000_000 - Self.earlyEnd {
                (earlyAdEnd, earlyAdEnds) = (line.time, earlyAdEnds + 1)
            } else if elapsed < 1_000_000 {
                report(line, "less than a second after the last one")
            }
            if position <= last.position { report(line, "not increasing") }
            if isNormalSpeed, position != last.position + 1 { report(line, "more than one further") }
        } else if let last, position == last.position {
            report(line, "repeated")
        }
        isStopped = false
        last = (position, line.time)
    }

    private mutating func ping(_ line: OutputTranscript.Line) {
        guard case .string(let moment)? = line.attributes["at"], case .string(let ad)? = line.attributes["ad"],
            case .string(let viewed)? = line.attributes["c27"], let seconds = Int64(viewed.dropFirst("cln,".count))
        else { return report(line, "incomplete") }
        let isAd = ad == "1"
        if moment == "view" {
            if !self.viewed.insert(isAd).inserted { report(line, "second view ping of an asset") }
            if seconds != 0 { report(line, "a view ping with credit") }
        } else {
            if seconds < 1 || seconds > 4 { report(line, "\(seconds) s in one ping") }
            pinged[isAd, default: 0] += seconds
        }
    }

    private mutating func report(_ line: OutputTranscript.Line, _ problem: String) {
        problems.append("\(problem) at \(line.time): \(line.text.prefix(160))")
    }
}
