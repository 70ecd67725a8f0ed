internal import PluginABI
package import PluginKit

/// What is measured now, and its playheads.
extension PlayerBinding {
    /// Brings the measurement to where the player stands.
    func update(at moment: Moment) {
        let wanted = activity(moment.player)
        guard wanted != running else { return }
        hold(at: moment)
        switch wanted {
        case .nothing: return
        case .content: guard loadContent(at: moment) else { return }
        case .ad: guard isAdAccepted else { return }
        }
        running = wanted
        resume(at: moment)
    }

    /// What plays, when nothing withholds its playhead.
    private func activity(_ player: PlayerState) -> Activity {
        guard isInSession, !isInterrupted(player) else { return .nothing }
        let withholding = TALLY_STATE_PAUSED | TALLY_STATE_BUFFERING | TALLY_STATE_SEEKING
        guard !player.hasAny(withholding) else { return .nothing }
        if isAdOpen { return .ad }
        guard !player.hasAny(TALLY_STATE_IN_AD_BREAK | TALLY_STATE_IN_AD) else { return .nothing }
        guard isBegun, isStarted, !isAfterPostroll, !isEnded else { return .nothing }
        return player.has(TALLY_STATE_PLAYING) ? .content : .nothing
    }

    /// Withholds the playhead.
    ///
    /// An event comes before the timer of the same microsecond: a second that is over then was played in full.
    func hold(at moment: Moment) {
        guard running != .nothing else { return }
        if cadence.rest(at: moment.time) == 0 {
            countSecond(of: running, at: moment)
            cadence.start(at: moment.time)
        }
        cadence.hold(at: moment.time)
        running = .nothing
    }

    /// Reports where the asset stands and goes on once a second; after buffering, goes on in the second that was held.
    private func resume(at moment: Moment) {
        guard !cadence.goOn(at: moment.time) else { return }
        let start = startPosition(at: moment)
        if start != lastPosition || isStopped { report(start, isCredited: false, at: moment) }
        cadence.start(at: moment.time)
    }

    /// Where the first playhead of a viewing session, or the one after a seek, stands.
    private func startPosition(at moment: Moment) -> Int64 {
        if running == .ad {
            // An ad has a position of its own from 0 (inferred), which goes on after a pause.
            return lastPosition ?? 0
        }
        return position.seconds(at: moment) ?? lastPosition ?? 0
    }

    private func report(_ seconds: Int64, isCredited: Bool, at moment: Moment) {
        isStopped = false
        lastPosition = seconds
        api.playheadPosition(seconds, isCredited: isCredited, at: moment)
    }

    /// A timer has fired: one second of playback is over, or a sleep.
    package func timerFired(_ timer: TimerID, at moment: Moment) {
        if timer == wake {
            wake = nil
            return update(at: moment)
        }
        guard cadence.fires(timer, at: moment.time) else { return }
        countSecond(of: running, at: moment)
    }

    /// Reports the position that a second of playback has led to.
    private func countSecond(of activity: Activity, at moment: Moment) {
        let last = lastPosition ?? 0
        switch activity {
        case .nothing: break
        case .ad: report(last + 1, isCredited: true, at: moment)
        case .content:
            if let next = position.next(after: last, at: moment) {
                report(next.seconds, isCredited: next.isCredited, at: moment)
            }
        }
    }

    /// `stop`, unless measurement stands already.
    func stop(at moment: Moment) {
        hold(at: moment)
        let isMeasured = loaded == .content && contentState == .accepted || loaded == .ad && isAdAccepted
        guard !isStopped, isMeasured else { return }
        api.stop(at: moment)
        isStopped = true
        cadence.reset()
    }

    /// `loadMetadata` for the content, unless playheads belong to it already; false when it is not measured.
    ///
    /// What was refused is handed over again when it has changed, for example because the length is known now.
    func loadContent(at moment: Moment) -> Bool {
        if contentState == .refused {
            guard description.content(moment.player) != loadedContent else { return false }
            contentState = .notLoaded
        }
        guard loaded != .content || contentState == .notLoaded else { return true }
        if contentState == .notLoaded {
            loadedContent = description.content(moment.player)
            seenContent = loadedContent
        }
        let isLinear = description.isLinear
        let isAccepted = api.loadMetadata(loadedContent, for: .content, isLinear: isLinear, at: moment)
        contentState = isAccepted ? .accepted : .refused
        loaded = isAccepted ? .content : .nothing
        beginAsset()
        return isAccepted
    }

