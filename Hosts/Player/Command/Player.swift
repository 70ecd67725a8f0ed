internal import Chapters
internal import HostSupport
internal import PlaybackEngine
internal import Tally

/// Plays a source: gives the engine its commands, by script and by signal, and hands its reports on.
///
/// All that happens after the start happens on the engine's thread.
final class Player: @unchecked Sendable {
    private let source: String
    private let tracking: PlaybackTracking
    private let durationMs: Int64?
    private let stopRequested: Guarded<String?>
    private let stopped = Guarded(false)
    private var script: ScriptClock
    private var engine: PlaybackEngine?
    private let adOptions: AdOptions?
    private var ads: AdInsertion?
    private let chapters: ChapterReporting
    private var startNs: Int64 = 0
    /// When a pause of a given length is over.
    private var resumeNs: Int64?

    /// Prepares to play; `stopRequested` becomes the reason for a graceful end, as soon as somebody has one.
    init(
        _ request: PlayerRequest,
        script: [PlaybackScript.Line],
        ads: AdOptions?,
        chapters: ChapterList?,
        tracking: PlaybackTracking,
        stopRequested: Guarded<String?>
    ) {
        source = request.source
        adOptions = ads
        durationMs = request.duration.map { Int64($0 * 1000) }
        self.script = ScriptClock(script)
        self.tracking = tracking
        self.chapters = ChapterReporting(chapters, tracking: tracking)
        self.stopRequested = stopRequested
    }

    /// Lines of the script that were not reached; to be asked after the end.
    var unreachedLines: [PlaybackScript.Line] { script.rest }

    /// Starts to play; the engine lives as long as this player.
    func start(_ configuration: EngineConfiguration) {
        startNs = Clock.bootNs()
        tracking.launch(atNs: startNs)
        _ = tracking.play(atNs: startNs)
        let engine = PlaybackEngine(
            configuration: configuration,
            onTick: { [weak self] timeNs, positionMs in self?.tick(timeNs, positionMs) },
            handler: { [weak self] report in self?.handle(report) }
        )
        self.engine = engine
        if let adOptions {
            ads = AdInsertion(adOptions, content: engine, configuration: configuration, tracking: tracking) {
                [weak self] report in self?.take(report)
            }
        }
        engine.load(source)
        if ads == nil { engine.play() }
    }

    /// Whether the engine has released everything.
    var isStopped: Bool { stopped.with { $0 } }

    /// Waits until the engine has released everything.
    func waitUntilStopped() {
        engine?.waitUntilStopped()
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
        case .stopped: stopped.with { $0 = true }
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
