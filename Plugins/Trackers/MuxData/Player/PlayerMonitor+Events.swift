internal import PluginABI
internal import PluginKit

// What each player event means.
extension PlayerMonitor {
    /// Events after so much silence belong to another view, ms.
    private static let longestSilence: Int64 = 3_600_000

    mutating func handle(_ event: EventView, _ type: UInt32, at moment: Moment) {
        enter(moment)
        if type == TALLY_EVENT_TYPE_SYSTEM_SUSPENDED {
            let length = event.attributes[.stepMicroseconds]?.int ?? 0
            return isSleepToldAtEnd ? wake(after: length) : sleep(for: length)
        }
        let isSilenceOver = isViewOpen && now - lastActivity > Self.longestSilence
        lastActivity = now
        if type == TALLY_EVENT_TYPE_VIDEO_LOAD { return load(event.attributes, at: moment) }
        measure(moment)
        if isSilenceOver { renewView(moment, following: type) }
        if type == TALLY_EVENT_TYPE_PLAYHEAD_SAMPLE {
            data.readCustoms(event.attributes, isLive: player.isLive, &fields)
            readState(moment)
            return sample(moment)
        }
        handleOther(event, type, at: moment)
    }

    /// Reads the player's state and says what changed in it.
    mutating func readState(_ moment: Moment) {
        let change = readQuietly(moment)
        sayChangedData()
        say(change)
    }

    /// Says what changed in the player's state that is an event of its own.
    private mutating func say(_ change: PlayerData.Change) {
        guard metrics.startedAt != nil else { return }
        if change.isPlaybackMode { emit(.playbackmodechange) }
        if change.isRate { emit(.ratechange) }
    }

    /// Reads the player's state and says nothing.
    @discardableResult
    mutating func readQuietly(_ moment: Moment) -> PlayerData.Change {
        player.read(
            moment.player,
            &fields,
            earlierDroppedFrames: metrics.earlierDroppedFrames,
            isContentShown: !adBreak.isOpen && !moment.player.hasAny(TALLY_STATE_IN_AD | TALLY_STATE_IN_AD_BREAK),
            decidesMode: !data.isApplied(.playerPlaybackMode)
        )
    }

    /// Says what changed in the data objects, and `forced` fields whether they changed or not.
    mutating func sayChangedData(forced: FieldSet = []) {
        if isViewOpen {
            data.sayChanges(&fields, forced: forced, output.records)
        } else {
            fields.changedForData = []
        }
    }

    private mutating func handleOther(_ event: EventView, _ type: UInt32, at moment: Moment) {
        let attributes = event.attributes
        switch type {
        case TALLY_EVENT_TYPE_RENDITION_CHANGE: return changeRendition(attributes, at: moment)
        case TALLY_EVENT_TYPE_METADATA_CHANGE: return changeMetadata(attributes, at: moment)
        case TALLY_EVENT_TYPE_CUSTOM: return handleCustom(attributes, at: moment)
        case TALLY_EVENT_TYPE_PLAYER_READY: data.read(attributes, &fields)
        case TALLY_EVENT_TYPE_REQUEST_COMPLETED, TALLY_EVENT_TYPE_REQUEST_FAILED, TALLY_EVENT_TYPE_REQUEST_CANCELLED:
            readState(moment)
            return handleRequest(attributes, type)
        default: data.readCustoms(attributes, isLive: player.isLive, &fields)
        }
        readState(moment)
        switch type {
        case TALLY_EVENT_TYPE_VIDEO_UNLOAD: unload()
        case TALLY_EVENT_TYPE_PLAYER_ERROR: handleError(attributes)
        case TALLY_EVENT_TYPE_PLAY: play(moment)
        case TALLY_EVENT_TYPE_FIRST_FRAME: firstFrame(moment)
        case TALLY_EVENT_TYPE_PAUSE: pause()
        case TALLY_EVENT_TYPE_COMPLETE: complete()
        case TALLY_EVENT_TYPE_SEEK_START: seekStart()
        case TALLY_EVENT_TYPE_SEEK_COMPLETE: seekComplete(moment)
        case TALLY_EVENT_TYPE_BUFFER_START: bufferStart()
        case TALLY_EVENT_TYPE_BUFFER_COMPLETE: bufferComplete(moment)
        default: handleAd(attributes, type, at: moment)
        }
    }

