internal import Chapters
internal import HostSupport
internal import PlaybackEngine
internal import Tally

/// Plays one source after another: gives the engine its commands, by script and by signal, and hands its reports on.
///
/// All that happens after the start happens on the thread of the engine that plays; each source has an engine of its
/// own, and the next one begins as the last act of the one before.
final class Player: @unchecked Sendable {
    var playlist: Playlist
    private let makeTracking: (_ source: String, _ last: PlaybackTracking?) -> PlaybackTracking
    var tracking: PlaybackTracking
    private let durationMs: Int64?
    private let stopRequested: Lock<String?>
    let inbox: PlayerInbox
    let platform: any MediaPlatform
    /// Whether a command says that the source that has failed is not to be opened again.
    var isGivenUp = false
    /// How often, and after what time, a source that failed is opened again.
    var retries: SourceRetries
    /// Carries out the script's commands that are not for the player.
    let queue: ControlQueue
    /// Whether an interruption was left out because there is no picture.
    var isInterruptionLeftOut = false
    private let stopped = Lock(false)
    var script: ScriptClock
    private var configuration = EngineConfiguration()
    var engine: (any MediaEngine)?
    /// The engine that plays, for the thread that waits.
    private let current = Lock<(any MediaEngine)?>(nil)
    private let adOptions: AdOptions
    var ads: AdInsertion?
    private var earlierAds: [AdInsertion] = []
    private var stream: StreamFollowing?
    private var earlierStreams: [StreamFollowing] = []
    private let givenChapters: ChapterList?
    private var chapters: ChapterReporting
    private(set) var startNs: Int64 = 0
    /// When a pause of a given length is over.
    var resumeNs: Int64?

    /// What is to be played, and what is to happen meanwhile.
    struct Plan {
        let playlist: Playlist
        /// When the run ends, ms after its start.
        let durationMs: Int64?
        let script: [PlaybackScript.Line]
        let ads: AdOptions
        let chapters: ChapterList?
        let retries: SourceRetries
    }

    /// Prepares to play; `stopRequested` becomes the reason for a graceful end, as soon as somebody has one.
    init(
        _ plan: Plan,
        source: String,
        makeTracking: @escaping (_ source: String, _ last: PlaybackTracking?) -> PlaybackTracking,
        stopRequested: Lock<String?>,
        inbox: PlayerInbox,
        queue: ControlQueue,
        platform: any MediaPlatform
    ) {
        playlist = plan.playlist
        self.makeTracking = makeTracking
        let tracking = makeTracking(source, nil)
        adOptions = plan.ads
        durationMs = plan.durationMs
        self.retries = plan.retries
        self.script = ScriptClock(plan.script)
        self.tracking = tracking
        givenChapters = plan.chapters
        self.chapters = ChapterReporting(plan.chapters, tracking: tracking)
        self.stopRequested = stopRequested
        self.inbox = inbox
        self.queue = queue
        self.platform = platform
    }

    var unreachedLines: [PlaybackScript.Line] { script.rest }

    /// Starts to play; the engine lives as long as this player.
    func start(_ configuration: EngineConfiguration) {
        self.configuration = configuration
        startNs = platform.nowNs
        tracking.launch(atNs: startNs)
        guard let source = playlist.next(afterError: false) else { return }
        retries.begin(source)
        open(source)
    }

    private func open(_ source: String) {
        _ = tracking.play(atNs: platform.nowNs)
        let engine = platform.makeEngine(
            configuration,
            onTick: { [weak self] timeNs, positionMs in self?.tick(timeNs, positionMs) },
            handler: { [weak self] report in self?.handle(report) }
        )
        self.engine = engine
        current.with { $0 = engine }
        let sound = tracking.snapshot.with { (volume: $0.volume, isMuted: $0.isMuted) }
        let stream = StreamFollowing(tracking: tracking, timeoutMs: adOptions.timeoutMs) { [weak self] breaks in
            self?.ads?.add(breaks)
        }
        self.stream = stream
        ads = AdInsertion(
            adOptions,
            content: engine,
            configuration: configuration,
            tracking: tracking,
            boundary: { [weak stream] positionMs in stream?.boundaryMs(nearMs: positionMs) ?? positionMs },
            deliver: { [weak self] report in self?.follow(report) }
        )
        engine.send(.load(source))
        if sound.volume != 1 || sound.isMuted { tracking.soundToCome = sound }
        if sound.volume != 1 { engine.send(.setVolume(sound.volume)) }
        if sound.isMuted { engine.send(.setMuted(true)) }
        if ads?.isHolding != true { engine.send(.play) }
    }

