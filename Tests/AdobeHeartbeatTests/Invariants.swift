import Tally
import TallyTesting

/// Looks at the entries of one tracker, one behind another, and notes what must not be.
struct Invariants {
    private(set) var problems: [String] = []

    private struct Key: Hashable {
        let asset: String
        let type: String
    }

    private let halts: Halts
    private var session = ""
    private var isUnloaded = false
    private var isFailed = false
    private var totals: [Key: (count: Int64, duration: Int64)] = [:]
    private var timestamps: [Key: Int64] = [:]
    /// The entries of the quantum so far.
    private var quantum: [OutputTranscript.Line] = []
    private var quantumStart: Int64 = 0

    private static let atOnce = ["load", "chapter_start", "chapter_complete", "bitrate_change", "error", "unload"]

    init(_ halts: Halts) {
        self.halts = halts
    }

    /// Takes the next record.
    mutating func take(_ line: OutputTranscript.Line) {
        if line.kind == "tracker_error" {
            isFailed = true
            quantum = []
            return
        }
        if line.kind == "load" {
            begin(line)
        }
        if isFailed || isUnloaded { note(line, "comes after the session's end") }
        if text(line, "s:event:sid") != session { note(line, "is of another session") }
        total(line)
        if Self.atOnce.contains(line.kind) {
            let key = key(line)
            if number(line, "l:event:prev_ts") != timestamps[key] ?? -1 { note(line, "breaks the chain of timestamps") }
            timestamps[key] = number(line, "l:event:ts")
            if number(line, "l:event:duration") != 0 { note(line, "lasts") }
            isUnloaded = line.kind == "unload"
            return
        }
        // In 1.4 the last quantum has no active entry: the unload, if any, shows that it is over.
        if let first = quantum.first, first.time != line.time { quantum = [] }
        quantum.append(line)
        if line.kind == "active" { endQuantum(line) }
    }

    private mutating func begin(_ line: OutputTranscript.Line) {
        session = text(line, "s:event:sid")
        isUnloaded = false
        isFailed = false
        totals = [:]
        timestamps = [:]
        quantum = []
        quantumStart = number(line, "l:event:ts")
    }

    /// Counters never fall within an asset.
    private mutating func total(_ line: OutputTranscript.Line) {
        let key = Key(asset: text(line, "s:asset:ad_sid"), type: line.kind)
        let count = number(line, "l:event:total_count")
        let duration = number(line, "l:event:total_duration")
        if let before = totals[key], count < before.count || duration < before.duration { note(line, "counts down") }
        if count < 1 || duration < number(line, "l:event:duration") { note(line, "has too small totals") }
        totals[key] = (count, duration)
    }

    /// Durations add up to the wall time without pauses, and each chain goes on where it was.
    private mutating func endQuantum(_ active: OutputTranscript.Line) {
        let end = number(active, "l:event:ts")
        let wall = end - quantumStart
        if number(active, "l:event:duration") != wall { note(active, "does not last as long as the quantum, \(wall)") }
        let told = quantum.filter { $0.kind != "active" }.reduce(0) { $0 + number($1, "l:event:duration") }
        let epoch = Row.epoch
        let halted = halts.time(in: quantumStart - epoch..<end - epoch)
        if told != wall - halted { note(active, "tells of \(told) ms, and \(wall) - \(halted) went by") }
        var seen: Set<Key> = []
        var last: [Key: Int64] = [:]
        for line in quantum {
            let key = key(line)
            if seen.insert(key).inserted, number(line, "l:event:prev_ts") != timestamps[key] ?? -1 {
                note(line, "breaks the chain of timestamps")
            }
            last[key] = max(last[key] ?? -1, number(line, "l:event:ts"))
        }
        timestamps.merge(last) { $1 }
        quantum = []
        quantumStart = end
    }

    private func key(_ line: OutputTranscript.Line) -> Key {
        Key(asset: text(line, "s:asset:ad_id"), type: line.kind)
    }

    private func text(_ line: OutputTranscript.Line, _ name: String) -> String {
        guard case .string(let text)? = line.attributes[name] else { return "" }
        return text
    }

    private func number(_ line: OutputTranscript.Line, _ name: String) -> Int64 {
        guard case .int(let number)? = line.attributes[name] else { return .min }
        return number
    }

    private mutating func note(_ line: OutputTranscript.Line, _ text: String) {
        problems.append("\(line.time / 1000) \(line.kind) \(text)")
    }
}
