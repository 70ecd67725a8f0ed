/// A media playlist of an HLS stream, as far as the player has a use for it (RFC 8216, 4.3.2 and 4.3.3).
package struct MediaPlaylist: Sendable, Equatable {
    /// The largest playlist that is read, in bytes.
    package static let byteLimit = 8_388_608
    /// How many segments of a playlist are read; further ones are left out.
    package static let segmentLimit = 100_000
    /// How many date ranges of a playlist are read; further ones are left out.
    package static let dateRangeLimit = 1000

    /// The longest duration of a segment, which the time between two looks follows; in microseconds.
    package private(set) var targetDurationUs: Int64 = 0
    /// How many discontinuities were there before its first segment.
    package private(set) var discontinuitySequence: Int64 = 0
    /// The segments in their order.
    package private(set) var segments: [MediaSegment] = []
    /// What is dated, such as ads, in the order of the playlist.
    package private(set) var dateRanges: [DateRange] = []
    /// Where playback is to begin; nil when nothing is said of it.
    package private(set) var start: StreamStart?
    /// What decoders of the first segments have to know before (`EXT-X-MAP`), as it is written; nil for nothing.
    package private(set) var mapURI: String?
    /// Whether the last segment lacks its address, and is left out.
    package private(set) var isCutOff = false
    /// Whether no segment will be added.
    package private(set) var isEnded = false

    /// Whether a segment has a date.
    package var isDated: Bool { segments.contains { $0.programUs != nil } }

    /// The playlist with a date for its first segment, microseconds since 1970; the others follow from it.
    package func dated(fromUs startUs: Int64) -> MediaPlaylist {
        var playlist = self
        if !playlist.segments.isEmpty { playlist.segments[0].programUs = startUs }
        return playlist
    }

    /// Reads what it knows of a playlist; nil when the text is none, or is a master playlist.
    package init?(text: String) {
        var reading = Reading()
        var isFirst = true
        for line in text.split(whereSeparator: \.isNewline) {
            if isFirst {
                guard line.hasPrefix("#EXTM3U") || line.hasPrefix("\u{FEFF}#EXTM3U") else { return nil }
                isFirst = false
            }
            guard !line.hasPrefix("#EXT-X-STREAM-INF") else { return nil }
            if line.hasPrefix("#") { read(tag: line, &reading) } else { read(uri: line, &reading) }
        }
        guard !isFirst else { return nil }
        isCutOff = reading.durationUs != nil
    }

    /// What the tags say of the segment that comes next.
    private struct Reading {
        var nextSequence: Int64 = 0
        var durationUs: Int64?
        var programUs: Int64?
        var isDiscontinuous = false
        var isGap = false
        var byteRange: String?
        /// Where the bytes of the segment before ended, and in which resource.
        var last: (uri: String, endByte: Int64)?
        var initialization: SegmentInitialization?
        var keys: [SegmentKey] = []
        /// Whether a segment came since the last key, so that the next one replaces those before.
        var areKeysUsed = false
        var marks: [PlaylistMark] = []
    }

    private mutating func read(tag line: Substring, _ reading: inout Reading) {
        guard line.hasPrefix("#EXT") else { return }
        let name = line.prefix { $0 != ":" }
        let value = line[name.endIndex...].dropFirst()
        switch name {
        case "#EXTINF": reading.durationUs = PlaylistNumber.microseconds(value.prefix { $0 != "," })
        case "#EXT-X-PROGRAM-DATE-TIME": reading.programUs = ProgramDate.microseconds(value)
        case "#EXT-X-GAP": reading.isGap = true
        case "#EXT-X-BYTERANGE": reading.byteRange = String(value)
        case "#EXT-X-MAP":
            reading.initialization = SegmentInitialization(PlaylistAttributes(value))
            mapURI = mapURI ?? reading.initialization?.uri
        case "#EXT-X-KEY":
            if reading.areKeysUsed { reading.keys = [] }
            reading.areKeysUsed = false
            if let key = SegmentKey(PlaylistAttributes(value)) { reading.keys.append(key) } else { reading.keys = [] }
        case "#EXT-X-DISCONTINUITY": reading.isDiscontinuous = true
        case "#EXT-X-TARGETDURATION": targetDurationUs = PlaylistNumber.microseconds(value) ?? 0
        case "#EXT-X-MEDIA-SEQUENCE":
            if segments.isEmpty { reading.nextSequence = PlaylistNumber.whole(value) ?? 0 }
        case "#EXT-X-DISCONTINUITY-SEQUENCE": discontinuitySequence = PlaylistNumber.whole(value) ?? 0
        case "#EXT-X-ENDLIST": isEnded = true
        case "#EXT-X-DATERANGE":
            guard dateRanges.count < Self.dateRangeLimit else { return }
            if let range = DateRange(PlaylistAttributes(value)) { dateRanges.append(range) }
        case "#EXT-X-START": start = start ?? StreamStart(line: line)
        default:
            guard PlaylistMark.names.contains(name), reading.marks.count < PlaylistMark.limit else { return }
            reading.marks.append(PlaylistMark(name: String(name), value: String(value)))
        }
    }

    private mutating func read(uri line: Substring, _ reading: inout Reading) {
        guard let durationUs = reading.durationUs, segments.count < Self.segmentLimit else { return }
        var segment = MediaSegment(sequence: reading.nextSequence, uri: String(line), durationUs: durationUs)
        segment.programUs = reading.programUs
        segment.isDiscontinuous = reading.isDiscontinuous
        segment.isGap = reading.isGap
        segment.initialization = reading.initialization
        segment.keys = reading.keys
        segment.bytes = reading.byteRange.flatMap { Self.bytes($0, of: segment.uri, behind: reading.last) }
        segment.marks = reading.marks
        segments.append(segment)
        var next = Reading(nextSequence: reading.nextSequence + 1)
        next.initialization = reading.initialization
        next.keys = reading.keys
        next.areKeysUsed = true
        next.last = segment.bytes.map { (segment.uri, $0.upperBound) }
        reading = next
    }

    /// The bytes that a range such as `100@50` means; without a place it follows those before in the same resource.
    private static func bytes(
        _ text: String,
        of uri: String,
        behind last: (uri: String, endByte: Int64)?
    ) -> Range<Int64>? {
        let parts = text.split(separator: "@")
        guard let length = parts.first.flatMap(PlaylistNumber.whole) else { return nil }
        let follows = last.flatMap { $0.uri == uri ? $0.endByte : nil }
        guard let start = parts.count > 1 ? PlaylistNumber.whole(parts[1]) : follows else { return nil }
        return start..<start + length
    }
}