    private mutating func handleAd(_ attributes: AttributeList, _ type: UInt32, at moment: Moment) {
        switch type {
        case TALLY_EVENT_TYPE_AD_BREAK_START: adBreakStart(attributes, moment)
        case TALLY_EVENT_TYPE_AD_BREAK_COMPLETE: adBreakComplete(moment)
        case TALLY_EVENT_TYPE_AD_START: adStart(attributes, moment)
        case TALLY_EVENT_TYPE_AD_COMPLETE: adComplete(moment)
        case TALLY_EVENT_TYPE_AD_SKIP: adSkip(moment)
        case TALLY_EVENT_TYPE_AD_CLICK: adClick()
        case TALLY_EVENT_TYPE_AD_QUARTILE:
            if let event = adBreak.reach(quartile: attributes[.adQuartile]?.int ?? 0) { emit(event) }
        case TALLY_EVENT_TYPE_AD_ERROR: adError(moment)
        default: break
        }
    }

    // MARK: - Renditions, metadata, requests, errors

    /// Says another rendition right after the data event with it; a bitrate has to be known.
    ///
    /// Within a break it waits for the break's end. What else changed with it comes after it.
    private mutating func changeRendition(_ attributes: AttributeList, at moment: Moment) {
        data.readCustoms(attributes, isLive: player.isLive, &fields)
        player.readRendition(attributes)
        guard !adBreak.isOpen, player.showRendition(&fields) else { return readState(moment) }
        let change = readQuietly(moment)
        sayRendition()
        say(change)
    }

    /// Says the rendition that is on screen now, with its data event whether its data changed or not.
    mutating func sayRendition() {
        sayChangedData(forced: PlayerData.renditionFields)
        guard fields.present.contains(.videoSourceBitrate) else { return }
        beginScalingSample()
        emit(.renditionchange)
    }

    /// What is known of the video changed; another delivery network is an event of its own.
    private mutating func changeMetadata(_ attributes: AttributeList, at moment: Moment) {
        let cdn = fields[.videoCdn]
        data.read(attributes, &fields)
        readState(moment)
        guard metrics.startedAt != nil, cdn != .absent, fields[.videoCdn] != cdn else { return }
        fields.set(.videoPreviousCdn, cdn)
        emit(.cdnchange)
        fields.remove(.videoPreviousCdn)
    }

    private mutating func handleRequest(_ attributes: AttributeList, _ type: UInt32) {
        guard isViewOpen else { return }
        RequestReading.read(attributes, at: now, &fields, &data, player)
        switch type {
        case TALLY_EVENT_TYPE_REQUEST_COMPLETED:
            metrics.requests.completed(
                start: fields.int(.requestStart),
                firstByte: fields.int(.requestResponseStart),
                end: now,
                bytes: attributes[.requestBytes]?.int
            )
            emit(.requestcompleted)
        case TALLY_EVENT_TYPE_REQUEST_FAILED:
            metrics.requests.requestFailed()
            RequestReading.readFailure(attributes, &fields)
            emit(.requestfailed)
        default:
            metrics.requests.requestCancelled()
            if !fields.present.contains(.requestCancel) { fields.set(.requestCancel, true) }
            emit(.requestcanceled)
        }
        fields.remove(RequestReading.fields)
    }

    /// The player met an error.
    ///
    /// A fatal one stays in the player data of every later event of the view; only its own event has a warning.
    private mutating func handleError(_ attributes: AttributeList) {
        guard isViewOpen else { return }
        let isFatal = attributes[.errorFatal]?.bool ?? true
        let isBusiness = attributes["player_error_business_exception"]?.bool ?? false
        if isFatal { endStall() }
        var earlier: [FieldValue] = []
        for field in ErrorMeter.fields { earlier.append(fields[field]) }
        ErrorMeter.read(attributes, to: &fields, isFatal: isFatal, isBusiness: isBusiness)
        guard isFatal else {
            emit(.error, isUrgent: false)
            for (field, value) in zip(ErrorMeter.fields, earlier) { fields.set(field, value) }
            return
        }
        metrics.failed(isBusiness: isBusiness)
        closeScalingSample()
        if !adBreak.isOpen { playback.phase = .paused }
        clock.stop()
        emit(.error)
    }

