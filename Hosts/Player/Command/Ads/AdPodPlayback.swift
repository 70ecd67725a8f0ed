internal import Advertising
internal import HostSupport
internal import PlaybackEngine
internal import Streaming
internal import Tally

/// Plays a break's ads one after another and tells their course; used on the thread of the main content's engine.
final class AdPodPlayback {
    private var pod: AdPod
    private let adBreak: AdBreakClock.Due
    private let tracking: PlaybackTracking
    private let beacons: AdBeacons
    private let moments: AdMoments
    private let configuration: EngineConfiguration
    private var index = 0
    /// How many ads were begun.
    private var startedCount = 0
    private var current: AdPlayback?
    private var isStalled = false
    /// The ad that was begun once more, as the engine had crashed with it.
    private var triedAgain: Int?
    /// The ad that was told to be loaded last.
    private var toldLoaded: Int?
    private var isMuted: Bool
    private var isFullscreen: Bool
    /// How much was shown of the ads that are over.
    private(set) var shownMs: Int64 = 0
    /// Engines of ads that are over and that may not have released everything.
    private var closing: [AdPlayback] = []

    init(
        _ pod: AdPod,
        _ adBreak: AdBreakClock.Due,
        tracking: PlaybackTracking,
        beacons: AdBeacons,
        moments: AdMoments,
        configuration: EngineConfiguration
    ) {
        self.pod = pod
        self.adBreak = adBreak
        self.tracking = tracking
        self.beacons = beacons
        self.moments = moments
        self.configuration = configuration
        (isMuted, isFullscreen) = tracking.snapshot.with { ($0.isMuted, $0.isFullscreen ?? false) }
    }

    private func moment(_ use: AdMoment.Use = .tracking) -> AdMoment { withAd(moments.moment(use, in: scheduled)) }

    /// The moment with what is known of the ad that is played.
    private func withAd(_ known: AdMoment) -> AdMoment {
        var moment = known
        moment.ad = current?.ad
        moment.adMs = current?.positionMs ?? 0
        moment.adCount = startedCount
        return moment
    }

    private var scheduled: ScheduledBreak { adBreak.scheduled }

    private var breakType: String { scheduled.type }

    func start() {
        let (durationMs, playheadMs) = tracking.snapshot.with { ($0.media?.durationMs, $0.playheadMs ?? 0) }
        let info = AdSnapshot.Break(
            id: scheduled.id,
            position: adBreak.position,
            startMs: scheduled.startMs(ofDuration: durationMs, playheadMs: playheadMs),
            type: breakType
        )
        tracking.adBreakStarted(info)
        tracking.notes.say("ad break: \(pod.ads.count) in a \(breakType)-roll")
        beacons.send(scheduled.tracking["breakStart"] ?? [], moment())
        for failure in pod.failures { adFailed(failure) }
        startAd()
    }

    /// Takes what happened since the last look; true when the break is over.
    func tick() -> Bool {
        closing.removeAll(where: \.isReleased)
        while let playing = current {
            let reports = playing.removeReports()
            // An ad's first picture and its form come at once: the ad starts with both.
            for case .renditionVisible(let visible) in reports.map(\.event) { show(visible, of: playing) }
            for report in reports where current === playing { handle(report, playing) }
            guard current === playing else { continue }
            if playing.isStarted, let positionMs = playing.positionMs {
                tracking.snapshot.with { $0.ad?.playheadMs = positionMs }
                report(playing.course.moved(toMs: positionMs))
                let limitUs = scheduled.interstitial?.playoutLimitUs
                if let limitUs, shownMs + positionMs >= limitUs / 1000 {
                    leave()
                    continue
                }
            }
            return false
        }
        return true
    }

    func finish() {
        tracking.adBreakEnded()
        beacons.send(scheduled.tracking["breakEnd"] ?? [], moment())
    }

    /// Stops what is played; nothing is told.
    func stop() {
        current.map(close)
        current = nil
        index = pod.ads.count
    }

