internal import PlaybackEngine
internal import Synchronization

/// An engine whose pipeline is a model: what becomes of its signals is decided by the same ``PlaybackState``.
///
/// The model does what GStreamer 1.22 was seen to do: the first frame comes before the pipeline has prerolled, and both
/// long after the load; a state is reached later than it was asked for; a seek of what comes over a network empties the
/// buffer, and the position is nowhere until it is over; the pipeline does not halt itself when it runs dry; a position
/// after a pause may lie a little behind the one before; and an end comes after the last look at the position.
final class SimulatedEngine: MediaEngine {
    private struct Mail: Sendable {
        var commands: [EngineCommand] = []
        var positionMs: Int64?
        var isFinished = false
        var waiting: [SimulatedPlatform.Gate] = []
    }

    private let mail = Mutex(Mail())
    private let gate = SimulatedPlatform.Gate()
    private let platform: SimulatedPlatform

    init(
        _ configuration: EngineConfiguration,
        on platform: SimulatedPlatform,
        onTick: (@Sendable (_ timeNs: Int64, _ positionMs: Int64?) -> Void)?,
        handler: @escaping @Sendable (EngineReport) -> Void
    ) {
        self.platform = platform
        // The loop keeps the engine until it has stopped.
        platform.startThread { [self] in
            let loop = Loop(configuration, platform, onTick: onTick, handler: handler)
            while !loop.isClosing {
                let commands = mail.withLock { mail in
                    defer { mail.commands = [] }
                    return mail.commands
                }
                let dueNs = loop.turn(commands)
                mail.withLock { $0.positionMs = loop.positionMs }
                if !loop.isClosing, mail.withLock({ $0.commands.isEmpty }) {
                    platform.sleep(untilNs: dueNs, at: gate)
                }
            }
            loop.close()
            let waiting = mail.withLock { mail in
                mail.isFinished = true
                return mail.waiting
            }
            for gate in waiting { platform.wake(gate) }
        }
    }

    var positionMs: Int64? { mail.withLock { $0.positionMs } }

    func send(_ command: EngineCommand) {
        mail.withLock { $0.commands.append(command) }
        platform.wake(gate)
    }

    func waitUntilStopped() {
        let own = SimulatedPlatform.Gate()
        let isFinished = mail.withLock { mail in
            mail.waiting.append(own)
            return mail.isFinished
        }
        if !isFinished { platform.sleep(untilNs: .max / 2, at: own) }
    }
}

/// The thread of a simulated engine.
private final class Loop {
    private let configuration: EngineConfiguration
    private let platform: SimulatedPlatform
    private let onTick: (@Sendable (_ timeNs: Int64, _ positionMs: Int64?) -> Void)?
    private let handler: @Sendable (EngineReport) -> Void
    private var state: PlaybackState
    private(set) var positionMs: Int64?
    private(set) var isClosing = false
    private var nextPollNs: Int64 = 0
    /// What the pipeline will say, in the order of time.
    private var signals: [(dueNs: Int64, signal: EngineSignal)] = []

    private var item = SimulatedMedia(.silent)
    private var isNetwork = false
    private var placeNs: Int64 = 0
    private var placeAtNs: Int64 = 0
    private var isWanted = false
    private var isRunning = false
    private var isSeeking = false
    private var rate = 1.0
    private var volume = 1.0
    private var isMuted = false
    private var playedNs: Int64 = 0
    private var frozenUntilNs: Int64 = 0
    private var hasEnded = false

    init(
        _ configuration: EngineConfiguration,
        _ platform: SimulatedPlatform,
        onTick: (@Sendable (_ timeNs: Int64, _ positionMs: Int64?) -> Void)?,
        handler: @escaping @Sendable (EngineReport) -> Void
    ) {
        self.configuration = configuration
        self.platform = platform
        self.onTick = onTick
        self.handler = handler
        state = PlaybackState(configuration: configuration)
    }

    /// Does what is due; until when there is nothing more to be done.
    func turn(_ commands: [EngineCommand]) -> Int64 {
        for command in commands where !isClosing { feed(.command(command)) }
        move()
        while !isClosing, let first = signals.first, first.dueNs <= platform.nowNs {
            signals.removeFirst()
            // Since the seek that would let it play a pause has come.
            if case .pipelineState(.playing) = first.signal, !isWanted { continue }
            if case .prerolled = first.signal { isSeeking = false }
            if case .pipelineState(let state) = first.signal { run(state == .playing) }
            feed(first.signal)
        }
        if !isClosing, state.phase != .idle, platform.nowNs >= nextPollNs {
            nextPollNs = platform.nowNs + configuration.pollIntervalMs * 1_000_000
            feed(.poll(state.phase == .ready ? poll() : EnginePoll()))
            if !isClosing { onTick?(platform.nowNs, positionMs) }
        }
        guard state.phase != .idle else { return .max / 2 }
        return min(nextPollNs, signals.first?.dueNs ?? .max)
    }

