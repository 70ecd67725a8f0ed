import CGStreamer
import Glibc

/// The engine thread: it alone touches the state and gives orders to the pipeline.
final class EngineLoop {
    let configuration: EngineConfiguration
    let mailbox: Mailbox
    private let onTick: (@Sendable (_ timeNs: Int64, _ positionMs: Int64?) -> Void)?
    private let handler: @Sendable (EngineReport) -> Void
    private var state: PlaybackState
    private var pipeline: Pipeline?
    private var nextPollNs: Int64 = 0
    /// When the thread was last seen to run.
    private var awakeNs = MonotonicClock.nowNs()
    /// No load of a machine lets a wait of some milliseconds last so long.
    private static let longestGapNs: Int64 = 3_000_000_000
    /// After so much the pipeline may be farther on than the last look at it lets one expect.
    private static let lateGapNs: Int64 = 500_000_000
    private var isNetwork = false
    private var isClosing = false
    private var awaitsData = false
    private var isSettled = true
    /// What requests say of the media; nil when they say nothing of it.
    private let reporting: CMCDReporting?

    init(
        configuration: EngineConfiguration,
        mailbox: Mailbox,
        onTick: (@Sendable (_ timeNs: Int64, _ positionMs: Int64?) -> Void)? = nil,
        handler: @escaping @Sendable (EngineReport) -> Void
    ) {
        self.configuration = configuration
        self.mailbox = mailbox
        self.onTick = onTick
        self.handler = handler
        state = PlaybackState(configuration: configuration)
        reporting = configuration.requests.cmcd.form == .off ? nil : CMCDReporting(configuration)
    }

    /// Works until the item failed or was stopped.
    func run() {
        mailbox.progress.begin()
        pipeline = Pipeline(configuration: configuration, mailbox: mailbox, reporting: reporting)
        unsafe mailbox.setBus(pipeline?.bus)
        while !isClosing {
            guard let pipeline else {
                mailbox.waitForMail()
                readMail()
                continue
            }
            readMessages(of: pipeline)
            pollIfDue(pipeline)
        }
        close()
    }

    /// Takes all messages there are: one a round would lag behind the playback by seconds.
    private func readMessages(of pipeline: Pipeline) {
        readMail()
        let isIdle = state.phase == .idle
        let timeoutNs = isIdle ? GstClockTime.max : GstClockTime(configuration.pollIntervalMs * 1_000_000)
        var next = unsafe isClosing ? nil : gst_bus_timed_pop(pipeline.bus, timeoutNs)
        while let message = unsafe next {
            unsafe handle(message, from: pipeline)
            unsafe gst_message_unref(message)
            if isClosing { return }
            unsafe next = gst_bus_pop(pipeline.bus)
        }
    }

    private func handle(_ message: UnsafeMutablePointer<GstMessage>, from pipeline: Pipeline) {
        let reader = MessageReader(pipeline: pipeline)
        switch unsafe message.pointee.type {
        case GST_MESSAGE_APPLICATION:
            readMail()
        case GST_MESSAGE_ASYNC_DONE where unsafe reader.isFromPipeline(message):
            isSettled = true
            let media = pipeline.describeMedia(isNetwork: isNetwork)
            if media.isLive { pipeline.tap.waitAsLiveStreamsDo() }
            feed(.prerolled(media, positionMs: pipeline.positionMs))
        default:
            isSettled = unsafe isSettled || message.pointee.type == GST_MESSAGE_ERROR
            guard let signal = unsafe reader.signal(in: message) else { return }
            feed(withHost(signal))
        }
    }

    /// Adds to an error without an answer whether the host is known at all, and whether a secure connection can be made
    /// to it, as libsoup gives a reason rarely or never.
    private func withHost(_ signal: EngineSignal) -> EngineSignal {
        guard case .error(var raw) = signal, state.phase == .loading, isNetwork,
            (raw.httpStatus ?? 0) < 100, state.lastRequest?.status == nil
        else { return signal }
        raw.isHostUnknown = HostLookup.isUnknown(hostOf: state.location)
        if !raw.isHostUnknown { raw.tlsProblem = HTTPFetch.tlsProblem(of: state.location, as: configuration.requests) }
        return .error(raw)
    }

