internal import Advertising
internal import HostSupport
internal import PlaybackEngine
internal import PlayerSignals
internal import Streaming
internal import Tally
internal import XML

/// Puts ad breaks into the main content, which waits meanwhile; used on the thread of the main content's engine.
final class AdInsertion {
    private enum Phase {
        case fetchingSchedule(PendingResult<Result<AdSchedule, AdFailure>>)
        case content
        case resolving(AdBreakClock.Due, PendingResult<AdPod>)
        case playing(AdPodPlayback)
        /// The main content is brought to where it goes on.
        case resuming(untilNs: Int64, isThere: Bool)
    }

    private static let resumeLimitNs: Int64 = 10_000_000_000
    private static let resumeToleranceMs: Int64 = 50
    /// How far ahead of a break its documents are asked for.
    private static let aheadMs: Int64 = 8000

    private let options: AdOptions
    private let tracking: PlaybackTracking
    private let requests: DocumentRequests
    private let beacons: AdBeacons
    private let moments: AdMoments
    private let configuration: EngineConfiguration
    private let content: any MediaEngine
    /// Takes the reports of the main content that had to wait.
    private let deliver: (EngineReport) -> Void
    /// The segment's start that is nearest to a place in the main content.
    private let boundary: (Int64) -> Int64
    private var phase: Phase
    private var clock = AdBreakClock([])
    private var ahead: (scheduled: ScheduledBreak, pod: PendingResult<AdPod>)?
    private var waiting: [EngineReport] = []
    private var pods: [AdPodPlayback] = []
    /// Where the break that is shown, or was last, wants the main content to go on.
    private var resume: (startMs: Int64, rules: Interstitial, shownMs: Int64)?
    private var isOver = false

    /// Asks for the schedule at once, if there is one; the main content waits for it.
    init(
        _ options: AdOptions,
        content: any MediaEngine,
        configuration: EngineConfiguration,
        tracking: PlaybackTracking,
        boundary: @escaping (Int64) -> Int64,
        deliver: @escaping (EngineReport) -> Void
    ) {
        self.boundary = boundary
        self.options = options
        self.content = content
        self.tracking = tracking
        self.deliver = deliver
        var settings = configuration.requests
        settings.cmcd.form = .off
        let requests = DocumentRequests(
            type: "api",
            timeoutMs: options.timeoutMs,
            limit: XMLReading.limit,
            platform: tracking.platform,
            settings: settings
        )
        self.requests = requests
        let moments = AdMoments(tracking.snapshot)
        self.moments = moments
        beacons = AdBeacons(
            isEnabled: options.isTracking,
            timeoutMs: options.timeoutMs,
            platform: tracking.platform,
            notes: tracking.notes,
            settings: settings
        )
        var configuration = configuration
        configuration.startMs = nil
        (configuration.audio, configuration.subtitles) = (nil, nil)
        // An ad is another content of the same session.
        configuration.requests.cmcd.contentID = ""
        configuration.loadTimeoutMs = options.timeoutMs
        configuration.fileLoadTimeoutMs = options.timeoutMs
        configuration.stallTimeoutMs = options.timeoutMs
        self.configuration = configuration
        guard let location = options.location else {
            phase = .content
            return
        }
        tracking.hold()
        phase = .fetchingSchedule(
            PendingResult(on: tracking.platform) {
                let text = AdLocation.address(location) ?? location
                let address = AdMacros.replaced(in: text, at: moments.moment(.request))
                let bytes: [UInt8]
                do throws(FetchFailure) {
                    bytes = try requests.document(address)
                } catch {
                    return .failure(AdFailure(.unreachable, "'\(address)': \(error.reason)"))
                }
                return Result { () throws(AdFailure) in try AdSchedule(bytes, from: address) }
            }
        )
    }

    var isHolding: Bool { if case .content = phase { false } else { true } }

