internal import PluginABI
internal import PluginKit

/// Watches one player: its views one after another, what was sent of them, and what waits.
///
/// It appears with the first event of the player and lives until the player is destroyed.
final class PlayerMonitor {
    /// Where the content stands, as Mux sees it.
    enum Phase: Int, StateValue {
        static var blank: Phase { .paused }

        /// It is not to play: before `play`, after `pause`, an end or an error.
        case paused
        /// `play` was said, `playing` not yet.
        case waiting
        /// `playing` was said.
        case playing
    }

    let host: TrackerHost
    /// The player's name: one name is one player.
    let name: String
    let records: RecordWriter
    let queue: BeaconQueue
    let fields = FieldValues()
    var configuration: MuxConfiguration
    var session: ViewerSession

    // The instant that is being handled.
    var time: Int64
    var now: Int64
    var playhead: Int64?

    // The view.
    var isViewOpen = false
    var metrics = ViewMetrics()
    var clock = WatchClock()
    var detector = RebufferDetector()
    var viewCount: Int64 = 0
    var viewSequence: Int64 = 0
    var playerSequence: Int64 = 0

    // The player.
    var phase = Phase.paused
    /// Whether the viewer wants the content to play.
    var isWanted = false
    /// Whether the player said that it is paused.
    var isPauseTold = false
    var isVideoLoaded = false
    var hadVideo = false
    var isFrameShown = false
    var isBuffering = false
    var hasEnded = false
    var needsPlayAfterSeek = false
    var rebufferStart: Int64?
    var lastPlayhead: Int64?
    var lastRate: Int64 = 1000
    /// From the player's making until it was ready, ms.
    var startupTime: Int64?

    // Ads.
    var isInBreak = false
    var isBreakDerived = false
    var isAdOpen = false
    var isAdPaused = false
    var lastQuartile: Int64 = 0

    // Data.
    /// When the player was made, ms since 1970.
    var initialisedAt: Int64 = 0
    /// Fields that the configuration decides.
    var configured = FieldSet()
    /// Fields that the application decides.
    var applied = FieldSet()
    var isGlobalDataSaid = false
    var toldRate: Int64?
    var rendition: MediaRendition?
    var knownRenditions: [MediaRendition] = []
    var isLive: Bool?

    // Sending.
    private(set) var startedAt: Int64
    var lastActivity: Int64
    var lastSent: Int64 = 0
    var heartbeatTimer: TimerID?
    var flushTimer: TimerID?
    var isRateExceeded = false

    init(
        _ configuration: MuxConfiguration,
        name: String,
        session: ViewerSession,
        host: TrackerHost,
        at time: Int64,
        viewerTime: Int64
    ) {
        self.configuration = configuration
        self.name = name
        self.session = session
        self.host = host
        records = RecordWriter(host, player: name)
        queue = BeaconQueue(configuration, host: host)
        self.time = time
        now = viewerTime
        startedAt = time
        playhead = nil
        lastActivity = viewerTime
    }

    /// Carries all that is known of the player, for a replacement.
    func carry(by transfer: StateTransfer) {
        transfer.carry(&session)
        transfer.carry(&time)
        transfer.carry(&now)
        transfer.carry(&playhead)
        fields.carry(by: transfer)
        queue.carry(by: transfer)
        carryView(by: transfer)
        carryPlayer(by: transfer)
        transfer.carry(&startedAt)
        transfer.carry(&lastActivity)
        transfer.carry(&lastSent)
        transfer.carry(&heartbeatTimer)
        transfer.carry(&flushTimer)
        transfer.carry(&isRateExceeded)
    }

    private func carryView(by transfer: StateTransfer) {
        transfer.carry(&isViewOpen)
        transfer.carry(&metrics)
        transfer.carry(&clock)
        transfer.carry(&detector)
        transfer.carry(&viewCount)
        transfer.carry(&viewSequence)
        transfer.carry(&playerSequence)
    }

    private func carryPlayer(by transfer: StateTransfer) {
        transfer.carry(&phase)
        transfer.carry(&isWanted)
        transfer.carry(&isPauseTold)
        transfer.carry(&isVideoLoaded)
        transfer.carry(&hadVideo)
        transfer.carry(&isFrameShown)
        transfer.carry(&isBuffering)
        transfer.carry(&hasEnded)
        transfer.carry(&needsPlayAfterSeek)
        transfer.carry(&rebufferStart)
        transfer.carry(&lastPlayhead)
        transfer.carry(&lastRate)
        transfer.carry(&startupTime)
        transfer.carry(&isInBreak)
        transfer.carry(&isBreakDerived)
        transfer.carry(&isAdOpen)
        transfer.carry(&isAdPaused)
        transfer.carry(&lastQuartile)
        transfer.carry(&initialisedAt)
        transfer.carry(&configured)
        transfer.carry(&applied)
        transfer.carry(&isGlobalDataSaid)
        transfer.carry(&toldRate)
        transfer.carry(&rendition)
        transfer.carry(&knownRenditions)
        transfer.carry(&isLive)
    }

