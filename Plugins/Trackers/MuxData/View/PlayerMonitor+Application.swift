internal import PluginABI
internal import PluginKit

// What applications and the machine tell: events under Mux's own names, a sleep of the machine.
extension PlayerMonitor {
    /// An event of the application's own; one with a name of Mux's is that event.
    func custom(_ attributes: AttributeList, at moment: Moment) {
        guard let name = attributes[.customName]?.string else { return bring(moment) }
        if name == "programchange" {
            bring(moment)
            return changeProgram(attributes, at: moment)
        }
        guard let event = MuxEvent(rawValue: name.string), event.isApplications, isViewOpen else {
            return bring(moment)
        }
        let cdn = fields[.videoCdn]
        let isOfAds = event == .adrequest || event == .adresponse || event == .adimpression
        // By their names, since some of Mux's are well-known names of the data model as well.
        for attribute in attributes {
            takeCustom(attribute, of: isOfAds ? .ad : .detail)
        }
        takeDetails(event, attributes, cdn)
        bring(moment)
        if event == .orientationchange { takeScalingSample() }
        emit(event)
        fields.remove(Self.detailFields)
        if !isInBreak { fields.remove(Self.adFields) }
    }

    private static let detailFields = FieldSet(groups: [.detail])

    private func takeDetails(_ event: MuxEvent, _ attributes: AttributeList, _ cdn: FieldValue) {
        switch event {
        case .orientationchange:
            guard let orientation = attributes["orientation"]?.string else { return }
            fields.set(.viewerDeviceOrientationX, 0)
            fields.set(.viewerDeviceOrientationY, 0)
            fields.set(.viewerDeviceOrientationZ, orientation == "portrait" ? 90 : 0)
        case .cdnchange: fields.set(.videoPreviousCdn, cdn)
        case .adrequest: metrics.ads.requested(requestID, at: now, isPreroll: isPreroll)
        case .adresponse: metrics.ads.answered(requestID, at: now, isPreroll: isPreroll)
        default: break
        }
    }

    private var requestID: String? {
        if case .text(let id) = fields[.adRequestId] { id } else { nil }
    }

    /// What is known of the video changed; another delivery network is an event of its own.
    func changeMetadata(_ attributes: AttributeList, at moment: Moment) {
        let cdn = fields[.videoCdn]
        take(attributes)
        bring(moment)
        guard metrics.startedAt != nil, cdn != .absent, fields[.videoCdn] != cdn else { return }
        fields.set(.videoPreviousCdn, cdn)
        emit(.cdnchange)
        fields.remove(.videoPreviousCdn)
    }

    /// The machine slept for a length of us: the time is no watched time.
    func sleep(_ length: Int64, at moment: Moment) {
        guard length > Self.shortestSleep else { return }
        now = moment.viewerTime - length / 1000
        count()
        endRebuffer()
        closeScalingSample()
        let wasRunning = clock.isRunning
        clock.stop()
        emit(.devicesleep)
        now = moment.viewerTime
        count()
        if wasRunning { clock.start() }
        detector.expect(from: lastPlayhead, at: now)
        emit(.devicewake)
    }

    /// The machine has to sleep longer than this to be told of, us.
    static let shortestSleep: Int64 = 30_000_000

    /// Brings Mux to where playback stands: the tracker joined a session that is going on.
    func join(_ attributes: AttributeList, at moment: Moment) {
        let player = moment.player
        isFrameShown = player.has(TALLY_STATE_STARTED)
        isBuffering = player.has(TALLY_STATE_BUFFERING)
        isPauseTold = player.has(TALLY_STATE_PAUSED)
        hasEnded = player.has(TALLY_STATE_ENDED)
        lastPlayhead = player.reportedPlayheadMilliseconds
        guard !hasEnded else { return }
        isWanted = player.has(TALLY_STATE_PLAYING)
        if player.has(TALLY_STATE_IN_AD_BREAK) {
            adBreakStart(attributes, moment)
            if player.has(TALLY_STATE_IN_AD) { adStart(attributes, moment) }
        } else if isWanted {
            sendPlay(moment)
            if player.has(TALLY_STATE_SEEKING) { seekStart() } else { resolvePlaying(moment) }
        } else if player.has(TALLY_STATE_SEEKING) {
            seekStart()
        }
    }

    /// The identifiers as they are now.
    var identifiers: JSONValue {
        var members: JSONObject = ["player": .string(name)]
        for field in [Field.muxViewerId, .viewerUserId, .playerInstanceId, .viewId] {
            guard case .text(let text) = fields[field], field != .viewId || isViewOpen else { continue }
            members[FieldDefinition.all[Int(field.rawValue)].name.string] = .string(text)
        }
        return .object(members)
    }
}
