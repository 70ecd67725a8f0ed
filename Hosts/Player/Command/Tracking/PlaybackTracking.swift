internal import Glibc
internal import HostSupport
internal import PlaybackEngine
internal import PlayerSignals
internal import Tally

/// Turns the engine's reports and the user's commands into track calls; docs/player.md has the table.
///
/// Used by one thread at a time: by the one that starts the run, then by the engine's.
final class PlaybackTracking {
    let run: PlayerRun
    let snapshot: Lock<PlayerSnapshot>
    let figures: Lock<PlaybackFigures>
    let notes: ProgressNotes
    let platform: any MediaPlatform

    private(set) var wantsPlaying = false {
        didSet {
            let wantsPlaying = wantsPlaying
            figures.with { $0.isWanted = wantsPlaying }
        }
    }
    private(set) var isInSession = false
    /// Whether there is nothing more to be played.
    private(set) var isOver = false
    var buffering = BufferingState()
    var renditions = RenditionReporting()
    var playedTime = PlayedTime()
    /// The sound that a new source takes over, until the engine reads it back.
    var soundToCome: (volume: Double, isMuted: Bool)?
    /// Whether more is known of the media than was told.
    var isDescriptionNew = false
    /// Whether the main content waits for an ad.
    private(set) var isHeld = false
    /// Whether a picture of the main content has moved, or its sound was heard.
    private(set) var hasShownContent = false
    private var startup = StartupTime()
    private var hasPicture = false
    private var hasStarted = false
    private var hasBegun = false
    private var isPauseTracked = false
    private var isEnginePlaying = false
    private var seeksInFlight = 0
    private var startNs: Int64 = 0
    private var nextQualityNs: Int64 = 0
    private var damages = 0
    private var complaints: Set<String> = []

    /// The time between two quality samples; each costs the archive some 400 bytes.
    private static let qualityIntervalNs: Int64 = 10_000_000_000
    /// How much of what is missing or damaged of a source people are told as it comes.
    private static let toldDamages = 5
    /// How many different complaints of libraries people are told of one source.
    private static let toldComplaints = 5

    init(
        run: PlayerRun,
        snapshot: Lock<PlayerSnapshot>,
        figures: Lock<PlaybackFigures>,
        notes: ProgressNotes,
        platform: any MediaPlatform
    ) {
        self.platform = platform
        self.run = run
        self.snapshot = snapshot
        self.figures = figures
        self.notes = notes
    }

    /// Takes over from the source before: its figures go on.
    func continueFrom(_ last: PlaybackTracking) {
        startNs = last.startNs
        playedTime = last.playedTime
        (framesBefore.dropped, framesBefore.rendered) = figures.with { ($0.droppedFrames, $0.renderedFrames) }
    }

    /// Whether the source could not be played to its end.
    private(set) var hasFailed = false
    /// Why the source could not be played any further.
    private(set) var failure: EngineError?
    private var failureBefore: EngineError?
    /// The frames of the sources before.
    private(set) var framesBefore: (dropped: Int64, rendered: Int64) = (0, 0)

    /// Makes a track call and counts it, with the processor time that it takes.
    func track(_ call: @autoclosure () -> TrackResult) {
        let beforeNs = Self.processorNs()
        let result = call()
        let spentNs = Self.processorNs() - beforeNs
        figures.with { figures in
            figures.trackNs += spentNs
            if result == .refused { figures.refusedEvents += 1 } else { figures.events += 1 }
            if case .queuedWithout(let attributes) = result { figures.refusedAttributes += attributes }
        }
    }

    /// The processor time that this thread has used.
    private static func processorNs() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Tells that the source has failed, as the run goes on.
    func warnOfFailure() { if let failure { notes.warnMeanwhile(failure.summary) } }

    /// Whether the end of the run tells why the source failed.
    var isFailureOfRun: Bool { figures.with { $0.failure } == failure }

    /// The source is opened once more: what decides how the run ends is what becomes of that.
    func forgetFailure() {
        figures.with { figures in
            figures.failure = failureBefore
            figures.retries += 1
        }
    }

    func launch(atNs timeNs: Int64) {
        startNs = timeNs
        track(run.trackApplicationLaunched())
        track(run.trackPlayerReady())
    }

    /// The source is about to be closed before its end.
    func unload(atNs timeNs: Int64) {
        isOver = true
        // Nobody says that a stall is over which lasts to the end.
        if let wait = buffering.complete(atNs: timeNs), wait.cause.isStall {
            figures.with { $0.stalledNs += wait.durationNs }
        }
        follow(timeNs)
        guard isInSession else { return }
        describeIfChanged()
        track(run.trackVideoUnload())
        isInSession = false
        snapshot.with { $0.isInSession = false }
    }

