extension ProgramTimeline {
    /// The wall clock of the media at a place in the stream, in milliseconds since 1970.
    package func wallClockMs(atMs positionMs: Int64) -> Int64 {
        let positionUs = positionMs * 1000
        let period = periods.last { $0.positionUs <= positionUs } ?? periods[0]
        return Self.milliseconds(period.programUs + positionUs - period.positionUs)
    }

    /// The wall clock of the end of the newest media, in milliseconds since 1970.
    package var liveEdgeMs: Int64? {
        placed.last.map { Self.milliseconds($0.programUs + $0.durationUs) }
    }

    /// The place in the stream of the media of a date, in milliseconds; it is negative before the stream's beginning.
    ///
    /// A date that no media has, because dates jump over it, is where they jump.
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
