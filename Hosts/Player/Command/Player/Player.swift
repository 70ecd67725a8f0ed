internal import Chapters
internal import HostSupport
internal import PlaybackEngine
internal import Tally

/// Plays one source after another: gives the engine its commands, by script and by signal, and hands its reports on.
///
/// All that happens after the start happens on the thread of the engine that plays; each source has an engine of its
/// own, and the next one begins as the last act of the one before.
final class Player: @unchecked Sendable {
    let plan: Plan
    var playlist: Playlist
    var script: ScriptClock
    var retries: SourceRetries
    var scripted = ScriptedOrders()
    var tracking: PlaybackTracking
    /// Whether a command says that the source that has failed is not to be opened again.
    var isGivenUp = false
    /// Whether an interruption was left out because there is no picture.
    var isInterruptionLeftOut = false
    private let stopped = Lock(false)
    var engine: (any MediaEngine)?
    /// The engine that plays, for the thread that waits.
    private let current = Lock<(any MediaEngine)?>(nil)
    var ads: AdInsertion?
    private var earlierAds: [AdInsertion] = []
    private var stream: StreamFollowing?
    private var earlierStreams: [StreamFollowing] = []
    private var chapters: ChapterReporting
    private(set) var startNs: Int64 = 0
    /// When a pause of a given length is over.
    var resumeNs: Int64?

    /// What is to be played, what is to happen meanwhile, and what it is done with.
    struct Plan {
        let source: String
        let playlist: Playlist
        /// When the run ends, ms after its start.
        let durationMs: Int64?
        let script: ScriptClock
        let ads: AdOptions
        let chapters: ChapterList?
        /// How often, and after what time, a source that failed is opened again.
        let retries: SourceRetries
        let configuration: EngineConfiguration
        let makeTracking: (_ source: String, _ last: PlaybackTracking?) -> PlaybackTracking
        /// Becomes the reason for a graceful end, as soon as somebody has one.
        let stopRequested: Lock<String?>
        let inbox: PlayerInbox
        /// Carries out the script's commands that are not for the player.
        let queue: ControlQueue
        let platform: any MediaPlatform
    }

    /// Prepares to play.
    init(_ plan: Plan) {
        self.plan = plan
        playlist = plan.playlist
        script = plan.script
        retries = plan.retries
        tracking = plan.makeTracking(plan.source, nil)
        chapters = ChapterReporting(plan.chapters, tracking: tracking)
    }

    var platform: any MediaPlatform { plan.platform }
    var unreachedLines: [PlaybackScript.Line] { script.rest }

    /// Starts to play; the engine lives as long as this player.
    func start() {
        startNs = platform.nowNs
        tracking.launch(atNs: startNs)
        guard let source = playlist.next(afterError: false) else { return }
        retries.begin(source)
        open(source)
    }

    private func open(_ source: String) {
        _ = tracking.play(atNs: platform.nowNs)
        var configuration = plan.configuration
        configuration.requests.source = source
        configuration.requests.cmcd.sessionID = SessionID.random()
        configuration.requests.cmcd.contentID = tracking.snapshot.with { $0.id }
        let engine = platform.makeEngine(
            configuration,
            onTick: { [weak self] timeNs, positionMs in self?.tick(timeNs, positionMs) },
            handler: { [weak self] report in self?.handle(report) }
        )
        self.engine = engine
        current.with { $0 = engine }
        let sound = tracking.snapshot.with { (volume: $0.volume, isMuted: $0.isMuted) }
        let stream = StreamFollowing(
            tracking: tracking,
            timeoutMs: plan.ads.timeoutMs,
            settings: configuration.requests,
            begin: { [weak engine] placeMs in engine?.send(.begin(atMs: placeMs)) },
            insert: { [weak self] breaks in self?.ads?.add(breaks) }
        )
        self.stream = stream
        ads = AdInsertion(
            plan.ads,
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
        if isTriedAgain, let again = retries.source(after: tracking) {
            tracking.warnOfFailure()
            return openAgain(again, atNs: timeNs)
        }
        let next = playlist.next(afterError: tracking.hasFailed)
        // At the end of the run the first failure is told, and of the others nobody hears then.
        if isTriedAgain, next != nil || !tracking.isFailureOfRun { tracking.warnOfFailure() }
        guard let source = next else { return end(atNs: timeNs) }
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
        tracking = plan.makeTracking(source, tracking)
        chapters = ChapterReporting(plan.chapters, tracking: tracking)
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
        var place: String?
        if case .commandRejected(let order, _) = report.event { place = scripted.place(of: order) }
        tracking.handle(report, place: place)
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
        while !tracking.isOver, let entry = plan.inbox.removeFirst() { entry.done(perform(entry.command, timeNs)) }
        while !tracking.isOver, let line = script.next(sinceStartMs: sinceStartMs, playheadMs: positionMs) {
            perform(line, by: { perform($0, timeNs) })
        }
    }

    /// Why the run is to end now; nil when it goes on.
    func reasonToEnd(_ timeNs: Int64) -> String? {
        if let reason = plan.stopRequested.with({ $0 }) { return reason }
        guard let durationMs = plan.durationMs, (timeNs - startNs) / 1_000_000 >= durationMs else { return nil }
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
