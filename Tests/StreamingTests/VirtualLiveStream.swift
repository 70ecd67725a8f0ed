import Streaming

/// A live stream on a virtual clock: what it really shows when, and the playlists that an encoder makes of it.
struct VirtualLiveStream {
    struct Segment {
        let sequence: Int
        /// Where its media lies in the stream, microseconds.
        let positionUs: Int64
        let durationUs: Int64
        let programUs: Int64
        let isDiscontinuous: Bool
    }

    /// What of the stream's dates is in its playlists.
    enum Dates: CaseIterable {
        case all
        case firstAndDiscontinuities
    }

    private(set) var segments: [Segment] = []
    private let window: Int
    private let dates: Dates

    /// Makes so many hours, with a discontinuity about every ten minutes.
    init(hours: Int64, window: Int, dates: Dates, seed: UInt64) {
        self.window = window
        self.dates = dates
        var random = Random(state: seed)
        var positionUs: Int64 = 0
        var programUs: Int64 = 1_768_651_200_000_000
        while positionUs < hours * 3_600_000_000 {
            let isDiscontinuous = !segments.isEmpty && random.next(100) == 0
            if isDiscontinuous {
                // The encoder was away for a while, or its clock was set back.
                programUs += [3_400_000, 61_000_000, -1_250_000][Int(random.next(3))]
            }
            // 143.864 frames: no number of milliseconds.
            let durationUs: Int64 = isDiscontinuous ? 2_002_333 : 5_994_333
            segments.append(
                Segment(
                    sequence: segments.count,
                    positionUs: positionUs,
                    durationUs: durationUs,
                    programUs: programUs,
                    isDiscontinuous: isDiscontinuous
                )
            )
            positionUs += durationUs
            programUs += durationUs
        }
    }

    /// The playlist whose newest segment is this.
    func playlist(newest: Int) -> String {
        let shown = segments[max(0, newest - window + 1)...newest]
        let before = segments[..<shown.startIndex].reduce(0) { $0 + ($1.isDiscontinuous ? 1 : 0) }
        var text = "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:6\n"
        text += "#EXT-X-MEDIA-SEQUENCE:\(shown.startIndex)\n#EXT-X-DISCONTINUITY-SEQUENCE:\(before)\n"
        for segment in shown {
            if segment.isDiscontinuous { text += "#EXT-X-DISCONTINUITY\n" }
            if dates == .all || segment.isDiscontinuous || segment.sequence == shown.startIndex {
                text += "#EXT-X-PROGRAM-DATE-TIME:\(LiveDate.text(segment.programUs))\n"
            }
            let milliseconds = segment.durationUs / 1000
            text += "#EXTINF:\(milliseconds / 1000).\(LiveDate.padded(milliseconds % 1000, 3)),\n"
            text += "\(segment.sequence).ts\n"
        }
        return text
    }
}

/// The test's own way to write a date, so that the one that reads is not its own witness.
enum LiveDate {
    static func text(_ microseconds: Int64) -> String {
        let seconds = microseconds / 1_000_000
        // All days of the test lie in one month.
        let day = 17 + (seconds - 1_768_608_000) / 86_400
        let second = seconds % 86_400
        return "2026-01-\(padded(day, 2))T\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):"
            + "\(padded(second % 60, 2)).\(padded(microseconds / 1000 % 1000, 3))Z"
    }

    static func padded(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}

/// SplitMix64 with a literal seed.
struct Random {
    var state: UInt64

    mutating func next(_ limit: UInt64) -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return (mixed ^ (mixed >> 31)) % limit
    }
}
