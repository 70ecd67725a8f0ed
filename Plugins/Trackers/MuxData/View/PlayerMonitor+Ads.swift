internal import PluginKit

// Ad breaks and ads; the content's pause before a break and its play after it are derived, as players do not say them.
extension PlayerMonitor {
    /// Whether an ad now comes before the content: none of it has been seen, or a second at most.
    var isPreroll: Bool { metrics.contentMoved <= 1000 && !hasEnded }

    /// A break begins.
    func adBreakStart(_ attributes: AttributeList, _ moment: Moment, isDerived: Bool = false) {
        guard !isInBreak else { return }
        if phase != .paused { sendPause() }
        ensureView(moment)
        startView()
        isInBreak = true
        isBreakDerived = isDerived
        isAdPaused = false
        takeBreakType(attributes)
        metrics.ads.breakStarted(at: now)
        clock.start()
        emit(.adbreakstart)
    }

    /// An ad begins; outside a break it is a break of its own.
    func adStart(_ attributes: AttributeList, _ moment: Moment) {
        if isAdOpen { endAd(.adended) }
        if !isInBreak { adBreakStart(attributes, moment, isDerived: true) }
        takeBreakType(attributes)
        takeAd(attributes)
        isAdOpen = true
        isAdPaused = false
        lastQuartile = 0
        metrics.ads.played += 1
        clock.start()
        emit(.adplay)
        sayAdPlaying()
    }

    private func sayAdPlaying() {
        if isPreroll {
            metrics.isPrerollPlayed = true
            metrics.ads.prerollPlays(at: now)
            if metrics.timeToFirstFrame == nil { metrics.timeToFirstFrame = clock.total }
        }
        emit(.adplaying)
    }

    /// A quarter of the ad was shown; quarters come in their order, each once.
    func adQuartile(_ number: Int64) {
        guard isAdOpen, number > lastQuartile else { return }
        switch number {
        case 1: emit(.adfirstquartile)
        case 2: emit(.admidpoint)
        case 3: emit(.adthirdquartile)
        default: return
        }
        lastQuartile = number
    }

    /// The viewer clicked on the ad.
    func adClick() {
        guard isAdOpen else { return }
        metrics.ads.clicked += 1
        emit(.adclicked)
    }

    /// The ad has played to its end.
    func adComplete(_ moment: Moment) {
        guard isAdOpen else { return }
        endAd(.adended)
        endDerivedBreak(moment)
    }

    /// The viewer skipped the ad.
    func adSkip(_ moment: Moment) {
        guard isAdOpen else { return }
        metrics.ads.skipped += 1
        emit(.adskipped)
        endAd(.adended)
        endDerivedBreak(moment)
    }

    /// An ad, a break or a request for ads failed; an ad that plays is over with it.
    func adError(_ moment: Moment) {
        endAd(.aderror)
        endDerivedBreak(moment)
    }

    /// The break is over: the content goes on, if the viewer wants it.
    func adBreakComplete(_ moment: Moment) {
        guard isInBreak else { return }
        if isAdOpen { endAd(.adended) }
        isInBreak = false
        isAdPaused = false
        clock.stop()
        emit(.adbreakend)
        fields.remove(Self.adFields)
        guard isWanted, !hasEnded else { return }
        sendPlay(moment)
        resolvePlaying(moment)
    }

    /// The viewer paused the ad.
    func pauseAd() {
        guard isAdOpen, !isAdPaused else { return }
        isAdPaused = true
        clock.stop()
        emit(.adpause)
    }

    /// The viewer let the ad go on.
    func resumeAd() {
        guard isAdOpen, isAdPaused else { return }
        isAdPaused = false
        startView()
        clock.start()
        emit(.adplay)
        emit(.adplaying)
    }

    private func endAd(_ event: MuxEvent) {
        if isInBreak { clock.stop() }
        isAdOpen = false
        isAdPaused = false
        emit(event)
        guard isInBreak else { return }
        fields.remove(Self.fieldsOfOneAd)
    }

    private func endDerivedBreak(_ moment: Moment) {
        if isBreakDerived { adBreakComplete(moment) }
    }

    private func takeBreakType(_ attributes: AttributeList) {
        switch attributes[.adBreakType]?.string {
        case .some(let type) where type == "pre": fields.set(.adType, "preroll")
        case .some(let type) where type == "mid": fields.set(.adType, "midroll")
        case .some(let type) where type == "post": fields.set(.adType, "postroll")
        default:
            guard !fields.present.contains(.adType) else { return }
            fields.set(.adType, hasEnded ? "postroll" : isPreroll ? "preroll" : "midroll")
        }
    }

    private func takeAd(_ attributes: AttributeList) {
        take(.adId, attributes[.adID])
        take(.adAssetUrl, attributes[.adURL])
        take(.adTagUrl, attributes[.adTagURL])
        take(.adCreativeId, attributes[.adCreativeID])
        take(.adUniversalId, attributes[.adUniversalID])
    }

    /// AdData.
    static let adFields = FieldSet(groups: [.ad])
    private static let fieldsOfOneAd: FieldSet = [.adId, .adAssetUrl, .adTagUrl, .adCreativeId, .adUniversalId]
}