    func terminate(atNs timeNs: Int64) {
        unload(atNs: timeNs)
        track(run.trackApplicationTerminated(runningTime: Double(timeNs - startNs) / 1_000_000_000))
    }

    /// Playback is wanted; false when it already was.
    func play(atNs timeNs: Int64) -> Bool {
        guard !wantsPlaying, !isOver else { return false }
        if hasBegun {
            // The engine may not have told of a short pause yet.
            trackPause()
        }
        wantsPlaying = true
        startup.want(true, atNs: platform.nowNs)
        isPauseTracked = false
        if isInSession { trackPlay(atNs: timeNs) }
        return true
    }

    /// Playback is to halt, of which the engine tells unless it does not run yet; false when it already was.
    func pause() -> Bool {
        guard wantsPlaying, !isOver else { return false }
        wantsPlaying = false
        startup.want(false, atNs: platform.nowNs)
        figures.with { $0.pauses += 1 }
        if !isEnginePlaying, isInSession { trackPause() }
        return true
    }

    private func trackPlay(atNs timeNs: Int64) {
        hasBegun = true
        track(run.trackPlay())
        if !isHeld { resumeBuffering(as: .stall, atNs: timeNs) }
    }

    private func resumeBuffering(as cause: BufferingCause, atNs timeNs: Int64) {
        guard buffering.resume(as: cause, atNs: timeNs) else { return }
        track(run.trackBufferStart(cause))
        if cause == .stall { figures.with { $0.stalls += 1 } }
    }

    /// The main content waits for an ad from now on: of its pause and its buffer nothing is told.
    func hold() {
        guard !isHeld else { return }
        isHeld = true
        startup.hold(atNs: platform.nowNs)
        follow(platform.nowNs)
    }

    func release(atNs timeNs: Int64) {
        guard isHeld else { return }
        isHeld = false
        startup.release(atNs: platform.nowNs)
        if wantsPlaying, isInSession { resumeBuffering(as: hasShownContent ? .stall : .initial, atNs: timeNs) }
    }

    var isMoving: Bool { isEnginePlaying && !buffering.isEngineWaiting && seeksInFlight == 0 && !isOver && !isHeld }

    private func trackPause() {
        guard !isPauseTracked else { return }
        isPauseTracked = true
        track(run.trackPause())
        notes.say("paused")
    }

    /// Takes a report; `place` is the line of the script that an order came from which the report refuses.
    func handle(_ report: EngineReport, place: String? = nil) {
        if let positionMs = report.positionMs {
            snapshot.with { $0.playheadMs = positionMs }
            figures.with { $0.playheadMs = positionMs }
        }
        if case .stopped = report.event { return unload(atNs: report.timeNs) }
        if case .complained(let text) = report.event { return complain(text) }
        guard !isOver else {
            // The engine's last sample comes as it is stopped, when the session is over: it counts, and is no event.
            if case .qualitySample(let quality) = report.event { countFrames(quality) }
            return
        }
        if !report.event.isDescription { describeIfChanged() }
        switch report.event {
        case .loadStarted: begin(atNs: report.timeNs)
        case .firstFrame: pictureShown()
        case .playing:
            isEnginePlaying = true
            hasShownContent = hasShownContent || !isHeld
            if hasStarted { notes.say("playing") } else { startIfMoving() }
        case .paused:
            isEnginePlaying = false
            if !wantsPlaying { trackPause() }
        case .seekStarted(let targetMs): seekStarted(from: report.positionMs, to: targetMs)
        case .seekCompleted(let positionMs): seekCompleted(at: positionMs)
        case .playheadSample: track(run.trackPlayhead())
        case .damaged(let error): damaged(error)
        case .endOfStream: complete(atNs: report.timeNs)
        case .failed(let error): fail(error, atNs: report.timeNs)
        case .commandRejected(let command, let reason):
            notes.warn((place.map { $0 + ": " } ?? "") + command.refusalText(reason))
        default: handleMedia(report)
        }
        follow(report.timeNs)
    }

    /// Tells that more is known of the media, if it is: once for all that the engine found out at one time.
    func describeIfChanged() {
        guard isDescriptionNew else { return }
        isDescriptionNew = false
        let connectionType = snapshot.with { $0.connectionType }
        track(
            run.trackMetadataChange { attributes in
                if let connectionType { attributes.set(custom: "connection_type", .string(connectionType)) }
            }
        )
    }