    // MARK: - Ads

    /// An ad begins: `loadMetadata`, for the content first when that was not loaded yet.
    func adStart(_ attributes: AttributeList, _ extra: MetadataAttributes, at moment: Moment) {
        closeAd(at: moment)
        if !isEnded {
            begin()
            if contentState == .notLoaded { _ = loadContent(at: moment) }
        }
        hold(at: moment)
        let metadata = description.ad(attributes, extra)
        isAdOpen = true
        isPostroll = metadata["type"]?.string == AssetMetadata.Kind.postroll.rawValue
        isAdAccepted = api.loadMetadata(metadata, for: .ad, at: moment)
        loaded = .ad
        beginAsset()
    }

    /// What is loaded has no position yet.
    private func beginAsset() {
        isStopped = false
        lastPosition = nil
        cadence.reset()
    }

    /// An ad was played to its end: its last second counts, also when it was told a little early.
    func completeAd(at moment: Moment) {
        if isAdOpen, isAdAccepted, let rest = cadence.rest(at: moment.time), rest <= Self.earlyEnd {
            countSecond(of: .ad, at: moment)
            cadence.reset()
        }
        closeAd(at: moment)
    }

    /// Time by which an ad may end before its last second is over, us: players and creatives count in frames.
    private static let earlyEnd: Int64 = 50_000

    /// The ad is over: `stop`; the content is loaded again when it plays on.
    func closeAd(at moment: Moment) {
        guard isAdOpen else { return }
        stop(at: moment)
        isAdOpen = false
        isAdAccepted = false
        if isPostroll {
            // Nothing need follow but the end: that the content is told to play does not show that it does.
            isAfterPostroll = true
            firstPlayhead = nil
        }
        if endsAfterAd { endContent(at: moment) }
    }

    // MARK: - Interruptions

    /// Whether something outside the player withholds the playhead.
    private func isInterrupted(_ player: PlayerState) -> Bool {
        let isAudioOnly = player.isAudioOnly
        if isInBackground, !isAudioOnly { return true }
        return interruption?.stops(audioOnly: isAudioOnly) ?? false
    }

    /// An interruption begins: `stop` at once.
    func interrupt(_ interruption: Interruption, at moment: Moment) {
        self.interruption = interruption
        stopIfInterrupted(at: moment)
    }

    /// The interruption is over: playheads go on, for a new viewing session.
    func endInterruption(at moment: Moment) {
        let ended = interruption
        interruption = nil
        if ended == .channelChange { changeChannel(at: moment) }
        update(at: moment)
    }

    /// The application went to the background or came back.
    func setBackground(_ isInBackground: Bool, at moment: Moment) {
        self.isInBackground = isInBackground
        stopIfInterrupted(at: moment)
        update(at: moment)
    }

    /// The machine sleeps from now on for a length, us: `stop`, and playheads from its end on.
    ///
    /// What happens at the very end of the sleep comes before the timer, and finds out itself what plays.
    func suspend(for length: Int64, at moment: Moment) {
        guard (1..<1 << 53).contains(length) else { return }
        stop(at: moment)
        wake.map(host.cancel)
        wake = host.startTimer(at: moment.time + length)
    }

    private func stopIfInterrupted(at moment: Moment) {
        if isInterrupted(moment.player) { stop(at: moment) }
    }

    /// Back from another channel: another asset when channel or asset id are others, else the same one goes on.
    private func changeChannel(at moment: Moment) {
        guard isInSession, isBegun, !isEnded else { return }
        let content = description.content(moment.player)
        let isOther =
            description.channelName != seenChannel
            || contentState == .accepted && content["assetid"] != loadedContent["assetid"]
        guard isOther else { return }
        closeAd(at: moment)
        endContent(at: moment)
        forgetContent()
        if moment.player.has(TALLY_STATE_PLAYING) { begin() }
    }
}