    /// Keeps a report of the main content back while that waits; true when nothing else is to be done with it.
    func keepsBack(_ report: EngineReport) -> Bool {
        switch report.event {
        case .failed, .stopped:
            stop()
            return false
        case .endOfStream:
            guard !isHolding else {
                waiting.append(report)
                return true
            }
            guard let due = clock.nextAtEnd() else { return false }
            waiting.append(report)
            begin(due)
            return true
        case .firstFrame, .renditionVisible:
            guard isHolding else { return false }
            waiting.append(report)
            return true
        case .playheadSample: return isHolding
        case .seekStarted: return isResuming
        case .seekCompleted(let positionMs):
            guard isResuming else { return false }
            tracking.snapshot.with { $0.playheadMs = positionMs }
            arrive()
            return true
        case .commandRejected(.seek, _):
            guard isResuming else { return false }
            arrive()
            return true
        default: return false
        }
    }

    /// Does what is due; regularly called.
    func tick(_ positionMs: Int64?) {
        guard !isOver else { return }
        tracking.track(requests)
        switch phase {
        case .fetchingSchedule(let pending): pending.value.map(start)
        case .content: if let positionMs { follow(positionMs) }
        case .resolving(let due, let pending): pending.value.map { show($0, due) }
        case .playing(let pod):
            guard pod.tick() else { return }
            pod.finish()
            resume?.shownMs += pod.shownMs
            next()
        case .resuming(let untilNs, let isThere):
            // What is fetched for the place is no wait of the viewer's own content.
            let isReady = isThere && !tracking.buffering.isEngineWaiting
            if isReady || tracking.platform.nowNs >= untilNs { next() }
        }
    }

    /// Takes breaks that the stream itself wants shown.
    func add(_ breaks: [ScheduledBreak]) {
        clock.add(
            breaks.map { scheduled in
                var scheduled = scheduled
                // What was to come before the main content comes as soon as it is known.
                if scheduled.offset == .start, tracking.hasShownContent { scheduled.offset = .time(0) }
                return scheduled
            }
        )
    }

    private func start(_ result: Result<AdSchedule, AdFailure>) {
        switch result {
        case .success(let schedule):
            clock = AdBreakClock(schedule.breaks)
            tracking.warn(ofUnusable: schedule.unusable)
            for failure in schedule.failures { tracking.adFailed(failure, beacons, moments.moment(of: failure)) }
        case .failure(let failure): tracking.adFailed(failure, beacons, moments.moment(of: failure))
        }
        next()
    }

    private func follow(_ positionMs: Int64) {
        if !tracking.hasShownContent, let due = clock.nextAtStart() { return begin(due) }
        guard tracking.isMoving else { return }
        let durationMs = tracking.snapshot.with { $0.media?.durationMs }
        if let due = clock.next(atMs: positionMs, ofDuration: durationMs) { return begin(due) }
        let coming = clock.upcoming(atMs: positionMs, within: Self.aheadMs, ofDuration: durationMs)
        if let coming, ahead?.scheduled != coming { ahead = (coming, resolve(coming)) }
    }

    private func begin(_ due: AdBreakClock.Due) {
        tracking.hold()
        content.send(.pause)
        let pod = ahead?.scheduled == due.scheduled ? ahead?.pod : nil
        ahead = nil
        if let rules = due.scheduled.interstitial, case .time(let startMs) = due.scheduled.offset {
            resume = (startMs, rules, 0)
        }
        phase = .resolving(due, pod ?? resolve(due.scheduled))
    }

    private func resolve(_ scheduled: ScheduledBreak) -> PendingResult<AdPod> {
        let resolver = AdResolver(
            maxBitrate: options.maxBitrate,
            moment: { [moments] in moments.moment(.request, in: scheduled) },
            fetch: { [requests] location throws(FetchFailure) in try requests.document(location) }
        )
        return PendingResult(on: tracking.platform) {
            resolver.resolve(
                scheduled.source,
                isSingle: scheduled.isSingle,
                followsRedirects: scheduled.followsRedirects
            )
        }
    }

