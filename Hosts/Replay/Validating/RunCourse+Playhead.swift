internal import EventModel
internal import HostSupport

extension RunCourse {
    /// How far a playhead may be from where it should be, ms: samples are not exact.
    private static let tolerance: Int64 = 2000
    /// How far playback goes until it is sure that it goes on, ms.
    private static let motion: Int64 = 1000
    /// How long nothing may be said of a playhead that moves, us, unless samples come seldom from the beginning.
    private static let longestSilence: Int64 = 10_000_000
    /// Over how long a unit is looked at, us.
    private static let unitSpan: Int64 = 5_000_000

    /// What an event says of where playback is.
    mutating func lookAtPlayhead(_ event: EventView, _ place: LinePlace) {
        guard let now = session, let playhead = event.state.reportedPlayheadMilliseconds else { return }
        let isSample = event.type == .playheadSample
        defer {
            if session?.seek == nil { session?.sample = CourseSession.Sample(time: event.time, playhead: playhead) }
        }
        if isSample {
            findGoingOn(playhead, event.time, place)
            lookAtUnit(playhead, event.time, place)
        }
        lookAtDuration(playhead, event.time, place)
        guard now.seek == nil, now.ad == nil, now.adBreak == nil, !now.isLive, now.duration != -1,
            let before = now.sample
        else { return }
        let way = playhead - before.playhead
        if way < -Self.tolerance / 2, now.rateMilli >= 0 {
            let text = "from \(Self.text(before.playhead)) to \(Self.text(playhead)), and no seek is told"
            find(.playheadBack, place, at: event.time, text)
        }
        let rate = max(1000, now.rateMilli)
        let longest = (event.time - before.time) / 1000 * rate / 1000 + Self.tolerance
        if way > longest {
            let text =
                "from \(Self.text(before.playhead)) to \(Self.text(playhead)) within "
                + "\(Self.text((event.time - before.time) / 1000)), and no seek is told"
            find(.playheadJump, place, at: event.time, text)
        }
    }

    private static func text(_ milliseconds: Int64) -> String { "\(ReadableNumber.grouped(Int(milliseconds))) ms" }

    /// A playhead that moves shows that what was open is over.
    private mutating func findGoingOn(_ playhead: Int64, _ time: Int64, _ place: LinePlace) {
        // A jump is no motion: samples of the place before may still be on their way.
        guard let from = session?.stretch, playhead >= from.playhead + Self.motion,
            playhead - from.playhead <= (time - from.time) / 1000 * 2 + Self.motion / 2
        else { return }
        let shown = "the playhead moves at \(place.text)"
        if let open = session?.buffer {
            find(.bufferWithoutEnd, open, shown)
            session?.buffer = nil
        }
        if let open = session?.seek {
            find(.seekWithoutEnd, open, shown)
            session?.seek = nil
        }
        if let open = session?.adBreak, session?.ad == nil {
            find(.breakWithoutEnd, open, shown)
            session?.adBreak = nil
        }
        if let open = session?.fatalError {
            let text = "playback goes on behind it: \(shown)"
            find(.playbackAfterFatalError, open.place, at: open.time, text)
            session?.fatalError = nil
        }
        if let complete = session?.complete {
            find(.eventAfterComplete, place, at: time, "it plays on behind complete at \(complete.place.text)")
            session?.complete = nil
        }
    }

    /// Whether places grow by seconds where time does by milliseconds.
    private mutating func lookAtUnit(_ playhead: Int64, _ time: Int64, _ place: LinePlace) {
        guard let now = session else { return }
        guard let begin = now.stretch, playhead >= begin.playhead,
            playhead - begin.playhead <= (time - begin.time) / 1000 * 2 + Self.tolerance
        else {
            session?.stretch = CourseSession.Sample(time: time, playhead: playhead)
            return
        }
        let span = time - begin.time
        guard !now.isUnitTold, now.isMoving, now.rateMilli >= 500, span >= Self.unitSpan else { return }
        let way = playhead - begin.playhead
        // Up to a rate of two; a playhead that stands says nothing.
        guard way >= 3, way * 1_000_000 <= span * 2 + 1_000_000 else { return }
        session?.isUnitTold = true
        let text = "the playhead grew by \(way) in \(Self.text(span / 1000)): these look like seconds"
        find(.playheadInSeconds, place, at: time, text)
    }

    private mutating func lookAtDuration(_ playhead: Int64, _ time: Int64, _ place: LinePlace) {
        guard let now = session, !now.isDurationTold, !now.isLive, let duration = now.duration, duration > 0,
            playhead > duration + Self.tolerance
        else { return }
        session?.isDurationTold = true
        let unit = playhead / 1000 <= duration ? ", which looks like seconds" : ""
        let text = "the playhead is at \(Self.text(playhead)), the duration is \(Self.text(duration))\(unit)"
        find(.playheadBeyondDuration, place, at: time, text)
    }

    /// Whether samples stopped while it plays, which the next one or the next event shows.
    mutating func lookForSilence(_ event: EventView, _ place: LinePlace) {
        guard let now = session else { return }
        guard now.isMoving, !isInBackground else {
            session?.sampled = nil
            return
        }
        if let sampled = now.sampled {
            let silence = event.time - sampled
            let usual = now.interval ?? 0
            if now.samples >= 3, silence > max(Self.longestSilence, 4 * usual) {
                let text = "no sample for \(Self.text(silence / 1000)) before this line, while it plays"
                find(.samplesStop, place, at: event.time, text)
                session?.sampled = event.time
            } else if event.type == .playheadSample {
                session?.interval = max(usual, silence)
            }
        }
        guard event.type == .playheadSample else { return }
        session?.samples += 1
        session?.sampled = event.time
    }
}
