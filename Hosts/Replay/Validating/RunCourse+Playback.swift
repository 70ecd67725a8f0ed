internal import EventModel

extension RunCourse {
    /// An event of the session that goes on.
    mutating func followPlayback(_ event: EventView, _ place: LinePlace, isImplicit: Bool) {
        readState(event.state)
        findAfterComplete(event, place)
        lookForSilence(event, place)
        switch event.type {
        case .play:
            session?.wantsPlay = true
            session?.pause = nil
        case .pause:
            if let before = session?.pause, !isImplicit {
                find(.pauseWhilePaused, place, at: event.time, "paused again, since \(before.text)")
            }
            session?.pause = place
            session?.wantsPlay = false
        case .firstFrame: startContent(event, place)
        case .bufferStart:
            if let open = session?.buffer { find(.bufferWithoutEnd, open, "another begins at \(place.text)") }
            session?.buffer = Self.opening(event, place)
        case .bufferComplete: session?.buffer = nil
        case .seekStart:
            if session?.seek == nil { session?.seek = Self.opening(event, place) }
        case .seekComplete: session?.seek = nil
        case .complete:
            closeAll(place)
            session?.complete = Self.opening(event, place)
        case .playerError:
            guard event.attributes[.errorFatal]?.bool == true else { break }
            if session?.fatalError == nil { session?.fatalError = Self.opening(event, place) }
        case .adBreakStart, .adBreakComplete, .adStart, .adComplete, .adSkip, .adError: followAds(event, place)
        default: break
        }
        lookAtPlayhead(event, place)
        // What ends playback for a while, or moves it, begins another stretch.
        switch event.type {
        case .play, .pause, .seekStart, .seekComplete, .bufferStart, .bufferComplete, .complete, .playerError,
            .adBreakStart, .adBreakComplete, .adComplete, .adSkip, .adError:
            let isJump = event.type == .seekStart || event.type == .seekComplete || event.type == .complete
            session?.stretch = nil
            session?.sampled = nil
            if isJump { session?.sample = nil }
        default: break
        }
    }

    private static func opening(_ event: EventView, _ place: LinePlace) -> CourseSession.Opening {
        CourseSession.Opening(place: place, time: event.time)
    }

    /// Adds a finding about what began there, and says what shows that it is over.
    mutating func find(_ rule: CourseRule, _ open: CourseSession.Opening, _ shown: String) {
        find(rule, open.place, at: open.time, "what begins here has no end: \(shown)")
    }

    private mutating func readState(_ state: PlayerState) {
        if let duration = state.durationMilliseconds { session?.duration = duration }
        if let isLive = state.isLive { session?.isLive = isLive }
        if let rate = state.rateMilli { session?.rateMilli = Int64(rate) }
    }

    private mutating func startContent(_ event: EventView, _ place: LinePlace) {
        if let before = session?.firstFrame {
            find(.firstFrameTwice, place, at: event.time, "the first was at \(before.text)")
        }
        // Also a player that says only this plays.
        session?.wantsPlay = true
        session?.pause = nil
        if session?.firstFrame == nil { session?.firstFrame = place }
    }

    private mutating func findAfterComplete(_ event: EventView, _ place: LinePlace) {
        guard let complete = session?.complete else { return }
        switch event.type {
        case .seekStart: session?.complete = nil
        case .play, .firstFrame, .pause, .bufferStart, .complete:
            let text = "\(event.typeName.string) comes behind complete at \(complete.place.text)"
            find(.eventAfterComplete, place, at: event.time, text)
            // A second viewing is told once.
            session?.complete = nil
        default: break
        }
    }

    /// The content is at its end: nothing is open any more.
    private mutating func closeAll(_ place: LinePlace) {
        let shown = "the content is complete at \(place.text)"
        if let open = session?.buffer { find(.bufferWithoutEnd, open, shown) }
        if let open = session?.seek { find(.seekWithoutEnd, open, shown) }
        session?.buffer = nil
        session?.seek = nil
    }

    private mutating func followAds(_ event: EventView, _ place: LinePlace) {
        switch event.type {
        case .adBreakStart:
            if let open = session?.adBreak { find(.breakWithoutEnd, open, "another begins at \(place.text)") }
            session?.adBreak = Self.opening(event, place)
        case .adBreakComplete:
            if let open = session?.ad { find(.adWithoutEnd, open, "its break is over at \(place.text)") }
            session?.ad = nil
            session?.adBreak = nil
        case .adStart:
            if let open = session?.ad { find(.adWithoutEnd, open, "another begins at \(place.text)") }
            if session?.adBreak == nil { find(.adOutsideBreak, place, at: event.time, "no break is open") }
            session?.ad = Self.opening(event, place)
        default: session?.ad = nil
        }
    }
}