    /// Whether a stall goes on.
    var isRebuffering: Bool { rebufferStart != nil }

    /// Whether the player neither plays nor tries to.
    var isPaused: Bool { isInBreak ? isAdPaused : phase == .paused }

    // MARK: - Time

    /// Takes over when and where something happens.
    @inline(__always)
    func enter(_ moment: Moment) {
        time = moment.time
        now = moment.viewerTime
        playhead = moment.player.playheadMilliseconds
    }

    /// Brings everything that is measured up to the instant; what the instant changes comes afterwards.
    func look(_ moment: Moment) {
        count()
        if moment.isReported, let reported = moment.player.reportedPlayheadMilliseconds {
            lookAtPlayhead(reported, rate: Int64(moment.player.rateMilli ?? 1000))
        }
        if isViewOpen, let start = rebufferStart, now - start > Self.longestRebuffer {
            endView()
        }
    }

    /// Counts watched time.
    func count() {
        let passed = clock.count(as: currentPart, until: now)
        guard isInBreak, passed > 0 else { return }
        metrics.breakTime += passed
        if isAdOpen, !isAdPaused { metrics.contentPlayback += passed }
    }

    private var currentPart: WatchClock.Part {
        if isInBreak { return isAdOpen ? .ad : .waiting }
        if metrics.seeks.isSeeking { return .seeking }
        if isRebuffering { return .rebuffering }
        return phase == .playing ? .content : .waiting
    }

    /// A stall that lasts longer ends the view, ms.
    static let longestRebuffer: Int64 = 300_000

    // MARK: - Events out

    /// Says an event, and puts it among those that wait for a beacon.
    ///
    /// - Parameters:
    ///   - event: what happened.
    ///   - viewerTime: when it happened, if that was found out afterwards.
    ///   - isUrgent: whether what waits is sent at once.
    func emit(_ event: MuxEvent, at viewerTime: Int64? = nil, isUrgent: Bool? = nil) {
        guard isViewOpen else { return }
        fields.set(.viewerTime, viewerTime ?? now)
        fields.set(.playerIsPaused, isPaused)
        fields.set(.playerPlayheadTime, ifKnown: playhead)
        guard event.isSent else {
            _ = records.write(event, fields)
            return
        }
        fields.set(.event, event.rawValue)
        viewSequence += 1
        playerSequence += 1
        fields.set(.viewSequenceNumber, viewSequence)
        fields.set(.playerSequenceNumber, playerSequence)
        refreshMetrics()
        let record = records.write(event, fields)
        guard !isRateExceeded else { return }
        queue.append(event, fields, record: record, at: viewerTime ?? now)
        if !event.isRequest {
            lastSent = time
            armHeartbeat()
        }
        if isUrgent ?? event.isUrgent { queue.flush(fields) } else { armFlush() }
        if event == .eventrateexceeded {
            isRateExceeded = true
        } else if queue.isFull {
            emit(.eventrateexceeded)
        }
    }

    // MARK: - Timers

    /// Time between two beacons, us.
    static let flushInterval: Int64 = 10_000_000
    /// A heartbeat comes so long after the last event, us.
    static let heartbeatInterval: Int64 = 10_000_000

    private func armFlush() {
        guard flushTimer == nil else { return }
        let passed = (time - startedAt) / Self.flushInterval
        flushTimer = host.startTimer(at: startedAt + (passed + 1) * Self.flushInterval, scope: .instance)
    }

    private func armHeartbeat() {
        guard heartbeatTimer == nil, !isPaused else { return }
        heartbeatTimer = host.startTimer(at: time + Self.heartbeatInterval, scope: .instance)
    }

    /// Handles a timer of the host.
    func timerFired(_ timer: TimerID, at moment: Moment) {
        if timer == flushTimer {
            flushTimer = nil
            queue.flush(fields)
        } else if timer == heartbeatTimer {
            heartbeatTimer = nil
            beat(moment)
        }
    }

    private func beat(_ moment: Moment) {
        guard isViewOpen, !isPaused else { return }
        let due = lastSent + Self.heartbeatInterval
        guard due <= moment.time else {
            heartbeatTimer = host.startTimer(at: due, scope: .instance)
            return
        }
        enter(moment)
        look(moment)
        lastActivity = now
        takeScalingSample()
        emit(.hb)
    }
}
