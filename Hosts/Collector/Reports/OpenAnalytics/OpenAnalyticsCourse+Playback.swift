internal import EventModel

extension OpenAnalyticsCourse {
    /// How far from where it should be a seek's playhead is where it goes to, ms.
    private static let nearness: Int64 = 2000

    /// An event of a session that goes on.
    mutating func follow(_ event: OpenAnalyticsEvent) {
        switch event.kind {
        case .playing: startPlayback()
        case .resume: resume()
        case .paused, .pause: pause()
        case .buffering: startBuffering()
        case .buffered:
            endBuffering()
            endSeekUntold()
        case .seeking: startSeek()
        case .seeked: endSeek()
        case .bitrateChanged: changeRendition(event)
        case .heartbeat: sample(event)
        default: break
        }
    }

    private mutating func startPlayback() {
        // Where it plays, nothing is waited for: what ends it got lost, or is never sent.
        endBuffering()
        endSeekUntold()
        if session?.hasPlayed == true { return resume() }
        session?.hasPlayed = true
        session?.isPaused = false
        emit(.play)
        emit(.firstFrame)
    }

    private mutating func resume() {
        guard session?.isPaused == true else { return }
        session?.isPaused = false
        emit(.play)
    }

    private mutating func pause() {
        endSeekUntold()
        guard session?.hasPlayed == true, session?.isPaused == false else { return }
        session?.isPaused = true
        emit(.pause)
    }

    private mutating func startBuffering() {
        guard let now = session, !now.isBuffering else { return }
        let cause = now.isSeeking ? "seek" : now.hasPlayed ? "stall" : "initial"
        session?.isBuffering = true
        emit(.bufferStart, [TrackedCall.Attribute("buffer_cause", .string(cause))])
    }

    private mutating func endBuffering() {
        guard session?.isBuffering == true else { return }
        session?.isBuffering = false
        emit(.bufferComplete)
    }

    private mutating func startSeek() {
        let expected = session?.expectedPlayhead(at: now)
        // A seek cuts a wait off, and its end is not told.
        endBuffering()
        session?.isSeeking = true
        session?.isSeekEndOpen = false
        var attributes: [TrackedCall.Attribute] = []
        if let told = state.playhead {
            var from = told
            if let expected, abs(told - expected) > Self.nearness {
                // It says where it goes, as one library does.
                attributes.append(TrackedCall.Attribute("seek_to_ms", .int(told)))
                from = expected
                say { $0.playhead = expected }
            }
            attributes.insert(TrackedCall.Attribute("seek_from_ms", .int(from)), at: 0)
        }
        emit(.seekStart, attributes)
    }

    private mutating func endSeek() {
        endBuffering()
        guard let now = session else { return }
        if now.isSeekEndOpen {
            session?.isSeekEndOpen = false
            return
        }
        let to = state.playhead
        if !now.isSeeking {
            // The place has jumped, and nobody said so before.
            let from = now.expectedPlayhead(at: self.now)
            say { $0.playhead = from }
            emit(.seekStart, from.map { [TrackedCall.Attribute("seek_from_ms", .int($0))] } ?? [])
            say { $0.playhead = to }
        }
        session?.isSeeking = false
        emit(.seekComplete, to.map { [TrackedCall.Attribute("seek_to_ms", .int($0))] } ?? [])
    }

    /// Ends a seek whose end one library never sends.
    private mutating func endSeekUntold() {
        guard session?.isSeeking == true else { return }
        session?.isSeeking = false
        session?.isSeekEndOpen = true
        emit(.seekComplete, state.playhead.map { [TrackedCall.Attribute("seek_to_ms", .int($0))] } ?? [])
    }

    private mutating func changeRendition(_ event: OpenAnalyticsEvent) {
        let bitrate = event.bitrate("bitrate")
        var size: ReportedState.Size?
        if let width = event.amount("width"), let height = event.amount("height") {
            size = ReportedState.Size(width: Int32(width), height: Int32(height))
        }
        guard bitrate != nil || size != nil else { return }
        var attributes: [TrackedCall.Attribute] = []
        func add(_ name: String, _ number: Int64?) {
            if let number { attributes.append(TrackedCall.Attribute(name, .int(number))) }
        }
        // Android's library says what its decoder gets; of others it is not known what they mean.
        if metadata.isAndroid { attributes.append(TrackedCall.Attribute("rendition_phase", .string("visible"))) }
        add("rendition_bitrate_bps", bitrate)
        add("rendition_width", size.map { Int64($0.width) })
        add("rendition_height", size.map { Int64($0.height) })
        add("epas_video_bitrate_bps", event.bitrate("videoBitrate"))
        add("epas_audio_bitrate_bps", event.bitrate("audioBitrate"))
        say { state in
            state.bitrate = bitrate
            state.size = size
        }
        emit(.renditionChange, attributes)
    }

    private mutating func sample(_ event: OpenAnalyticsEvent) {
        startUntold(event)
        emit(.qualitySample)
        guard let now = session, now.hasPlayed, !now.isPaused, state.playhead != nil || state.liveWall != nil else {
            return
        }
        emit(.playheadSample)
    }

    /// Begins playback of which nothing was said, once its place has moved.
    private mutating func startUntold(_ event: OpenAnalyticsEvent) {
        guard let now = session, !now.hasPlayed, let playhead = event.playhead else { return }
        if let first = now.firstPlayhead, playhead > first { startPlayback() }
        session?.firstPlayhead = playhead
    }
}