    private func readMail() {
        for entry in mailbox.removeAll() where !isClosing { feed(entry.signal, at: entry.timeNs) }
    }

    private func pollIfDue(_ pipeline: Pipeline) {
        let nowNs = MonotonicClock.nowNs()
        guard !isClosing, nowNs >= nextPollNs else { return }
        nextPollNs = nowNs + configuration.pollIntervalMs * 1_000_000
        let poll = state.phase == .ready ? pipeline.poll() : EnginePoll()
        reporting?.observe(poll)
        feed(.poll(poll))
        if !isClosing, state.phase != .idle { onTick?(nowNs, state.playhead.positionMs) }
        awakeNs = MonotonicClock.nowNs()
    }

    private func feed(_ signal: EngineSignal, at timeNs: Int64 = MonotonicClock.nowNs()) {
        checkForStop()
        state.handle(signal, at: timeNs)
        mailbox.progress.positionMs = state.playhead.positionMs
        deliverReports()
        for action in state.removeActions() { perform(action) }
        awakeNs = MonotonicClock.nowNs()
    }

    /// Tells the state of a stop of the process, whether it met the thread as it waited or as it worked.
    ///
    /// What the host does with a report and how long a seek takes does not count: the pipeline plays on meanwhile.
    private func checkForStop() {
        let nowNs = MonotonicClock.nowNs()
        let gapNs = nowNs - awakeNs
        awakeNs = nowNs
        guard state.phase != .idle, gapNs > Self.lateGapNs else { return }
        feed(gapNs > Self.longestGapNs ? .stopped(forNs: gapNs) : .delayed)
    }

    private func deliverReports() {
        for var report in state.removeReports() {
            if case .failed(let error) = report.event {
                // Nothing more is to be expected of the load.
                isSettled = true
                let event = EngineEvent.failed(withSegment(error))
                report = EngineReport(timeNs: report.timeNs, positionMs: report.positionMs, event: event)
            }
            reporting?.follow(report)
            handler(report)
        }
    }

    /// Says of a stream that does not go on, or is said to be damaged, when a segment of it is none.
    private func withSegment(_ error: EngineError) -> EngineError {
        guard [.corrupt, .notMedia, .loadTimeout, .stalled].contains(error.code), let url = pipeline?.tap.wholeFile
        else {
            return error
        }
        var error = error
        error.code = .corrupt
        error.detail = "\(url) is a whole MP4 file: segments of MP4 have to be fragments"
        return error
    }

    private func perform(_ action: EngineAction) {
        switch action {
        case .open(let location): open(location)
        case .reopen:
            pipeline?.setState(GST_STATE_READY)
            pipeline?.setState(GST_STATE_PAUSED)
        case .setPlaying: pipeline?.setState(GST_STATE_PLAYING)
        case .setPaused: pipeline?.setState(GST_STATE_PAUSED)
        case .passHole(let targetMs, let rate):
            let isPassed = pipeline?.pass(toMs: targetMs, rate: rate) ?? false
            awakeNs = MonotonicClock.nowNs()
            feed(.holePassed(toMs: targetMs, isPassed: isPassed))
        case .seek(let purpose): perform(purpose)
        case .setVolume(let volume): changeSound { $0.set("volume", String(volume)) }
        case .setMuted(let muted): changeSound { $0.set("mute", muted ? "true" : "false") }
        case .selectAudio(let wish):
            guard let pipeline, let reason = unsafe pipeline.tracks.select(audio: wish, in: pipeline.element) else {
                return
            }
            feed(.choiceRefused(.selectAudio(wish), reason: reason))
        case .selectSubtitles(let wish):
            guard let pipeline else { return }
            switch pipeline.tracks.subtitles(wish, besides: pipeline.tap.hiddenTexts) {
            case .success(let language): feed(.subtitlesChosen(language: language))
            case .failure(let absence): feed(.choiceRefused(.selectSubtitles(wish), reason: absence.description))
            }
        case .pinRendition(let maxBitrate): pipeline?.tap.pin(maxBitrate: maxBitrate)
        case .close(let awaitsData):
            isClosing = true
            self.awaitsData = awaitsData
        }
    }

