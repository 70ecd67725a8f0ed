/// What wall clock the media of a stream belongs to: from the place in the stream to the date, and back.
///
/// Media continues without a gap for a *period*; at a discontinuity, or where the dates jump, another one begins.
/// Within a period the wall clock goes as the media does, so that rounded durations in playlists add up to nothing.
/// Between periods the place goes on by the last segment's duration, as it does in the engine (hlsdemux2). All times
/// are microseconds.
package struct ProgramTimeline: Sendable, Equatable {
    /// Media without a gap.
    struct Period: Sendable, Equatable {
        var positionUs: Int64
        var programUs: Int64
    }

    /// A segment with its place and date.
    struct Placed: Sendable, Equatable {
        var sequence: Int64
        var positionUs: Int64
        var programUs: Int64
        var durationUs: Int64
    }

    /// By how much a date may differ from where the duration before it leads, and still be the same media: what
    /// playlists round.
    package static let toleranceUs: Int64 = 100_000
    /// How many periods are kept; the oldest go first.
    package static let periodLimit = 10_000

    /// In the order of their places; never empty.
    var periods: [Period]
    /// The segments of the last playlist.
    var placed: [Placed]
    /// How many discontinuities were there before the last segment.
    var discontinuities: Int64

    /// Lays a stream out by a playlist, one of whose segments begins at a place; nil without dates or that segment.
    package init?(_ playlist: MediaPlaylist, sequence: Int64, atUs positionUs: Int64) {
        periods = []
        placed = []
        discontinuities = playlist.discontinuitySequence
        guard let first = playlist.segments.firstIndex(where: { $0.programUs != nil }),
            playlist.segments.contains(where: { $0.sequence == sequence })
        else { return nil }
        // What lies before the first date is dated by it (RFC 8216, 6.3.3).
        let before = playlist.segments[..<first].reduce(0) { $0 + $1.durationUs }
        let startUs = (playlist.segments[first].programUs ?? 0) - before
        periods = [Period(positionUs: 0, programUs: startUs)]
        append(playlist.segments[...], of: playlist)
        guard let anchor = placed.first(where: { $0.sequence == sequence }) else { return nil }
        let shiftUs = positionUs - anchor.positionUs
        for index in periods.indices { periods[index].positionUs += shiftUs }
        for index in placed.indices { placed[index].positionUs += shiftUs }
    }

    /// Lays out a stream without gaps, whose place 0 has a date in microseconds since 1970.
    package init(startUs: Int64) {
        periods = [Period(positionUs: 0, programUs: startUs)]
        placed = []
        discontinuities = 0
    }

    /// Goes on with the stream's newest playlist; one that is older than the last is of no use.
    package mutating func update(from playlist: MediaPlaylist) {
        guard let oldest = placed.first, let last = placed.last, let newest = playlist.segments.last,
            newest.sequence >= last.sequence
        else { return }
        let known = playlist.segments.drop { $0.sequence < oldest.sequence }
        guard let first = known.first else { return }
        if first.sequence <= last.sequence {
            restart(at: placed[Int(first.sequence - oldest.sequence)], dated: first.programUs)
            append(known.dropFirst(), of: playlist)
        } else {
            bridge(to: first, in: playlist)
            append(known, of: playlist)
        }
        if periods.count > Self.periodLimit { periods.removeFirst(periods.count - Self.periodLimit) }
    }

    /// Forgets what lies behind a segment; a date that is new says how long the media before it really was.
    private mutating func restart(at known: Placed, dated programUs: Int64?) {
        var start = known
        periods.removeAll { $0.positionUs > known.positionUs }
        if let programUs, programUs != known.programUs {
            let isRounded = abs(programUs - known.programUs) <= Self.toleranceUs
            if isRounded { start.positionUs += programUs - known.programUs }
            start.programUs = programUs
            if !isRounded || periods.isEmpty {
                periods.removeAll { $0.positionUs == start.positionUs }
                periods.append(Period(positionUs: start.positionUs, programUs: programUs))
            }
        }
        placed = [start]
    }

    /// Goes on behind segments that no playlist was seen with.
    private mutating func bridge(to first: MediaSegment, in playlist: MediaPlaylist) {
        guard let last = placed.last else { return }
        let missed = max(1, first.sequence - last.sequence)
        let isSameMedia = playlist.discontinuitySequence == discontinuities && !first.isDiscontinuous
        let guessUs = min(missed, 1_000_000) * last.durationUs
        let programUs = first.programUs ?? last.programUs + guessUs
        let passedUs = isSameMedia && programUs > last.programUs ? programUs - last.programUs : guessUs
        placed = []
        periods.append(Period(positionUs: last.positionUs + passedUs, programUs: programUs))
    }

    private mutating func append(_ segments: ArraySlice<MediaSegment>, of playlist: MediaPlaylist) {
        for segment in segments {
            guard let last = placed.last else {
                guard let period = periods.last else { return }
                lay(segment, at: period.positionUs, period.programUs)
                continue
            }
            let expectedUs = last.programUs + last.durationUs
            let programUs = segment.programUs ?? expectedUs
            let differenceUs = programUs - expectedUs
            let isSameMedia = !segment.isDiscontinuous && abs(differenceUs) <= Self.toleranceUs
            let positionUs = last.positionUs + last.durationUs + (isSameMedia ? differenceUs : 0)
            lay(segment, at: positionUs, programUs)
            if !isSameMedia, differenceUs != 0 { periods.append(Period(positionUs: positionUs, programUs: programUs)) }
        }
        discontinuities = playlist.segments.reduce(playlist.discontinuitySequence) { $0 + ($1.isDiscontinuous ? 1 : 0) }
    }

    private mutating func lay(_ segment: MediaSegment, at positionUs: Int64, _ programUs: Int64) {
        placed.append(
            Placed(
                sequence: segment.sequence,
                positionUs: positionUs,
                programUs: programUs,
                durationUs: segment.durationUs
            )
        )
    }
}

