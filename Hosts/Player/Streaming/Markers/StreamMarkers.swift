/// What the playlists of a stream said of breaks so far.
package struct StreamMarkers: Sendable, Equatable {
    /// How many are kept; the oldest go first.
    package static let limit = 1000
    /// By how much the dates of one break may differ in two ways to mark it.
    private static let sameUs: Int64 = 1_000_000

    private struct Marked: Sendable, Equatable {
        var id: String
        var startUs: Int64
        var endUs: Int64?
        /// Whether an earlier end may still be said.
        var isEndPlanned: Bool
        var eventID: UInt32?
        /// Whether it marks the end of one ad and not of the break.
        var isAdEnd = false
    }

    private var ranges: [String: DateRange] = [:]
    private var order: [String] = []
    /// What tags between the segments mark, in the order of their dates.
    private var cues: [Marked] = []
    private var cueEnds: [Marked] = []

    /// There are none yet.
    package init() {}

    /// Adds the date ranges of the newest playlist; tags with the same identifier add to each other.
    package mutating func add(_ playlist: MediaPlaylist) {
        for range in playlist.dateRanges {
            if ranges[range.id] == nil { order.append(range.id) }
            // A tag that ends a break has the date of its start again.
            if var known = ranges[range.id] {
                known.update(from: range)
                ranges[range.id] = known
            } else {
                ranges[range.id] = range
            }
        }
        while order.count > Self.limit { ranges[order.removeFirst()] = nil }
    }

    /// Adds what tags between the segments of the newest playlist mark, as a timeline that knows it dates these.
    package mutating func addCues(of playlist: MediaPlaylist, on timeline: ProgramTimeline) {
        for segment in playlist.segments {
            guard let cue = StreamCue(segment.marks), let programUs = timeline.programUs(ofSequence: segment.sequence)
            else { continue }
            switch cue.kind {
            case .out: addCue(cue, at: segment.sequence, startUs: programUs)
            case .going(let elapsedUs):
                // The tag stands in each segment of a break whose beginning may have left the playlist.
                let isKnown = cues.contains { $0.startUs <= programUs && $0.endUs.map { programUs < $0 } ?? true }
                if !isKnown { addCue(cue, at: segment.sequence, startUs: programUs - elapsedUs) }
            case .back:
                guard !cueEnds.contains(where: { $0.id == Self.id(segment.sequence) }) else { continue }
                cueEnds.append(
                    Marked(
                        id: Self.id(segment.sequence),
                        startUs: programUs,
                        endUs: nil,
                        isEndPlanned: false,
                        eventID: cue.eventID
                    )
                )
            }
        }
        if cues.count > Self.limit { cues.removeFirst(cues.count - Self.limit) }
        if cueEnds.count > Self.limit { cueEnds.removeFirst(cueEnds.count - Self.limit) }
    }

    private mutating func addCue(_ cue: StreamCue, at sequence: Int64, startUs: Int64) {
        guard !cues.contains(where: { $0.id == Self.id(sequence) }) else { return }
        cues.append(
            Marked(
                id: Self.id(sequence),
                startUs: startUs,
                endUs: cue.durationUs.map { startUs + $0 },
                isEndPlanned: true,
                eventID: cue.eventID
            )
        )
    }

    private static func id(_ sequence: Int64) -> String { "cue-\(sequence)" }

    /// Other media that is to be shown, in the order of the playlists.
    package var interstitials: [Interstitial] { order.compactMap { id in ranges[id].flatMap(Interstitial.init) } }

    /// The breaks within the stream by their start, with the ads that are marked in them; without such, the break
    /// itself is the one ad (SCTE 35 in `SCTE35-OUT`, `SCTE35-IN` and `SCTE35-CMD`).
    package var breaks: [StreamBreak] {
        var outs: [Marked] = []
        var ads: [Marked] = []
        var ends: [Marked] = []
        for range in order.compactMap({ ranges[$0] }) where range.className != Interstitial.className {
            sort(range, &outs, &ads, &ends)
        }
        // Packagers mark one break in both ways: the date range says more.
        outs += cues.filter { cue in
            !(outs + ads).contains {
                $0.startUs - Self.sameUs <= cue.startUs && cue.startUs - Self.sameUs < $0.endUs ?? .max
            }
        }
        ends += cueEnds
        close(&outs, with: ends.filter { !$0.isAdEnd })
        close(&ads, with: ends)
        // Of those that begin together the longest has the others within itself.
        outs.sort { ($0.startUs, -($0.endUs ?? .max), $0.id) < ($1.startUs, -($1.endUs ?? .max), $1.id) }
        return Self.joined(outs, ads)
    }

    private func sort(_ range: DateRange, _ outs: inout [Marked], _ ads: inout [Marked], _ ends: inout [Marked]) {
        let attributes = range.attributes
        var marked = Marked(
            id: range.id,
            startUs: range.startUs,
            endUs: range.endUs,
            isEndPlanned: range.isEndPlanned
        )
        let splice = (attributes["SCTE35-OUT"] ?? attributes["SCTE35-CMD"]).flatMap { SpliceInformation(hex: $0) }
        marked.eventID = splice?.eventID
        if marked.endUs == nil, let durationUs = splice?.durationUs { marked.endUs = range.startUs + durationUs }
        if attributes["SCTE35-OUT"] != nil {
            if splice?.mark == .adStart { ads.append(marked) } else { outs.append(marked) }
            return
        }
        if attributes["SCTE35-IN"] != nil {
            let back = SpliceInformation(hex: attributes["SCTE35-IN"] ?? "")
            marked.eventID = back?.eventID
            marked.isAdEnd = back?.mark == .adEnd
            ends.append(marked)
            return
        }
        switch splice?.mark {
        case .out: outs.append(marked)
        case .adStart: ads.append(marked)
        case .back: ends.append(marked)
        case .adEnd:
            marked.isAdEnd = true
            ends.append(marked)
        case nil: break
        }
    }

    /// Ends what is open, or would end later as planned, with the next mark of an end that belongs to it.
    private func close(_ marked: inout [Marked], with ends: [Marked]) {
        for index in marked.indices where marked[index].isEndPlanned || marked[index].endUs == nil {
            let (startUs, plannedUs) = (marked[index].startUs, marked[index].endUs ?? .max)
            let later = ends.filter { $0.startUs > startUs && $0.startUs < plannedUs }
                .sorted { $0.startUs < $1.startUs }
            let own = later.first { $0.eventID != nil && $0.eventID == marked[index].eventID }
            let next = later.first { $0.eventID == nil || marked[index].eventID == nil }
            if let end = own ?? next { marked[index].endUs = end.startUs }
        }
    }

    private static func joined(_ outs: [Marked], _ ads: [Marked]) -> [StreamBreak] {
        var breaks: [StreamBreak] = []
        var rest = ads
        for out in outs {
            // What overlaps the break before it is part of that one.
            if let last = breaks.last, last.endUs.map({ out.startUs < $0 }) ?? true {
                rest.append(out)
                continue
            }
            breaks.append(StreamBreak(id: out.id, startUs: out.startUs, endUs: out.endUs, ads: []))
        }
        rest.sort { ($0.startUs, $0.id) < ($1.startUs, $1.id) }
        for ad in rest {
            let part = StreamBreak.Ad(id: ad.id, startUs: ad.startUs, endUs: ad.endUs)
            let index = breaks.lastIndex { $0.startUs <= ad.startUs && $0.endUs.map { ad.startUs < $0 } ?? true }
            if let index {
                breaks[index].ads.append(part)
            } else {
                breaks.append(StreamBreak(id: ad.id, startUs: ad.startUs, endUs: ad.endUs, ads: [part]))
            }
        }
        for index in breaks.indices where breaks[index].ads.isEmpty {
            let whole = breaks[index]
            breaks[index].ads = [StreamBreak.Ad(id: whole.id, startUs: whole.startUs, endUs: whole.endUs)]
        }
        return breaks.sorted { ($0.startUs, $0.id) < ($1.startUs, $1.id) }
    }
}

/// A break whose ads are part of the stream itself.
package struct StreamBreak: Sendable, Equatable {
    /// A part of the break.
    package struct Ad: Sendable, Equatable {
        /// The identifier of its date range.
        package var id: String
        /// When it begins, in microseconds since 1970.
        package var startUs: Int64
        /// When it ends; nil as long as nobody knows.
        package var endUs: Int64?
    }

    /// The identifier of its date range.
    package var id: String
    /// When it begins, in microseconds since 1970.
    package var startUs: Int64
    /// When it ends; nil as long as nobody knows.
    package var endUs: Int64?
    /// What it consists of, in order; never empty.
    package var ads: [Ad]
}