    private func perform(_ purpose: SeekPurpose) {
        guard let pipeline else { return }
        let startNs = MonotonicClock.nowNs()
        let accepted =
            switch purpose {
            case .position(let targetMs), .again(let targetMs, _): pipeline.seek(toMs: targetMs, rate: state.rate)
            case .rate(let rate): pipeline.seek(toMs: pipeline.positionMs ?? 0, rate: rate)
            case .resume(let atMs), .begin(let atMs): pipeline.seek(toMs: atMs, rate: state.rate)
            }
        awakeNs = MonotonicClock.nowNs()
        if accepted { pipeline.tap.giveUpTransfers(beganBefore: startNs) }
        feed(.seekIssued(purpose, accepted: accepted), at: startNs)
    }

    private func open(_ location: String) {
        guard let pipeline else { return feed(.openFailed(.engineMissing, "playbin3 or fakesink")) }
        let target: MediaLocation
        do throws(MediaLocation.Refusal) {
            target = try MediaLocation(location)
        } catch { return feed(.openFailed(error.code, error.detail)) }
        isNetwork = MediaLocation.isNetwork(location)
        if let path = target.path {
            guard !LocalPlaylist.isPlaylist(path) else {
                let detail = "GStreamer fetches playlists over HTTP only: serve its folder over http"
                feed(.openFailed(.unsupportedScheme, detail))
                return
            }
            let chapters = FileChapters.read(path)
            if !chapters.isEmpty { feed(.chapters(chapters)) }
        }
        guard OutgoingRequests.shared.begin(configuration.requests, reporting: reporting) else {
            let path = configuration.requests.certificatesPath ?? ""
            return feed(.openFailed(.tlsFailed, "the certificates of '\(path)' cannot be used"))
        }
        pipeline.setLocation(target.uri)
        isSettled = false
        // A failure puts its reason on the bus.
        pipeline.setState(GST_STATE_PAUSED)
    }

    private func changeSound(_ change: (GObjectProperties) -> Void) {
        guard let pipeline else { return }
        let properties = unsafe GObjectProperties(pipeline.element)
        change(properties)
        feed(.volume(properties.double("volume") ?? 1, muted: properties.bool("mute") ?? false))
    }

    private func close() {
        unsafe mailbox.setBus(nil)
        release()
        state.finish(at: MonotonicClock.nowNs())
        deliverReports()
    }

    private func release() {
        guard let pipeline else { return }
        if !isSettled { pipeline.awaitSettled(limitMs: configuration.stopDrainMs) }
        if pipeline.tap.isAdaptive {
            pipeline.drainDownloads(limitMs: configuration.stopDrainMs, awaitsData: awaitsData)
        }
        let closer = PipelineCloser(pipeline)
        self.pipeline = nil
        _ = closer.close(limitMs: configuration.stopLimitMs)
    }
}

/// Asks the system for a host when the engine only says that nobody answered.
enum HostLookup {
    /// Whether no host of that name is known; false when that cannot be said, or a proxy is asked instead of it.
    static func isUnknown(hostOf location: String) -> Bool {
        guard !usesProxy, let host = host(of: location) else { return false }
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let status = unsafe getaddrinfo(host, nil, &hints, &found)
        if let found = unsafe found { unsafe freeaddrinfo(found) }
        return [EAI_NONAME, EAI_AGAIN, nameWithoutAddress].contains(status)
    }

    /// `EAI_NODATA`, which Swift does not see: the name is known and has no address.
    private static let nameWithoutAddress: Int32 = -5

    private static var usesProxy: Bool {
        ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].contains { (name: String) in
            guard let value = unsafe getenv(name) else { return false }
            return unsafe value.pointee != 0
        }
    }

    /// The name in an address, without a user before and a port behind it.
    static func host(of location: String) -> String? {
        guard let scheme = location.firstRange(of: "://"),
            ["http", "https"].contains(location[..<scheme.lowerBound].lowercased())
        else { return nil }
        let authority = location[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let place = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let host = place.first == "[" ? place.dropFirst().prefix { $0 != "]" } : place.prefix { $0 != ":" }
        return host.isEmpty ? nil : String(host)
    }
}