    func close() {
        state.finish(at: platform.nowNs)
        for report in state.removeReports() { handler(report) }
    }

    private func feed(_ signal: EngineSignal) {
        state.handle(signal, at: platform.nowNs)
        for report in state.removeReports() {
            positionMs = report.positionMs ?? positionMs
            if case .loadStarted(let location) = report.event { arrive(location) }
            handler(report)
            if report.event == .playing { complain(report) }
        }
        for action in state.removeActions() { perform(action) }
    }

    /// The word of an item that is being opened comes as late as it is said of the item.
    private func arrive(_ location: String) {
        let lateMs = platform.web.processMs(at: location)
        if lateMs > 0 { platform.sleep(milliseconds: lateMs) }
    }

    private func complain(_ report: EngineReport) {
        for text in item.complaints {
            handler(EngineReport(timeNs: report.timeNs, positionMs: report.positionMs, event: .complained(text)))
        }
    }

    private func say(_ signal: EngineSignal, inMs delayMs: Int64) {
        let dueNs = platform.nowNs + delayMs * 1_000_000
        let index = signals.firstIndex { $0.dueNs > dueNs } ?? signals.endIndex
        signals.insert((dueNs, signal), at: index)
    }

    // MARK: - The pipeline

    private func perform(_ action: EngineAction) {
        switch action {
        case .open(let location): open(location)
        case .reopen, .pinRendition, .passHole: break
        case .selectAudio(let wish):
            guard item.tags.language != wish else { return }
            feed(.choiceRefused(.selectAudio(wish), reason: "there is no sound '\(wish)': the item has none"))
        case .selectSubtitles(let wish):
            if wish == "off" || item.subtitles.contains(wish) { return feed(.subtitlesChosen(language: wish)) }
            feed(.choiceRefused(.selectSubtitles(wish), reason: "there is no subtitle '\(wish)': the item has none"))
        case .setPlaying:
            isWanted = true
            say(.pipelineState(.playing), inMs: 1)
        case .setPaused:
            isWanted = false
            say(.pipelineState(.paused), inMs: 1)
        case .seek(let purpose): seek(purpose)
        case .setVolume(let newVolume):
            volume = newVolume
            feed(.volume(volume, muted: isMuted))
        case .setMuted(let muted):
            isMuted = muted
            feed(.volume(volume, muted: muted))
        case .close: isClosing = true
        }
    }

    private func open(_ location: String) {
        item = platform.web.media(at: location)
        isNetwork = location.contains("://")
        let manifest = item.media.isAdaptive ? platform.web.text(at: location) : nil
        if let fault = item.fault {
            if case .silent = fault, let manifest { say(.manifest(manifest), inMs: 8) }
            say(fault, of: location, inMs: 12)
            return
        }
        if !item.chapters.isEmpty { feed(.chapters(item.chapters)) }
        if isNetwork { say(.request(EngineRequest(url: location, status: 200)), inMs: 5) }
        if let manifest { say(.manifest(manifest), inMs: 8) }
        for playlist in item.playlists {
            var request = EngineRequest(url: playlist, status: 200)
            request.isOfDemuxer = true
            say(.transfer(request), inMs: 9)
        }
        if isNetwork {
            say(.buffering(percent: 1), inMs: 10)
            say(.buffering(percent: 100), inMs: item.startupMs - 2 + item.stillMs)
        }
        say(.tags(item.tags, nil, bitrate: nil), inMs: item.startupMs - 1)
        if item.media.hasVideo {
            say(.videoFormat(item.rendition), inMs: item.startupMs - 1)
            say(.firstFrame, inMs: item.startupMs)
        }
        say(.prerolled(item.media, positionMs: 0), inMs: item.startupMs)
    }

