internal import Chapters
internal import HostSupport
internal import PlaybackEngine
internal import Tally

/// Plays one source after another: gives the engine its commands, by script and by signal, and hands its reports on.
///
/// All that happens after the start happens on the thread of the engine that plays; each source has an engine of its
/// own, and the next one begins as the last act of the one before.
final class Player: @unchecked Sendable {
    private var playlist: Playlist
    private let makeTracking: (_ source: String, _ last: PlaybackTracking?) -> PlaybackTracking
    private var tracking: PlaybackTracking
    private let durationMs: Int64?
    private let stopRequested: Guarded<String?>
    private let stopped = Guarded(false)
    private var script: ScriptClock
    private var configuration = EngineConfiguration()
    private var engine: PlaybackEngine?
    /// The engine that plays, for the thread that waits.
    private let current = Guarded<PlaybackEngine?>(nil)
    private let adOptions: AdOptions?
    private var ads: AdInsertion?
    private var earlierAds: [AdInsertion] = []
    private let givenChapters: ChapterList?
    private var chapters: ChapterReporting
    private var startNs: Int64 = 0
    /// When a pause of a given length is over.
    private var resumeNs: Int64?

    /// Prepares to play; `stopRequested` becomes the reason for a graceful end, as soon as somebody has one.
    init(
        _ request: PlayerRequest,
        script: [PlaybackScript.Line],
        ads: AdOptions?,
        chapters: ChapterList?,
        makeTracking: @escaping (_ source: String, _ last: PlaybackTracking?) -> PlaybackTracking,
        stopRequested: Guarded<String?>
    ) {
        playlist = request.playlist
        self.makeTracking = makeTracking
        let tracking = makeTracking(request.source, nil)
        adOptions = ads
        durationMs = request.duration.map { Int64($0 * 1000) }
        self.script = ScriptClock(script)
        self.tracking = tracking
        givenChapters = chapters
        self.chapters = ChapterReporting(chapters, tracking: tracking)
        self.stopRequested = stopRequested
    }

    /// Lines of the script that were not reached; to be asked after the end.
    var unreachedLines: [PlaybackScript.Line] { script.rest }

    /// Starts to play; the engine lives as long as this player.
    func start(_ configuration: EngineConfiguration) {
        self.configuration = configuration
        startNs = Clock.bootNs()
        tracking.launch(atNs: startNs)
        if let source = playlist.next(afterError: false) { open(source) }
    }

    private func open(_ source: String) {
        _ = tracking.play(atNs: Clock.bootNs())
        let engine = PlaybackEngine(
            configuration: configuration,
            onTick: { [weak self] timeNs, positionMs in self?.tick(timeNs, positionMs) },
            handler: { [weak self] report in self?.handle(report) }
        )
        self.engine = engine
        current.with { $0 = engine }
        let sound = tracking.snapshot.with { ($0.volume, $0.isMuted) }
        if let adOptions {
            ads = AdInsertion(adOptions, content: engine, configuration: configuration, tracking: tracking) {
                [weak self] report in self?.take(report)
            }
        }
        engine.load(source)
        if sound.0 != 1 { engine.setVolume(sound.0) }
        if sound.1 { engine.setMuted(true) }
        if ads == nil { engine.play() }
    }

    /// Goes on with the next source, or ends.
    private func goOn(atNs timeNs: Int64) {
        guard let source = playlist.next(afterError: tracking.hasFailed) else {
            tracking.terminate(atNs: timeNs)
            stopped.with { $0 = true }
            return
        }
        if let ads { earlierAds.append(ads) }
        ads = nil
        resumeNs = nil
        tracking = makeTracking(source, tracking)
        chapters = ChapterReporting(givenChapters, tracking: tracking)
        open(source)
    }

    /// Whether the engine has released everything.
    var isStopped: Bool { stopped.with { $0 } }

    /// Waits until all engines have released everything.
    func waitUntilStopped() {
        while !isStopped {
            current.with { $0 }?.waitUntilStopped()
            Clock.sleep(milliseconds: 5)
        }
        current.with { $0 }?.waitUntilStopped()
        for ads in earlierAds { ads.waitUntilStopped() }
        ads?.waitUntilStopped()
    }

    // MARK: - On the engine's thread

    private func handle(_ report: EngineReport) {
        if ads?.keepsBack(report) != true { take(report) }
    }