    var isReleased: Bool { current == nil && closing.allSatisfy(\.isReleased) }
    func waitUntilStopped() { for playback in closing { playback.engine.waitUntilStopped() } }

    func pause() {
        current?.engine.send(.pause)
        send("pause")
    }

    func play() {
        current?.engine.send(.play)
        send("resume")
    }

    func set(volume: Double, isMuted: Bool) {
        current?.set(volume: volume, isMuted: isMuted)
        guard isMuted != self.isMuted else { return }
        self.isMuted = isMuted
        send(isMuted ? "mute" : "unmute")
    }

    /// The picture fills the screen, or no longer: what VAST 4.1 calls expanding the player.
    func set(isFullscreen: Bool) {
        guard isFullscreen != self.isFullscreen else { return }
        self.isFullscreen = isFullscreen
        for event in isFullscreen ? ["fullscreen", "playerExpand"] : ["exitFullscreen", "playerCollapse"] {
            send(event)
        }
    }

    /// The viewer leaves the ad and all that is behind it.
    func close() { if current?.isStarted == true { send("closeLinear") } }

    func skip() -> ControlReply {
        guard let current, current.isStarted else { return .failure(.unavailable, "there is no ad to skip") }
        guard let waitMs = current.course.msUntilSkippable else {
            return .failure(.refused, "this ad cannot be skipped")
        }
        guard waitMs == 0 else { return .failure(.refused, "this ad can be skipped in \(waitMs) ms") }
        tracking.track(tracking.run.trackAdSkip())
        send("skip")
        tracking.notes.say("the ad is skipped")
        nextAd()
        return .done("the ad is skipped")
    }

    func click() -> ControlReply {
        guard let current, current.isStarted else { return .failure(.unavailable, "there is no ad to click on") }
        tracking.track(tracking.run.trackAdClick())
        beacons.send(current.ad.tracking.clicks, moment(.click))
        let note = "the click leads to \(current.ad.clickThrough ?? "nowhere")"
        tracking.notes.say(note)
        return .done(note)
    }

    private func startAd() {
        guard index < pod.ads.count else { return }
        let ad = pod.ads[index]
        let sound = tracking.snapshot.with { ($0.volume, $0.isMuted) }
        isStalled = false
        let playback = AdPlayback(ad, configuration, on: tracking.platform, volume: sound.0, isMuted: sound.1)
        current = playback
        if tracking.wantsPlaying { playback.engine.send(.play) }
    }

    /// Leaves the break in the middle of an ad, as it lasts no longer.
    private func leave() {
        tracking.track(tracking.run.trackAdSkip())
        index = pod.ads.count - 1
        nextAd()
    }

    private func nextAd() {
        shownMs += current?.positionMs ?? 0
        current.map(close)
        current = nil
        tracking.adLeft()
        index += 1
        startAd()
    }

    private func close(_ playback: AdPlayback) {
        playback.engine.send(.stop)
        closing.append(playback)
    }

    private func handle(_ report: EngineReport, _ playing: AdPlayback) {
        switch report.event {
        case .loaded(let media):
            if let durationMs = media.durationMs {
                playing.durationMs = durationMs
                playing.course.measured(durationMs: durationMs)
            }
            guard toldLoaded != index else { return }
            toldLoaded = index
            send("loaded")
        case .playing: showStart(of: playing)
        case .playheadSample(let positionMs):
            tracking.snapshot.with { $0.ad?.playheadMs = positionMs }
            tracking.track(tracking.run.trackPlayhead())
        case .bufferingStarted(let cause) where cause.isStall && playing.isStarted && tracking.wantsPlaying:
            isStalled = true
            tracking.track(tracking.run.trackBufferStart(cause == .frozen ? .frozen : .stall))
        case .bufferingCompleted where isStalled:
            isStalled = false
            tracking.track(tracking.run.trackBufferComplete())
        case .endOfStream: complete(playing)
        case .failed(let error) where error.code == .engineCrashed && !playing.isStarted && triedAgain != index:
            // GStreamer 1.22 now and then crashes as it begins with a stream that it plays the next time.
            triedAgain = index
            close(playing)
            startAd()
        case .failed(let error): fail(error, playing)
        default: break
        }
    }

