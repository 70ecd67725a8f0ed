internal import Advertising
internal import HostSupport
internal import PlaybackEngine
internal import Streaming
internal import Tally

/// Plays a break's ads one after another and tells their course; used on the thread of the main content's engine.
final class AdPodPlayback {
    private let pod: AdPod
    private let adBreak: AdBreakClock.Due
    private let tracking: PlaybackTracking
    private let beacons: AdBeacons
    private let configuration: EngineConfiguration
    private var index = 0
    private var current: AdPlayback?
    private var isStalled = false
    private var isMuted: Bool
    /// How much was shown of the ads that are over.
    private(set) var shownMs: Int64 = 0
    /// Engines of ads that are over and that may not have released everything.
    private var closing: [AdPlayback] = []

    init(
        _ pod: AdPod,
        _ adBreak: AdBreakClock.Due,
        tracking: PlaybackTracking,
        beacons: AdBeacons,
        configuration: EngineConfiguration
    ) {
        self.pod = pod
        self.adBreak = adBreak
        self.tracking = tracking
        self.beacons = beacons
        self.configuration = configuration
        isMuted = tracking.snapshot.with { $0.isMuted }
    }

    private var macros: [String: String] {
        let content = AdClockText.text(milliseconds: tracking.snapshot.with { $0.playheadMs ?? 0 })
        return [
            "CACHEBUSTING": String(Int.random(in: 10_000_000...99_999_999)),
            "TIMESTAMP": AdClockText.now(),
            "CONTENTPLAYHEAD": content, "MEDIAPLAYHEAD": content,
            "ADPLAYHEAD": AdClockText.text(milliseconds: current?.positionMs ?? 0),
            "ASSETURI": current?.ad.location ?? "-1",
            "BREAKPOSITION": ["pre": "1", "mid": "2", "post": "3"][breakType] ?? "-1",
        ]
    }

    private var breakType: String { adBreak.scheduled.type }

    func start() {
        let (durationMs, playheadMs) = tracking.snapshot.with { ($0.media?.durationMs, $0.playheadMs ?? 0) }
        let info = AdSnapshot.Break(
            id: adBreak.scheduled.id,
            position: adBreak.position,
            startMs: adBreak.scheduled.startMs(ofDuration: durationMs, playheadMs: playheadMs),
            type: breakType
        )
        tracking.adBreakStarted(info)
        tracking.notes.say("ad break: \(pod.ads.count) in a \(breakType)-roll")
        beacons.send(adBreak.scheduled.tracking["breakStart"] ?? [], macros)
        for failure in pod.failures { tracking.adFailed(failure, beacons, macros) }
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
                let limitUs = adBreak.scheduled.interstitial?.playoutLimitUs
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
        beacons.send(adBreak.scheduled.tracking["breakEnd"] ?? [], macros)
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
        beacons.send(current.ad.tracking.clicks, macros)
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
        case .failed(let error): fail(error, playing)
        default: break
        }
    }

    /// An ad starts when it moves, or without a picture with its sound: a still picture is no impression yet.
    private func showStart(of playing: AdPlayback) {
        guard !playing.isStarted else { return }
        playing.isStarted = true
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
        beacons.send(ad.tracking.impressions, macros)
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
        tracking.adFailed(AdFailure(error, of: playing.ad), beacons, macros)
        // An ad that began and is not shown to its end was left.
        if playing.isStarted { tracking.track(tracking.run.trackAdSkip()) }
        nextAd()
    }

    private func report(_ milestones: [AdCourse.Milestone]) {
        for milestone in milestones {
            switch milestone {
            case .quartile(let number):
                tracking.adReached(quartile: number)
                send(["firstQuartile", "midpoint", "thirdQuartile"][number - 1])
            case .progress(let url): beacons.send([url], macros)
            }
        }
    }

    private func send(_ event: String) {
        if let urls = current?.ad.tracking.events[event] { beacons.send(urls, macros) }
    }
}

extension PlaybackTracking {
    /// Tells that an ad, its break or its document failed.
    func adFailed(_ failure: AdFailure, _ beacons: AdBeacons, _ macros: [String: String]) {
        figures.with { $0.adErrors += 1 }
        track(run.trackAdError(failure.code.rawValue, PlayerErrorDetails(failure)))
        notes.warn(failure.message)
        beacons.send(failure.errorURLs, macros.merging(["ERRORCODE": String(failure.code.vast)]) { $1 })
    }
}