extension ProgramTimeline {
    /// The wall clock of the media at a place in the stream, in milliseconds since 1970.
    package func wallClockMs(atMs positionMs: Int64) -> Int64 {
        let positionUs = positionMs * 1000
        let period = periods.last { $0.positionUs <= positionUs } ?? periods[0]
        return Self.milliseconds(period.programUs + positionUs - period.positionUs)
    }

    /// The date of the first sample of a segment of the last playlist, in microseconds since 1970.
    package func programUs(ofSequence sequence: Int64) -> Int64? {
        guard let first = placed.first, sequence >= first.sequence, sequence - first.sequence < placed.count else {
            return nil
        }
        return placed[Int(sequence - first.sequence)].programUs
    }

    /// The place of a segment of the last playlist, ms.
    package func positionMs(ofSequence sequence: Int64) -> Int64? {
        placed.first { $0.sequence == sequence }.map { Self.milliseconds($0.positionUs) }
    }

    /// The wall clock of the end of the newest media, in milliseconds since 1970.
    package var liveEdgeMs: Int64? { placed.last.map { Self.milliseconds($0.programUs + $0.durationUs) } }

    /// The place of a date, ms, negative before the beginning; a date that no media has is where dates jump over it.
    package func positionMs(ofUs programUs: Int64) -> Int64 {
        for index in periods.indices.reversed() where periods[index].programUs <= programUs {
            let positionUs = periods[index].positionUs + programUs - periods[index].programUs
            guard index + 1 < periods.count else { return Self.milliseconds(positionUs) }
            return Self.milliseconds(min(positionUs, periods[index + 1].positionUs))
        }
        return Self.milliseconds(periods[0].positionUs + programUs - periods[0].programUs)
    }

    /// The start of the segment that begins nearest to a place, or the end of the last one; in milliseconds.
    package func boundaryMs(nearMs positionMs: Int64) -> Int64 {
        var boundaries = placed.map(\.positionUs)
        if let last = placed.last { boundaries.append(last.positionUs + last.durationUs) }
        let positionUs = positionMs * 1000
        let nearest = boundaries.min { abs($0 - positionUs) < abs($1 - positionUs) }
        return nearest.map(Self.milliseconds) ?? positionMs
    }

    private static func milliseconds(_ microseconds: Int64) -> Int64 {
        // Rounds to the nearest, also before 1970 and before the beginning.
        (microseconds + (microseconds < 0 ? -500 : 500)) / 1000
    }
}