/// One segment of a media playlist.
package struct MediaSegment: Sendable, Equatable {
    /// Its media sequence number.
    package var sequence: Int64
    /// Its address as it is written.
    package var uri: String
    /// Its duration in microseconds.
    package var durationUs: Int64
    /// The wall clock of its first sample in microseconds since 1970, when it has a date of its own.
    package var programUs: Int64?
    /// Whether its media does not continue that of the segment before.
    package var isDiscontinuous = false
    /// Whether the playlist says that its media is missing (`EXT-X-GAP`).
    package var isGap = false
    /// Where it lies in its resource, nil when it is all of it.
    package var bytes: Range<Int64>?
    /// What its media needs before it, as fragmented MP4 does.
    package var initialization: SegmentInitialization?
    /// The keys that it is encrypted with, each for other players; empty when it is not.
    package var keys: [SegmentKey] = []
    /// What stands before it of breaks.
    package var marks: [PlaylistMark] = []

    /// Whether an absolute address is that of this segment, also when a server redirects to another place.
    package func isAt(_ address: String) -> Bool {
        if uri.contains("://") { return address == uri }
        var reference = uri[...]
        while reference.hasPrefix("./") || reference.hasPrefix("../") {
            reference = reference[reference.index(after: reference.firstIndex(of: "/") ?? reference.startIndex)...]
        }
        if reference.hasPrefix("/") { return address.hasSuffix(reference) }
        return !reference.isEmpty && address.hasSuffix("/" + reference)
    }
}

/// What a decoder needs before a segment (`EXT-X-MAP`).
package struct SegmentInitialization: Sendable, Equatable {
    /// Its address as it is written.
    package var uri: String
    /// Whether it is only a part of its resource.
    package var isPart: Bool

    init?(_ attributes: PlaylistAttributes) {
        guard let uri = attributes["URI"] else { return nil }
        self.uri = uri
        isPart = attributes["BYTERANGE"] != nil
    }
}

/// How a segment is encrypted (`EXT-X-KEY`).
package struct SegmentKey: Sendable, Equatable {
    /// The method, such as `AES-128`.
    package var method: String
    /// Who can use it: `identity`, or the name of a system.
    package var format: String

    init?(_ attributes: PlaylistAttributes) {
        guard let method = attributes["METHOD"], method != "NONE" else { return nil }
        self.method = method
        format = attributes["KEYFORMAT"] ?? "identity"
    }
}

/// A tag between segments that marks a break, which no standard has.
package struct PlaylistMark: Sendable, Equatable {
    static let names: [Substring] = [
        "#EXT-OATCLS-SCTE35", "#EXT-X-CUE-OUT", "#EXT-X-CUE-OUT-CONT", "#EXT-X-CUE-IN",
    ]
    /// How many may stand before a segment; further ones are left out.
    static let limit = 10

    /// The tag, such as `#EXT-X-CUE-OUT`.
    package let name: String
    /// What stands behind its colon.
    package let value: String
}