    private func take(_ report: EngineReport) {
        chapters.prepare(for: report)
        tracking.handle(report)
        switch report.event {
        case .endOfStream: engine?.stop()
        case .stopped: goOn(atNs: report.timeNs)
        default: break
        }
    }

    private func tick(_ timeNs: Int64, _ positionMs: Int64?) {
        guard !tracking.isOver else { return }
        tracking.describeIfChanged()
        ads?.tick(positionMs)
        chapters.tick(positionMs)
        if let reason = stopRequested.with({ $0 }) {
            stop(reason, timeNs)
            return
        }
        let sinceStartMs = (timeNs - startNs) / 1_000_000
        if let durationMs, sinceStartMs >= durationMs {
            stop("the time of --duration is over", timeNs)
            return
        }
        if let resumeNs, timeNs >= resumeNs {
            perform(.play, timeNs)
        }
        while !tracking.isOver, let line = script.next(sinceStartMs: sinceStartMs, playheadMs: positionMs) {
            perform(line.command, timeNs)
        }
    }

    private func stop(_ reason: String, _ timeNs: Int64) {
        tracking.notes.say("ending: \(reason)")
        playlist.end()
        leave(timeNs)
    }

    /// Closes what is played; the next source follows, if there is one.
    private func leave(_ timeNs: Int64) {
        tracking.unload(atNs: timeNs)
        ads?.stop()
        engine?.stop()
    }

    private func perform(_ command: ScriptCommand, _ timeNs: Int64) {
        switch command {
        case .pause(let milliseconds):
            guard tracking.pause() else { return }
            resumeNs = milliseconds.map { timeNs + $0 * 1_000_000 }
            if ads?.pause() != true { engine?.pause() }
        case .play:
            resumeNs = nil
            if tracking.play(atNs: timeNs) {
                if ads?.play() != true { engine?.play() }
            }
        case .seek, .rate:
            if ads?.refusesMoves() == true { return }
            move(command)
        case .mute(let isMuted):
            engine?.setMuted(isMuted)
            ads?.set(volume: tracking.snapshot.with { $0.volume }, isMuted: isMuted)
        case .volume(let volume):
            engine?.setVolume(volume)
            ads?.set(volume: volume, isMuted: tracking.snapshot.with { $0.isMuted })
        case .fullscreen(let isFullscreen): pretend { $0.isFullscreen = isFullscreen }
        case .size(let width, let height): pretend { $0.playerSize = (width, height) }
        case .load(let source):
            playlist.insert(source)
            leave(timeNs)
        case .next:
            guard playlist.hasNext else { return tracking.notes.warn("there is no next source") }
            leave(timeNs)
        case .skipAd: skipAd()
        case .clickAd: clickAd()
        case .pin(let bitrate):
            tracking.renditions.pin(bitrate)
            engine?.pinRendition(maxBitrate: bitrate)
        case .enable(let name): tell(tracking.run.enable(plugin: name), name)
        case .disable(let name): tell(tracking.run.disable(plugin: name), name)
        case .interrupt(let reason): tracking.track(tracking.run.trackInterruptionStart(reason))
        case .interruptEnd: tracking.track(tracking.run.trackInterruptionEnd())
        case .custom(let name, let attributes):
            tracking.track(
                tracking.run.trackCustomEvent(name) { encoder in
                    for attribute in attributes {
                        encoder.set(custom: attribute.name, attribute.value)
                    }
                }
            )
        case .stop: stop("the script says so", timeNs)
        }
    }

    private func move(_ command: ScriptCommand) {
        switch command {
        case .seek(let milliseconds): engine?.seek(toMs: milliseconds)
        case .rate(let rate): engine?.setRate(rate)
        default: break
        }
    }

    /// Changes what is said of a screen that is not there.
    private func pretend(_ change: (inout PlayerSnapshot) -> Void) {
        tracking.snapshot.with { change(&$0) }
        tracking.track(tracking.run.trackPlayhead())
    }

    private func skipAd() {
        guard let ads else { return tracking.notes.warn("there is no ad to skip") }
        ads.skip()
    }

    private func clickAd() {
        guard let ads else { return tracking.notes.warn("there is no ad to click on") }
        ads.click()
    }

    private func tell(_ change: PluginChange, _ name: String) {
        switch change {
        case .requested: break
        case .alreadyEnabled: tracking.notes.say("\(name) is enabled already")
        case .alreadyDisabled: tracking.notes.say("\(name) is disabled already")
        case .unknown: tracking.notes.warn("no tracker has the name \(name)")
        }
    }
}