    /// Samples the quality when it is due, or when something changed.
    func sampleQuality(atNs timeNs: Int64, isDue: Bool = false) {
        guard isDue || timeNs >= nextQualityNs else { return }
        nextQualityNs = timeNs + Self.qualityIntervalNs
        track(run.trackQoSUpdateInfo())
    }

    private func follow(_ timeNs: Int64) {
        playedTime.set(moving: isMoving, atNs: timeNs)
        figures.with { figures in
            figures.playedNs = playedTime.total
            figures.activity = activity
        }
    }

    private var activity: PlaybackFigures.Activity {
        if isOver { return .ended }
        if isHeld { return .advertising }
        if seeksInFlight > 0 { return .seeking }
        if buffering.isEngineWaiting { return .buffering }
        if isEnginePlaying { return .playing }
        return isPauseTracked ? .paused : .loading
    }

    private func begin(atNs timeNs: Int64) {
        // As the events are dated: all who measure the wait measure the same.
        startup.load(atNs: platform.nowNs)
        (hasPicture, hasStarted) = (false, false)
        isInSession = true
        figures.with { figures in
            figures.items += 1
            figures.isComplete = false
        }
        snapshot.with { $0.isInSession = true }
        track(run.trackVideoLoad())
        notes.say("loading \(snapshot.with { $0.source })")
        if wantsPlaying { trackPlay(atNs: timeNs) }
    }

    /// A picture stands there; an adaptive stream waits for more before it moves.
    private func pictureShown() {
        hasPicture = true
        let waitedMs = startup.milliseconds(atNs: platform.nowNs)
        snapshot.with { $0.firstPictureMs = waitedMs }
        figures.with { $0.firstPictureMs = $0.firstPictureMs ?? waitedMs }
        notes.say("first picture after \(waitedMs) ms")
        startIfMoving()
    }

    /// The main content begins with the first picture that moves, or with its sound when it has no picture.
    private func startIfMoving() {
        let awaitsPicture = snapshot.with { $0.media?.hasVideo ?? true } && !hasPicture
        guard isEnginePlaying, !awaitsPicture, !hasStarted else { return }
        hasStarted = true
        let startupMs = startup.milliseconds(atNs: platform.nowNs)
        snapshot.with { $0.startupMs = startupMs }
        figures.with { $0.startupMs = $0.startupMs ?? startupMs }
        track(run.trackFirstFrame())
        notes.say("playing after \(startupMs) ms")
    }

    private func seekStarted(from: Int64?, to targetMs: Int64) {
        seeksInFlight += 1
        figures.with { $0.seeks += 1 }
        track(run.trackSeekStart(from: from.map { Double($0) / 1000 }, to: Double(targetMs) / 1000))
        notes.say("seeking to \(ReadableTime.text(milliseconds: targetMs))")
    }

    private func seekCompleted(at positionMs: Int64) {
        seeksInFlight = max(0, seeksInFlight - 1)
        snapshot.with { $0.playheadMs = positionMs }
        track(run.trackSeekComplete())
    }

    private func complete(atNs timeNs: Int64) {
        figures.with { $0.isComplete = true }
        track(run.trackComplete())
        notes.say("played to the end")
        unload(atNs: timeNs)
    }

    private func damaged(_ error: EngineError) {
        hasFailed = true
        figures.with { $0.damage = $0.damage ?? error }
        damages += 1
        if damages < Self.toldDamages {
            notes.warnMeanwhile(error.summary)
        } else if damages == Self.toldDamages {
            notes.warnMeanwhile(error.summary + "; more of this source is told by its events alone")
        }
        track(run.trackVideoPlayerError(error.code.rawValue, PlayerErrorDetails(error, fatal: false)))
    }

    /// Tells what a library of the engine complains of: the same once, and not for ever something else.
    private func complain(_ text: String) {
        guard complaints.count < Self.toldComplaints, complaints.insert(text).inserted else { return }
        let isLast = complaints.count == Self.toldComplaints
        let more = isLast ? "; more complaints of this source are left out" : ""
        notes.warnMeanwhile("within the media engine, while \(snapshot.with { $0.source }) goes on: \(text)\(more)")
    }

    private func fail(_ error: EngineError, atNs timeNs: Int64) {
        hasFailed = true
        failure = error
        figures.with { figures in
            failureBefore = figures.failure
            figures.failure = figures.failure ?? error
        }
        track(run.trackVideoPlayerError(error.code.rawValue, PlayerErrorDetails(error, fatal: true)))
        unload(atNs: timeNs)
    }
}
