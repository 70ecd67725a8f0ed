internal import PluginABI
package import PluginKit

/// What each player event means to a tracker of the content.
///
/// The state machine behind the senders drops what is not legal, so that an event can simply be passed on.
package final class PlayerBinding {
    /// The tracker that is told.
    package let tracker: VideoTracker

    private var isInSession = false
    private var wantsPlayback = false
    private var isFrameShown = false

    /// Binds a tracker.
    package init(_ tracker: VideoTracker) {
        self.tracker = tracker
    }

    /// Whether an event can mean anything to this tracker.
    ///
    /// Samples and requests are nearly all events and end here. The numbers are the header's own, since those of
    /// another module are not constants to the compiler.
    @inline(__always)
    package static func concerns(_ event: EventView) -> Bool {
        switch unsafe event.raw.pointee.type {
        case TALLY_EVENT_TYPE_PLAYHEAD_SAMPLE, TALLY_EVENT_TYPE_QUALITY_SAMPLE, TALLY_EVENT_TYPE_REQUEST_COMPLETED,
            TALLY_EVENT_TYPE_REQUEST_FAILED, TALLY_EVENT_TYPE_REQUEST_CANCELLED:
            false
        case let type: type < TALLY_EVENT_TYPE_SESSION_SNAPSHOT
        }
    }

    // MARK: - Sessions

    /// Begins a session; in its middle, says what brings a new tracker to where the player stands.
    package func sessionBegin(_ snapshot: EventView, at moment: Moment) {
        isInSession = true
        wantsPlayback = false
        isFrameShown = false
        tracker.rendition = nil
        tracker.video.forgetVideo()
        tracker.video.take(snapshot.attributes)
        guard snapshot.attributes[.joined]?.bool == true else { return }
        join(snapshot, at: moment)
    }

    /// Ends the session; a tracker that is released says nothing.
    package func sessionEnd(_ reason: SessionEndReason, at moment: Moment) {
        if reason == .unload {
            end(at: moment)
        }
        isInSession = false
        wantsPlayback = false
        isFrameShown = false
        tracker.rendition = nil
        tracker.video.forgetVideo()
    }

    private func join(_ snapshot: EventView, at moment: Moment) {
        let player = moment.player
        wantsPlayback = player.has(TALLY_STATE_PLAYING)
        isFrameShown = player.has(TALLY_STATE_STARTED)
        tracker.sendPlayerReady(at: moment)
        // After its end the view is over: the next one begins when it is played again.
        guard !player.has(TALLY_STATE_ENDED) else { return }
        tracker.sendRequest(at: moment)
        if isFrameShown, wantsPlayback || snapshot.attributes[.firstPlayAtMicroseconds] != nil {
            tracker.sendStart(at: moment)
        }
        if player.has(TALLY_STATE_PAUSED) { tracker.sendPause(at: moment) }
        if player.has(TALLY_STATE_SEEKING) { tracker.sendSeekStart(at: moment) }
        if player.has(TALLY_STATE_BUFFERING) { tracker.sendBufferStart(at: moment) }
    }

    // MARK: - Events

    /// Passes an event on.
    package func handle(_ event: EventView, at moment: Moment) {
        switch event.type {
        case .playerReady:
            tracker.video.take(event.attributes)
            tracker.sendPlayerReady(at: moment)
        case .playerError: error(event.attributes, at: moment)
        case .custom: custom(event.attributes, at: moment)
        default:
            if isInSession {
                handlePlayback(event, at: moment)
            }
        }
    }

    private func handlePlayback(_ event: EventView, at moment: Moment) {
        switch event.type {
        case .videoLoad:
            tracker.video.take(event.attributes)
            tracker.sendRequest(at: moment)
        case .metadataChange: tracker.video.take(event.attributes)
        case .play: play(at: moment)
        case .firstFrame:
            isFrameShown = true
            if wantsPlayback { tracker.sendStart(at: moment) }
        case .pause:
            wantsPlayback = false
            tracker.sendPause(at: moment)
        case .seekStart: tracker.sendSeekStart(at: moment)
        case .seekComplete: tracker.sendSeekEnd(at: moment)
        case .bufferStart: tracker.sendBufferStart(at: moment)
        case .bufferComplete: tracker.sendBufferEnd(at: moment)
        case .renditionChange: changeRendition(event.attributes, at: moment)
        case .complete, .videoUnload: end(at: moment)
        default: break
        }
    }

    /// After its end, playing again is a new view of what is on screen already.
    private func play(at moment: Moment) {
        wantsPlayback = true
        tracker.sendRequest(at: moment)
        if isFrameShown { tracker.sendStart(at: moment) }
        tracker.sendResume(at: moment)
    }

    /// As the vendor's binding for AVPlayer does, closes what is open, so that each beginning has its end.
    private func end(at moment: Moment) {
        wantsPlayback = false
        tracker.sendBufferEnd(at: moment)
        tracker.sendSeekEnd(at: moment)
        tracker.sendResume(at: moment)
        tracker.sendEnd(at: moment)
    }

    private func changeRendition(_ attributes: AttributeList, at moment: Moment) {
        if let phase = attributes[.renditionPhase]?.string, !(phase == "visible") { return }
        let old = tracker.rendition
        let new = Rendition(attributes)
        tracker.rendition = new
        if let shift = attributes[.renditionShift]?.string.flatMap(RenditionShift.init) {
            tracker.sendRenditionChange(shift, at: moment)
        } else if let old {
            // The first one is what playback began with, and no change.
            tracker.sendRenditionChange(new.shift(from: old), at: moment)
        }
    }

    private func error(_ attributes: AttributeList, at moment: Moment) {
        tracker.sendError(
            message: attributes[.errorMessage]?.string,
            domain: attributes[.errorDomain]?.string,
            code: attributes[.errorCode]?.int,
            at: moment
        )
    }

    private func custom(_ attributes: AttributeList, at moment: Moment) {
        // The name of an action is at most as long as that of an attribute; without one there is no action.
        guard let name = attributes[.customName]?.string, (1...Limits.nameBytes).contains(name.count) else { return }
        tracker.sendEvent(name, attributes, at: moment)
    }
}