    // MARK: - What applications and the machine tell

    /// An event of the application's own; one with a name of Mux's is that event.
    private mutating func handleCustom(_ attributes: AttributeList, at moment: Moment) {
        guard let name = attributes[.customName]?.string else { return readState(moment) }
        if name == "programchange" {
            readState(moment)
            return changeProgram(attributes, at: moment)
        }
        guard let event = MuxEvent(rawValue: name.string), event.isApplications, isViewOpen else {
            return readState(moment)
        }
        let cdn = fields[.videoCdn]
        let isOfAds = event == .adrequest || event == .adresponse || event == .adimpression
        // By their names, since some of Mux's are well-known names of the data model as well.
        for attribute in attributes { data.readCustom(attribute, of: isOfAds ? .ad : .detail, &fields) }
        readDetails(event, attributes, cdn)
        readState(moment)
        if event == .orientationchange { beginScalingSample() }
        emit(event)
        fields.remove(Self.detailFields)
        if !adBreak.isOpen { fields.remove(AdBreak.fields) }
    }

    private static let detailFields = FieldSet(groups: [.detail])

    private mutating func readDetails(_ event: MuxEvent, _ attributes: AttributeList, _ cdn: FieldValue) {
        switch event {
        case .orientationchange:
            guard let orientation = attributes["orientation"]?.string else { return }
            fields.set(.viewerDeviceOrientationX, 0)
            fields.set(.viewerDeviceOrientationY, 0)
            fields.set(.viewerDeviceOrientationZ, orientation == "portrait" ? 90 : 0)
        case .cdnchange: fields.set(.videoPreviousCdn, cdn)
        case .adrequest: metrics.ads.requested(fields.text(.adRequestId), at: now, isPreroll: isPreroll)
        case .adresponse: metrics.ads.answered(fields.text(.adRequestId), at: now, isPreroll: isPreroll)
        default: break
        }
    }

    /// The machine sleeps from now on for a length, us: it is no time of whatever goes on.
    private mutating func sleep(for length: Int64) {
        guard (1..<1 << 53).contains(length) else { return }
        let isLong = length > Self.shortestSleep
        countWatchedTime()
        if isLong {
            endStall()
            closeScalingSample()
        }
        let wasRunning = clock.isRunning
        clock.stop()
        lastActivity = now
        if isLong { emit(.devicesleep) }
        let start = now
        time += length
        now += length / 1000
        skipTime(now - start)
        if isLong { emit(.devicewake) }
        if wasRunning { clock.start() }
        // After a longer one, what comes next belongs to another view, as after that much silence.
        if now - lastActivity <= Self.longestSilence { lastActivity = now }
    }

    /// The machine has slept for a length, us, as archives of the first rules tell it.
    ///
    /// Timers fell due in the sleep, and what they counted stays counted.
    private mutating func wake(after length: Int64) {
        guard length > Self.shortestSleep else { return }
        let wasRunning = clock.isRunning
        let end = now
        now -= length / 1000
        countWatchedTime()
        endStall()
        closeScalingSample()
        clock.stop()
        emit(.devicesleep)
        now = end
        countWatchedTime()
        if wasRunning { clock.start() }
        detector.expectMovement(at: now)
        emit(.devicewake)
    }

    /// Leaves out a time up to now.
    private mutating func skipTime(_ milliseconds: Int64) {
        countWatchedTime()
        metrics.stalls.skip(milliseconds)
        metrics.seeks.skip(milliseconds)
        detector.skip(milliseconds, until: now)
        output.skip(milliseconds * 1000)
    }

    /// Shorter sleeps are no events, us.
    private static let shortestSleep: Int64 = 30_000_000
}
