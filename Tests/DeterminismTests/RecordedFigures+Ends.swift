import EventModel
import TallyTesting

// Each start has one end: within its session, and before the next start.
extension RecordedFigures {
    /// Each start has one end, before the next start and within its viewing; none is left open.
    mutating func checkPairs(
        _ start: String,
        _ end: String,
        where isMeant: (OutputTranscript.Line) -> Bool = { _ in true }
    ) {
        var open: (line: OutputTranscript.Line, begin: Int64)?
        for (line, begin) in lines where isMeant(line) && (line.kind == start || line.kind == end) {
            if let open, open.begin != begin { report(open.line, "without an end in its session") }
            if line.kind == start, open != nil { report(line, "again, without an end") }
            if line.kind == end, open == nil { report(line, "without \(start)") }
            open = line.kind == start ? (line, begin) : nil
        }
        if let open { report(open.line, "without an end") }
    }

    /// In the words of Mux each ad that plays ends once, within its break; one that is paused plays again.
    mutating func checkMuxAds() {
        var ad: OutputTranscript.Line?
        var (isPaused, isInBreak) = (false, false)
        for (line, _) in lines {
            switch line.kind {
            case "adbreakstart": isInBreak = true
            case "adplay":
                if !isInBreak { report(line, "outside a break") }
                if ad != nil, !isPaused { report(line, "again, without an end") }
                ad = line
                isPaused = false
            case "adpause":
                if ad == nil || isPaused { report(line, "without adplay") }
                isPaused = true
            case "adended":
                if ad == nil { report(line, "without adplay") }
                ad = nil
                isPaused = false
            case "aderror":
                // Also what is said of an ad that could not begin.
                ad = nil
                isPaused = false
            case "adbreakend", "viewend":
                if let ad { report(ad, "without an end") }
                ad = nil
                isInBreak = false
            default: break
            }
        }
        if let ad { report(ad, "without an end") }
    }

    /// In the words of Nielsen an ad is over with a `stop`, before anything else is loaded or the content ends.
    mutating func checkNielsenAds() {
        var ad: OutputTranscript.Line?
        for (line, _) in lines {
            switch line.kind {
            case "loadMetadata", "end", "play":
                if let ad { report(ad, "of an ad without stop") }
                ad = line.kind == "loadMetadata" && line.attributes["type"] != .string("content") ? line : nil
            case "stop": ad = nil
            default: break
            }
        }
        if let ad { report(ad, "of an ad without stop") }
    }

    /// Each part of which the player said that it began has one start, each that it said to be over has one end behind
    /// it, and nothing else has either.
    ///
    /// - Parameters:
    ///   - parts: what the player said.
    ///   - id: the attribute that tells the parts from each other.
    ///   - start: the kind of a start's record.
    ///   - end: the kind of an end's record.
    ///   - isMeant: whether a record is about such parts.
    ///   - isTold: whether what happened in a session at a time is told at all; both us.
    mutating func checkParts(
        _ parts: ObservedParts,
        by id: String,
        _ start: String,
        _ end: String,
        where isMeant: (OutputTranscript.Line) -> Bool = { _ in true },
        isTold: (_ session: Int64, _ time: Int64) -> Bool = { _, _ in true }
    ) {
        var started: [PlainValue] = []
        var ended: [PlainValue] = []
        for (line, _) in lines where isMeant(line) && (line.kind == start || line.kind == end) {
            guard let part = line.attributes[id] else {
                report(line, "without \(id)")
                continue
            }
            if line.kind == start {
                if started.contains(part) { report(line, "again") }
                started.append(part)
            } else {
                if !started.contains(part) { report(line, "without \(start)") }
                if ended.contains(part) { report(line, "again") }
                ended.append(part)
            }
        }
        let told = parts.all.filter { isTold($0.session, $0.begin) }
        guard told.count == started.count else {
            return report("\(started.count) times \(start), and \(told.count) began")
        }
        for (part, name) in zip(told, started) {
            let isOver = part.completion.map { isTold(part.session, $0) } ?? false
            if isOver != ended.contains(name) {
                report("\(start) of what began at \(part.begin) has \(isOver ? "no" : "an") \(end)")
            }
        }
    }
}