    func goOn(atNs timeNs: Int64, isTriedAgain: Bool = true) {
        if isTriedAgain, let again = retries.source(after: tracking) { return openAgain(again, atNs: timeNs) }
        guard let source = playlist.next(afterError: tracking.hasFailed) else { return end(atNs: timeNs) }
        retries.begin(source)
        begin(source)
    }

    /// Closes the books on the source before and opens this one.
    func begin(_ source: String) {
        earlierAds.removeAll(where: \.isReleased)
        if let ads { earlierAds.append(ads) }
        ads = nil
        earlierStreams.removeAll(where: \.isStopped)
        if let stream { earlierStreams.append(stream) }
        stream = nil
        resumeNs = nil
        tracking = makeTracking(source, tracking)
        chapters = ChapterReporting(givenChapters, tracking: tracking)
        open(source)
    }

    func end(atNs timeNs: Int64) {
        tracking.terminate(atNs: timeNs)
        stopped.with { $0 = true }
    }

    var isStopped: Bool { stopped.with { $0 } }

    func waitUntilStopped() {
        while !isStopped {
            current.with { $0 }?.waitUntilStopped()
            platform.sleep(milliseconds: 5)
        }
        current.with { $0 }?.waitUntilStopped()
        for ads in earlierAds { ads.waitUntilStopped() }
        ads?.waitUntilStopped()
        for stream in earlierStreams { stream.waitUntilStopped() }
        stream?.waitUntilStopped()
    }

    private func handle(_ report: EngineReport) { if ads?.keepsBack(report) != true { follow(report) } }

    private func follow(_ report: EngineReport) {
        chapters.prepare(for: report)
        stream?.prepare(for: report)
        tracking.handle(report)
        switch report.event {
        case .endOfStream: engine?.send(.stop)
        case .stopped: goOn(atNs: report.timeNs)
        default: break
        }
    }

    private func tick(_ timeNs: Int64, _ positionMs: Int64?) {
        guard !tracking.isOver else { return }
        tracking.describeIfChanged()
        stream?.tick(positionMs)
        ads?.tick(positionMs)
        chapters.tick(positionMs)
        if let reason = reasonToEnd(timeNs) { return stop(reason, timeNs) }
        let sinceStartMs = (timeNs - startNs) / 1_000_000
        if let resumeNs, timeNs >= resumeNs { _ = perform(.play, timeNs) }
        // What stands behind a command that leaves the source is for the next one.
        while !tracking.isOver, let entry = inbox.removeFirst() { entry.done(perform(entry.command, timeNs)) }
        while !tracking.isOver, let line = script.next(sinceStartMs: sinceStartMs, playheadMs: positionMs) {
            perform(line, by: { perform($0, timeNs) })
        }
    }

    /// Why the run is to end now; nil when it goes on.
    func reasonToEnd(_ timeNs: Int64) -> String? {
        if let reason = stopRequested.with({ $0 }) { return reason }
        guard let durationMs, (timeNs - startNs) / 1_000_000 >= durationMs else { return nil }
        return "the time of --duration is over"
    }

    func stop(_ reason: String, _ timeNs: Int64) {
        tracking.notes.say("ending: \(reason)")
        playlist.end()
        leave(timeNs)
    }

    /// Closes what is played; the next source follows, if there is one.
    func leave(_ timeNs: Int64) {
        tracking.unload(atNs: timeNs)
        stream?.stop()
        ads?.stop()
        engine?.send(.stop)
    }
}