    private func show(_ pod: AdPod, _ due: AdBreakClock.Due) {
        tracking.track(requests)
        tracking.warn(ofUnusable: pod.unusable)
        guard !pod.ads.isEmpty else {
            let errors = due.scheduled.tracking["error"] ?? []
            for var failure in pod.failures {
                failure.errorURLs += errors
                tracking.adFailed(failure, beacons, moments.moment(of: failure, in: due.scheduled))
            }
            next()
            return
        }
        var pod = pod
        pod.apply(due.scheduled)
        let playback = AdPodPlayback(
            pod,
            due,
            tracking: tracking,
            beacons: beacons,
            moments: moments,
            configuration: configuration
        )
        pods.append(playback)
        phase = .playing(playback)
        playback.start()
    }

    /// Goes on with the next break at the same place, or with the main content.
    private func next() {
        let isAtEnd = waiting.contains { if case .endOfStream = $0.event { true } else { false } }
        let (positionMs, durationMs) = tracking.snapshot.with { ($0.playheadMs ?? 0, $0.media?.durationMs) }
        let due =
            isAtEnd
            ? clock.nextAtEnd()
            : tracking.hasShownContent ? clock.next(atMs: positionMs, ofDuration: durationMs) : clock.nextAtStart()
        if let due { return begin(due) }
        if startsResuming() { return }
        phase = .content
        tracking.release(atNs: tracking.platform.nowNs)
        let reports = waiting
        waiting = []
        for report in reports {
            deliver(EngineReport(timeNs: tracking.platform.nowNs, positionMs: report.positionMs, event: report.event))
        }
        if tracking.wantsPlaying, !tracking.isOver { content.send(.play) }
    }

    private var isResuming: Bool { if case .resuming = phase { true } else { false } }

    /// Brings the main content to where the break wants it; false when it is there.
    private func startsResuming() -> Bool {
        guard let resume else { return false }
        self.resume = nil
        var targetMs = resume.startMs + (resume.rules.resumeOffsetUs.map { $0 / 1000 } ?? resume.shownMs)
        if resume.rules.snapsIn { targetMs = boundary(targetMs) }
        guard let positionMs = content.positionMs, abs(targetMs - positionMs) > Self.resumeToleranceMs else {
            return false
        }
        phase = .resuming(untilNs: tracking.platform.nowNs + Self.resumeLimitNs, isThere: false)
        content.send(.seek(toMs: targetMs))
        return true
    }

    private func arrive() {
        guard case .resuming(let untilNs, _) = phase else { return }
        phase = .resuming(untilNs: untilNs, isThere: true)
    }

    /// The ads that are shown, which take commands.
    var playing: AdPodPlayback? { if case .playing(let pod) = phase { pod } else { nil } }

    /// Why a command that moves the main content is refused; nil when it is not.
    var refusalOfMoves: ControlReply? {
        isHolding ? .failure(.refused, "the main content waits for an ad and cannot be moved") : nil
    }

    /// Ends the ads without a further event.
    func stop() {
        isOver = true
        for pod in pods { pod.stop() }
    }

    var isReleased: Bool { pods.allSatisfy(\.isReleased) && beacons.isIdle }

    func waitUntilStopped() {
        for pod in pods { pod.waitUntilStopped() }
        let limitNs = tracking.platform.nowNs + options.timeoutMs * 1_000_000
        while !beacons.isIdle, tracking.platform.nowNs < limitNs { tracking.platform.sleep(milliseconds: 10) }
    }
}

/// What the command line and the configuration say about ads.
struct AdOptions: Sendable {
    /// The VMAP or VAST document: a file or an address; nil when there is none.
    let location: String?
    let isTracking: Bool
    /// The longest wait for a document or a creative, in milliseconds.
    let timeoutMs: Int64
    /// The highest bitrate of a creative in bits per second, or nil for any.
    let maxBitrate: Int64?
}
