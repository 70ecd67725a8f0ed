internal import Chapters
package import EventModel
internal import MediaRules
internal import Tally

/// Turns what a player tells into track calls, by the same rules for all players that are not Tally's own.
///
/// Pure: times come with the signals, and nothing is asked for. A load is held until it is no redirect, a halt within
/// a wait for data is told apart from a pause, seeks are merged, counters become totals that never fall, and an end
/// before the duration is an error.
package struct SignalCourse: Sendable {
    /// How long a load is held at most while nobody knows whether it is a redirect.
    private static let heldNs: Int64 = 250_000_000
    /// How far before its duration an item may end.
    private static let endToleranceMs: Int64 = 1_000

    /// When the last signal came, ns of its clock.
    package private(set) var nowNs: Int64
    /// What is known of the player.
    var known = SignalledCall.Known()
    /// The item that is open.
    var item: SignalledItem?
    var wantsPlaying = false
    /// Whether the player's clock runs; nil for players that do not tell.
    var isRunning: Bool?
    var dropped: [UInt: RunningTotal] = [:]
    var rendered = RunningTotal()

    private var calls: [SignalledCall] = []
    /// When the load happened that is told now.
    private var loadNs: Int64?
    private let beginNs: Int64
    private let player: [TrackedCall.Attribute]

    /// Begins to follow a player, of which attributes such as `player_name` are known.
    package init(player: [TrackedCall.Attribute], at timeNs: Int64) {
        self.player = player
        beginNs = timeNs
        nowNs = timeNs
        call(.event(.applicationLaunched))
        call(.event(.playerReady))
    }

    /// The calls since the last time, oldest first.
    package mutating func removeCalls() -> [SignalledCall] {
        defer { calls = [] }
        return calls
    }

    /// Follows a signal, and what the time since the last one has brought.
    package mutating func handle(_ signal: PlayerSignal, at timeNs: Int64) {
        advance(to: timeNs)
        switch signal {
        case .opening(let url, let isWanted): open(url, isWanted)
        case .redirected: if item?.isLoaded == false { item = nil }
        case .opened(let media): opened(media)
        case .described(let attributes): describe(attributes)
        case .wanted(let isWanted): isWanted ? play() : pause()
        case .running(let isRunning): clockChanged(isRunning: isRunning)
        case .buffering(let percent): levelChanged(to: percent)
        case .seeking(let targetMs, let rate): seek(to: targetMs, rate)
        case .seeked(let positionMs): seekCompleted(at: positionMs)
        case .picture: pictureShown()
        case .position(let positionMs): playheadRead(positionMs)
        case .format(let format): formatChanged(to: format)
        case .bitrate(let bitrate, let stream): item?.renditions.streamBitrate(bitrate, of: stream)
        case .variant(let bitrate): variantChosen(bitrate)
        case .dropped(let source, let count, let isEvent): countDropped(source, count, isEvent)
        case .rendered(let count): countRendered(count)
        case .throughput(let rate): if rate > 0 { known.state.throughput = rate }
        case .buffered(let length): known.quality.set("buffer_length_ms", .int(length))
        case .setting(let setting): change(setting)
        case .chapters(let found): list(found)
        case .request(let request): answered(request)
        case .missingDecoder(let mediaType, let name):
            item?.missingDecoders.append(MissingDecoder(mediaType: mediaType, name: name))
        case .failed(let raw): fail(raw)
        case .ended(let isLimited): end(isLimited: isLimited)
        case .closed(let cause): close(cause: cause)
        }
    }

    /// Lets the time pass: an item that is held long enough is one, a halt that lasts is a pause.
    package mutating func advance(to timeNs: Int64) {
        nowNs = max(nowNs, timeNs)
        if let item, !item.isLoaded, nowNs - item.openedNs >= Self.heldNs { load() }
        if let pauseNs = item?.pauseNs, nowNs >= pauseNs {
            item?.pauseNs = nil
            if isRunning == false { pause() }
        }
    }

    /// Ends the session and tells that the application ends.
    package mutating func finish(at timeNs: Int64) {
        advance(to: timeNs)
        close()
        call(.event(.applicationTerminated, [.init("running_time_ms", .int((nowNs - beginNs) / 1_000_000))]))
    }

    /// Adds a call, behind what more is known of the item.
    mutating func call(_ call: SignalledCall.Call) {
        if item?.isDescriptionNew == true {
            item?.isDescriptionNew = false
            append(.event(.metadataChange))
        }
        append(call)
    }

    private mutating func append(_ call: SignalledCall.Call) {
        calls.append(SignalledCall(timeNs: loadNs ?? nowNs, call: call, known: known))
    }

    // MARK: - Items

    private mutating func open(_ url: String, _ isWanted: Bool?) {
        close()
        if let isWanted { wantsPlaying = isWanted }
        let url = SignalledItem.withoutPassword(url)
        let name = SignalledItem.name(of: url)
        known.video = player
        known.video.set("video_id", .string(name))
        known.video.set("video_name", .string(name))
        known.video.set("video_url", .string(url))
        item = SignalledItem(url: url, openedNs: nowNs, wantsPlaying: wantsPlaying)
    }

    /// The item is no redirect: its session begins.
    mutating func load() {
        guard item?.isLoaded == false else { return }
        let knownNow = known
        let isDescribed = item?.isDescriptionNew ?? false
        item?.isDescriptionNew = false
        item?.isLoaded = true
        // A load that was held happened as it was told, and nothing was told since. It says what is known of the item,
        // and nothing of what has been measured meanwhile.
        loadNs = item?.openedNs
        (known.state.playhead, known.state.throughput, known.quality) = (nil, nil, [])
        call(.event(.videoLoad))
        if wantsPlaying { begin() }
        (loadNs, known) = (nil, knownNow)
        item?.isDescriptionNew = isDescribed
        tellHeld()
    }

    /// What came while the load was held, and is told of a session.
    private mutating func tellHeld() {
        guard let held = item?.held else { return }
        item?.held = SignalledItem.Held()
        for request in held.requests { answered(request) }
        if let bitrate = held.variant { variantChosen(bitrate) }
        if let visible = item?.renditions.visible { show(visible) }
        if let level = item?.level, level < 100 { wait() }
    }

    private mutating func opened(_ media: OpenedMedia) {
        guard let item else { return }
        let before = known
        if let durationMs = media.durationMs { known.state.duration = durationMs }
        if let isLive = media.isLive {
            known.state.isLive = isLive
            if isLive { known.state.duration = -1 }
            known.video.set("stream_type", .string(isLive ? "live" : "vod"))
        }
        if let hasVideo = media.hasVideo { known.state.isAudioOnly = !hasVideo }
        known.state.droppedFrames = known.state.droppedFrames ?? 0
        self.item?.isOpened = true
        if known != before || !item.isOpened { self.item?.isDescriptionNew = true }
        load()
        startIfMoving()
    }

    private mutating func describe(_ attributes: [TrackedCall.Attribute]) {
        guard item != nil else { return }
        let before = known.video
        for attribute in attributes { known.video.set(attribute.name, attribute.value) }
        if known.video != before { item?.isDescriptionNew = true }
    }

    // MARK: - Ends

    private mutating func fail(_ raw: RawEngineError) {
        load()
        guard let item else { return }
        let rules = FailureRules(isLoaded: item.isOpened, item.requests, item.missingDecoders)
        tellFatal(rules.error(raw, of: item.url))
    }

    private mutating func tellFatal(_ error: EngineError) {
        call(.playerError(error.code.rawValue, PlayerErrorDetails(error, fatal: true)))
        unload()
    }

    /// The item is over, which is its end if all of it was played.
    private mutating func end(isLimited: Bool) {
        guard let item else { return }
        load()
        endFreeze()
        let durationMs = known.state.isLive == true ? nil : known.state.duration
        if let durationMs, durationMs - (reachedMs ?? 0) > Self.endToleranceMs {
            if isLimited { return unload(cause: "limited") }
            return tellFatal(EngineError(code: .truncated, location: item.url))
        }
        if let durationMs, durationMs > 0 { known.state.playhead = durationMs }
        tell(self.item?.chapters.ended() ?? [])
        call(.event(.complete))
        unload()
    }

    /// Where the playhead is by now, as it moved on since it was looked at: a look is up to a second of media ago when
    /// playback is fast.
    var reachedMs: Int64? {
        guard let item, let playheadMs = known.state.playhead else { return nil }
        guard wantsPlaying, item.hasStarted, !item.isSeeking, !item.waits.isEngineWaiting else { return playheadMs }
        let sinceMs = min((nowNs - item.readNs) / 1_000_000, Self.endToleranceMs)
        return playheadMs + sinceMs * Int64(known.state.rate ?? 1_000) / 1_000
    }

    /// The item is closed, wherever it stands.
    private mutating func close(cause: String? = nil) {
        if item?.isLoaded == true { unload(cause: cause) }
        forgetItem()
    }

    private mutating func unload(cause: String? = nil) {
        call(.event(.videoUnload, cause.map { [.init("cause", .string($0))] } ?? []))
        forgetItem()
    }

    /// What the player is set to outlasts its items, and its counters go on where they stand.
    private mutating func forgetItem() {
        item = nil
        var state = ReportedState()
        (state.volume, state.isMuted, state.rate) = (known.state.volume, known.state.isMuted, known.state.rate)
        (state.isFullscreen, state.playerSize) = (known.state.isFullscreen, known.state.playerSize)
        known = SignalledCall.Known(state: state)
        for source in dropped.keys { dropped[source]?.restart() }
        rendered.restart()
    }
}
