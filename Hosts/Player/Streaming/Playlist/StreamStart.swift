/// Where a stream wants playback to begin (`EXT-X-START`; RFC 8216, 4.3.5.2).
package struct StreamStart: Sendable, Equatable {
    static let tag = "#EXT-X-START:"
    private static let longestMs = 31_622_400_000.0

    /// From the first segment's start, ms; negative from the last segment's end.
    package var offsetMs: Int64
    /// Whether nothing before the place is shown; otherwise playback begins with the segment that has it.
    package var isPrecise = false

    /// Names a place.
    package init(offsetMs: Int64, isPrecise: Bool) {
        self.offsetMs = offsetMs
        self.isPrecise = isPrecise
    }

    /// Reads a line of a playlist; nil when it is no such tag, or lacks its offset.
    init?(line: Substring) {
        guard line.hasPrefix(Self.tag) else { return nil }
        let attributes = PlaylistAttributes(line.dropFirst(Self.tag.count))
        guard let seconds = attributes["TIME-OFFSET"].flatMap({ Double($0) }), abs(seconds) * 1000 <= Self.longestMs
        else {
            return nil
        }
        self.init(offsetMs: Int64((seconds * 1000).rounded()), isPrecise: attributes["PRECISE"] == "YES")
    }

    /// The place in media of some length, which begins at 0; beyond its ends it is the end.
    package func placeMs(ofDuration durationMs: Int64) -> Int64 {
        max(0, offsetMs < 0 ? durationMs + offsetMs : min(offsetMs, durationMs))
    }
}

extension MediaPlaylist {
    /// Where playback is to begin, ms from the first segment's start; nil when the playlist does not say.
    package var startPlaceMs: Int64? { start.map(placeMs) }

    /// The place that a start names in these segments, ms from the first one's start.
    package func placeMs(of start: StreamStart) -> Int64 {
        let placeMs = start.placeMs(ofDuration: segments.reduce(0) { $0 + $1.durationUs } / 1000)
        guard !start.isPrecise else { return placeMs }
        var startUs: Int64 = 0
        for segment in segments {
            if (startUs + segment.durationUs) / 1000 > placeMs { break }
            startUs += segment.durationUs
        }
        return startUs / 1000
    }
}