    private func say(_ fault: SimulatedMedia.Fault, of location: String, inMs delayMs: Int64) {
        let stream = "gst-stream-error-quark"
        let resource = "gst-resource-error-quark"
        switch fault {
        case .status(let status):
            say(.request(EngineRequest(url: location, status: status)), inMs: delayMs - 2)
            say(.error(RawEngineError(domain: resource, code: 3, httpStatus: status)), inMs: delayMs)
        case .noFile:
            say(.error(RawEngineError(domain: resource, code: 3, message: "Resource not found.")), inMs: delayMs)
        case .garbage:
            if isNetwork { say(.request(EngineRequest(url: location, status: 200)), inMs: delayMs - 2) }
            say(.error(RawEngineError(domain: stream, code: 4, message: "no known type")), inMs: delayMs)
        case .connectionLost: say(.error(RawEngineError(domain: resource, code: 9, httpStatus: 0)), inMs: delayMs)
        case .crash: say(.openFailed(.engineCrashed, "it is simulated"), inMs: delayMs)
        case .silent: break
        }
    }

    private func seek(_ purpose: SeekPurpose) {
        feed(.seekIssued(purpose, accepted: true))
        // What the pipeline was about to say of the place before is gone with it.
        signals.removeAll { if case .endOfStream = $0.signal { true } else { false } }
        hasEnded = false
        let isPlaying = isRunning
        run(false)
        isSeeking = true
        var targetMs = placeNs / 1_000_000
        switch purpose {
        case .position(let newMs), .again(let newMs, _): targetMs = newMs
        case .rate(let newRate): rate = newRate
        case .resume(let atMs): targetMs = atMs
        case .begin(let atMs):
            targetMs = atMs
            if item.media.hasVideo { say(.firstFrame, inMs: 20) }
        }
        placeNs = targetMs * 1_000_000
        if isNetwork {
            say(.buffering(percent: 0), inMs: 4)
            say(.buffering(percent: 100), inMs: 18)
        }
        if targetMs >= endMs {
            say(.endOfStream(mediaEndMs: endMs), inMs: 20)
            return
        }
        say(.prerolled(item.media, positionMs: targetMs), inMs: 20)
        if isPlaying { say(.pipelineState(.playing), inMs: 21) }
    }

    private var endMs: Int64 { item.endMs ?? item.media.durationMs ?? .max / 1_000_000 }

    // MARK: - Time

    private func run(_ runs: Bool) {
        move()
        // The sink's clock and the last frame are not one.
        if isRunning, !runs { placeNs = max(0, placeNs - 3_000_000) }
        isRunning = runs
    }

    /// Brings the playhead to now, and says what happens on the way.
    private func move() {
        let nowNs = platform.nowNs
        let passedNs = nowNs - placeAtNs
        placeAtNs = nowNs
        guard isRunning, !isSeeking, !hasEnded else { return }
        guard nowNs >= frozenUntilNs else { return }
        let beforeMs = placeNs / 1_000_000
        playedNs += passedNs
        placeNs += Int64(Double(passedNs) * rate)
        let nowMs = placeNs / 1_000_000
        if let index = item.stalls.firstIndex(where: { (beforeMs..<nowMs).contains($0.positionMs) }) {
            let stall = item.stalls.remove(at: index)
            placeNs = stall.positionMs * 1_000_000
            isRunning = false
            say(.buffering(percent: 0), inMs: 0)
            say(.buffering(percent: 100), inMs: stall.lengthMs)
        }
        if let index = item.freezes.firstIndex(where: { (beforeMs..<nowMs).contains($0.positionMs) }) {
            let freeze = item.freezes.remove(at: index)
            placeNs = freeze.positionMs * 1_000_000
            frozenUntilNs = nowNs + freeze.lengthMs * 1_000_000
            return
        }
        if let (faultMs, fault) = item.faultAt, nowMs >= faultMs {
            item.faultAt = nil
            if case .silent = fault {
                isRunning = false
                say(.buffering(percent: 0), inMs: 0)
            } else {
                say(fault, of: state.location, inMs: 0)
            }
        }
        if nowMs >= endMs {
            placeNs = endMs * 1_000_000
            hasEnded = true
            say(.endOfStream(mediaEndMs: endMs), inMs: 15)
        }
    }

    private func poll() -> EnginePoll {
        var poll = EnginePoll()
        poll.positionMs = isSeeking ? nil : placeNs / 1_000_000
        poll.renderedFrames = item.media.hasVideo ? 1 + playedNs / 40_000_000 : 0
        poll.decoderInput = poll.renderedFrames
        poll.decoderOutput = poll.renderedFrames
        return poll
    }
}
