package import PluginKit

/// The senders: each asks the state machine, and says nothing when the step is not legal.
extension VideoTracker {
    /// The tracker is at work.
    package func sendTrackerReady(at moment: Moment) {
        event(Action(.trackerReady), at: moment)
    }

    /// The tracker has a player; said each time.
    package func sendPlayerReady(at moment: Moment) {
        event(Action(.playerReady), at: moment)
        _ = state.goPlayerReady()
    }

    /// A stream is requested.
    package func sendRequest(at moment: Moment) {
        guard state.goRequest() else { return }
        playtime.stop()
        send(.request, at: moment)
    }

    /// The requested stream starts.
    package func sendStart(at moment: Moment) {
        guard state.goStart() else { return }
        wantsHeartbeat = true
        if state.isAd {
            numberOfAds += 1
        } else {
            numberOfVideos += 1
        }
        send(.start, at: moment)
        startPlaytime(at: moment)
    }

    /// Playback is paused.
    package func sendPause(at moment: Moment) {
        guard state.goPause() else { return }
        send(.pause, at: moment)
        playtime.stop()
    }

    /// Playback goes on after a pause.
    package func sendResume(at moment: Moment) {
        guard state.goResume() else { return }
        send(.resume, at: moment)
        startPlaytime(at: moment)
    }

    /// A seek begins.
    package func sendSeekStart(at moment: Moment) {
        guard state.goSeekStart() else { return }
        send(.seekStart, at: moment)
        playtime.stop()
    }

    /// The seek is over.
    package func sendSeekEnd(at moment: Moment) {
        guard state.goSeekEnd() else { return }
        send(.seekEnd, at: moment)
        startPlaytime(at: moment)
    }

    /// Playback waits for data.
    package func sendBufferStart(at moment: Moment) {
        guard state.goBufferStart() else { return }
        let type = currentBufferType(at: moment)
        bufferType = type
        send(.bufferStart, .buffer(type), at: moment)
        playtime.stop()
    }

    /// The data is there; the reason is that of the beginning.
    package func sendBufferEnd(at moment: Moment) {
        guard state.goBufferEnd() else { return }
        send(.bufferEnd, .buffer(bufferType ?? currentBufferType(at: moment)), at: moment)
        startPlaytime(at: moment)
        bufferType = nil
    }

    /// The stream ends, and with it the view.
    package func sendEnd(at moment: Moment) {
        guard state.goEnd() else { return }
        send(.end, at: moment)
        wantsHeartbeat = false
        identifiers.beginNextView()
        numberOfErrors = 0
        playtime.reset()
    }

    /// The tracker is at work; legal always.
    package func sendHeartbeat(at moment: Moment) {
        send(.heartbeat, at: moment)
    }

    /// The quality changed; legal always.
    package func sendRenditionChange(_ shift: RenditionShift?, at moment: Moment) {
        send(.renditionChange, .rendition(shift), at: moment)
    }

    /// Something failed; legal always.
    ///
    /// What is not known of the error is left out.
    package func sendError(message: UTF8Text?, domain: UTF8Text?, code: Int64?, at moment: Moment) {
        numberOfErrors += 1
        send(.error, .error(message: message, domain: domain, code: code), at: moment)
    }

    /// The application's own event, with its attributes.
    package func sendEvent(_ name: UTF8Text, _ attributes: AttributeList, at moment: Moment) {
        event(Action(named: name), .custom(attributes), at: moment)
    }

    /// Counts play time from here on, if anything plays.
    private func startPlaytime(at moment: Moment) {
        guard state.isStarted, !state.isPaused, !state.isSeeking, !state.isBuffering else { return }
        playtime.start(at: moment.epochMilliseconds)
    }

    private func send(_ action: PlaybackAction, _ detail: EventDetail = .none, at moment: Moment) {
        event(Action(StandardAction(action, isAd: state.isAd)), detail, at: moment)
    }

    private func currentBufferType(at moment: Moment) -> BufferType {
        BufferType(state, playhead: moment.player.playheadMilliseconds)
    }
}
