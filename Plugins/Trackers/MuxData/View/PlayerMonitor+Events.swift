internal import PluginABI
internal import PluginKit

// What each player event means.
extension PlayerMonitor {
    /// Handles an event of the player.
    func handle(_ event: EventView, _ type: UInt32, at moment: Moment) {
        enter(moment)
        if type == TALLY_EVENT_TYPE_SYSTEM_SUSPENDED {
            return sleep(event.attributes[.stepMicroseconds]?.int ?? 0, at: moment)
        }
        let isSilenceOver = isViewOpen && now - lastActivity > Self.longestSilence
        lastActivity = now
        if type == TALLY_EVENT_TYPE_VIDEO_LOAD {
            return load(event.attributes, at: moment)
        }
        let before = lastPlayhead
        look(moment)
        if isSilenceOver { renewView(moment, following: type) }
        if type == TALLY_EVENT_TYPE_PLAYHEAD_SAMPLE {
            if event.attributes.count > 0 { takeCustoms(event.attributes) }
            bring(moment)
            return sample(moment, movedBy: (lastPlayhead ?? 0) - (before ?? lastPlayhead ?? 0))
        }
        handleOther(event, type, at: moment)
    }

    /// Takes over the state and says what changed in it.
    func bring(_ moment: Moment, forced: FieldSet = []) {
        let change = readState(moment)
        sayChangedData(forced: forced)
        say(change)
    }

    private func handleOther(_ event: EventView, _ type: UInt32, at moment: Moment) {
        let attributes = event.attributes
        switch type {
        case TALLY_EVENT_TYPE_RENDITION_CHANGE:
            takeCustoms(attributes)
            let isNew = takeRendition(attributes)
            bring(moment, forced: isNew ? Self.renditionFields : [])
            if isNew { changeRendition() }
            return
        case TALLY_EVENT_TYPE_PLAYER_READY: take(attributes)
        case TALLY_EVENT_TYPE_METADATA_CHANGE: return changeMetadata(attributes, at: moment)
        case TALLY_EVENT_TYPE_CUSTOM: return custom(attributes, at: moment)
        case TALLY_EVENT_TYPE_REQUEST_COMPLETED, TALLY_EVENT_TYPE_REQUEST_FAILED, TALLY_EVENT_TYPE_REQUEST_CANCELLED:
            break
        default: takeCustoms(attributes)
        }
        bring(moment)
        switch type {
        case TALLY_EVENT_TYPE_VIDEO_UNLOAD: unload()
        case TALLY_EVENT_TYPE_REQUEST_COMPLETED: requestCompleted(attributes)
        case TALLY_EVENT_TYPE_REQUEST_FAILED: requestFailed(attributes)
        case TALLY_EVENT_TYPE_REQUEST_CANCELLED: requestCancelled(attributes)
        case TALLY_EVENT_TYPE_PLAYER_ERROR: error(attributes)
        default: handlePlayback(attributes, type, at: moment)
        }
    }

    private func handlePlayback(_ attributes: AttributeList, _ type: UInt32, at moment: Moment) {
        switch type {
        case TALLY_EVENT_TYPE_PLAY: play(moment)
        case TALLY_EVENT_TYPE_FIRST_FRAME: firstFrame(moment)
        case TALLY_EVENT_TYPE_PAUSE: pause()
        case TALLY_EVENT_TYPE_COMPLETE: complete()
        case TALLY_EVENT_TYPE_SEEK_START: seekStart()
        case TALLY_EVENT_TYPE_SEEK_COMPLETE: seekComplete(moment)
        case TALLY_EVENT_TYPE_BUFFER_START: bufferStart()
        case TALLY_EVENT_TYPE_BUFFER_COMPLETE: bufferComplete(moment)
        case TALLY_EVENT_TYPE_AD_BREAK_START: adBreakStart(attributes, moment)
        case TALLY_EVENT_TYPE_AD_BREAK_COMPLETE: adBreakComplete(moment)
        case TALLY_EVENT_TYPE_AD_START: adStart(attributes, moment)
        case TALLY_EVENT_TYPE_AD_COMPLETE: adComplete(moment)
        case TALLY_EVENT_TYPE_AD_SKIP: adSkip(moment)
        case TALLY_EVENT_TYPE_AD_CLICK: adClick()
        case TALLY_EVENT_TYPE_AD_QUARTILE: adQuartile(attributes[.adQuartile]?.int ?? 0)
        case TALLY_EVENT_TYPE_AD_ERROR: adError(moment)
        default: break
        }
    }
}