    /// An ad starts when it moves, or without a picture with its sound: a still picture is no impression yet.
    private func showStart(of playing: AdPlayback) {
        guard !playing.isStarted else { return }
        playing.isStarted = true
        startedCount += 1
        let (ad, durationMs) = (playing.ad, playing.durationMs)
        let shown = AdSnapshot.Ad(
            id: ad.id,
            document: ad,
            position: index + 1,
            durationMs: durationMs,
            rendition: playing.rendition
        )
        tracking.adStarted(shown, playheadMs: playing.positionMs ?? 0)
        tracking.notes.say("ad \(index + 1) of \(pod.ads.count): \(ad.title ?? ad.id ?? "no title")")
        begin(ad)
    }

    /// Tells all who want to hear of the ad's first picture.
    private func begin(_ ad: LinearAd) {
        // Code that verifies is executed before the ad, or never.
        beacons.send(ad.tracking.unverified, moment(.notVerified(reason: 2)))
        if ad.isInteractive {
            let use = AdMoment.Use.error(vast: 409, vmap: 1005, message: "the interactive file is not executed")
            beacons.send(ad.tracking.errors, moment(use))
        }
        beacons.send(ad.tracking.impressions, moment())
        if ad.type != "audio" { beacons.send(ad.tracking.undetermined, moment()) }
        send("creativeView")
        send("start")
    }

    /// Knows what is on screen of an ad; what it has not started with is a sample of its own.
    private func show(_ visible: StreamRendition, of playing: AdPlayback) {
        let last = playing.rendition
        playing.show(visible)
        guard playing.isStarted, playing.rendition != last else { return }
        tracking.snapshot.with { $0.ad?.ad?.rendition = playing.rendition }
        tracking.track(tracking.run.trackQoSUpdateInfo())
    }

    private func complete(_ playing: AdPlayback) {
        showStart(of: playing)
        if let endMs = playing.durationMs ?? playing.positionMs { tracking.adEnds(atMs: endMs) }
        report(playing.course.ended())
        tracking.track(tracking.run.trackAdComplete())
        send("complete")
        nextAd()
    }

    private func fail(_ error: EngineError, _ playing: AdPlayback) {
        adFailed(AdFailure(error, of: playing.ad))
        // An ad that began and is not shown to its end was left.
        if playing.isStarted {
            tracking.track(tracking.run.trackAdSkip())
        } else if pod.replaceAd(at: index) {
            index -= 1
        }
        nextAd()
    }

    private func report(_ milestones: [AdCourse.Milestone]) {
        for milestone in milestones {
            switch milestone {
            case .quartile(let number):
                tracking.adReached(quartile: number)
                send(["firstQuartile", "midpoint", "thirdQuartile"][number - 1])
            case .progress(let url): beacons.send([url], moment())
            }
        }
    }

    private func adFailed(_ failure: AdFailure) {
        tracking.adFailed(failure, beacons, withAd(moments.moment(of: failure, in: scheduled)))
    }

    private func send(_ event: String) {
        if let urls = current?.ad.tracking.events[event] { beacons.send(urls, moment()) }
    }
}

extension PlaybackTracking {
    /// The most addresses that are named.
    private static let unusableLimit = 20

    /// Tells which addresses of ad documents cannot be used.
    func warn(ofUnusable addresses: [String]) {
        for address in addresses.prefix(Self.unusableLimit) { notes.warn("not a usable address: \(address)") }
        let others = addresses.count - Self.unusableLimit
        if others > 0 { notes.warn("\(others) further addresses of the ad documents cannot be used") }
    }

    /// Tells that an ad, its break or its document failed.
    func adFailed(_ failure: AdFailure, _ beacons: AdBeacons, _ moment: AdMoment) {
        figures.with { $0.adErrors += 1 }
        track(run.trackAdError(failure.code.rawValue, PlayerErrorDetails(failure)))
        notes.warn(failure.message)
        beacons.send(failure.errorURLs, moment)
    }
}
