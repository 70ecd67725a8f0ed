internal import PluginABI
internal import PluginKit

/// Watches one player: its views one after another.
///
/// It appears with the first event of the player and lives until the player is destroyed. What is known, measured and
/// waiting to be sent is kept by its parts; here is the order in which an event goes through them.
struct PlayerMonitor: ~Copyable {
    let host: TrackerHost
    /// The player's name: one name is one player.
    let name: String
    /// Whether a sleep of the machine is over when it is told, as by the first rules of archives.
    let isSleepToldAtEnd: Bool
    var configuration: MuxConfiguration
    var session: ViewerSession

    // The instant that is being handled: time of the run, us; wall clock, ms; place in the content, ms.
    var time: Int64
    var now: Int64
    private var playhead: Int64?
    /// How far playing has moved the playhead since the report before, ms.
    var step: Int64 = 0

    // What is known, and where it goes.
    var fields = FieldValues()
    var data: DataObjects
    var player = PlayerData()
    var output: EventOutput

    // Where playback stands.
    var playback: PlaybackState
    var adBreak = AdBreak()
    var detector = StallDetector()

    // The view.
    var isViewOpen = false
    var viewCount: Int64 = 0
    var metrics = ViewMetrics()
    var clock = WatchClock()

    /// Whether a video was loaded since the player appeared.
    var hadVideo: Bool
    /// From the player's making until it was ready, ms.
    var startupTime: Int64?
    /// When the player was heard of last, ms.
    var lastActivity: Int64

    init(
        _ configuration: MuxConfiguration,
        name: String,
        session: ViewerSession,
        host: TrackerHost,
        at time: Int64,
        viewerTime: Int64,
        isVideoLoaded: Bool,
        isGlobalDataSaid: Bool,
        isSleepToldAtEnd: Bool
    ) {
        self.configuration = configuration
        self.name = name
        self.session = session
        self.host = host
        self.time = time
        now = viewerTime
        lastActivity = viewerTime
        hadVideo = isVideoLoaded
        playback = PlaybackState(isVideoLoaded: isVideoLoaded)
        self.isSleepToldAtEnd = isSleepToldAtEnd
        data = DataObjects(isGlobalDataSaid: isGlobalDataSaid)
        output = EventOutput(configuration, player: name, host: host, at: time)
    }

    /// Whether the player neither plays nor tries to.
    var isPaused: Bool { adBreak.isOpen ? adBreak.isAdPaused : playback.phase == .paused }

    // MARK: - Time

    /// Makes a moment the instant that is being handled.
    @inline(__always)
    mutating func enter(_ moment: Moment) {
        time = moment.time
        now = moment.epochMilliseconds
        playhead = moment.player.playheadMilliseconds
    }

    /// Brings everything that is measured up to the instant; what the instant changes comes afterwards.
    mutating func measure(_ moment: Moment, isTimer: Bool = false) {
        countWatchedTime()
        step = 0
        // A report counts in the event that brings it.
        let isReported = unsafe !isTimer && moment.player.raw.pointee.reported_age_us == 0
        if isReported, let reported = moment.player.reportedPlayheadMilliseconds {
            measure(playhead: reported, rate: Int64(moment.player.rateMilli ?? 1000))
        }
        if isViewOpen, let start = metrics.stalls.openSince, now - start > Self.longestStall { endView() }
    }

    /// Counts watched time up to the instant.
    mutating func countWatchedTime() {
        let passed = clock.count(as: watchedPart, until: now)
        guard adBreak.isOpen, passed > 0 else { return }
        metrics.countBreak(passed, isAdPlaying: adBreak.isAdPlaying)
    }

    private var watchedPart: WatchClock.Part {
        if adBreak.isOpen { return adBreak.part }
        if metrics.seeks.isSeeking { return .seeking }
        if metrics.stalls.isOpen { return .rebuffering }
        return playback.phase == .playing ? .content : .waiting
    }

    /// A stall that lasts longer ends the view, ms.
    private static let longestStall: Int64 = 300_000

    // MARK: - Events out

    /// Says an event, which may have been found out afterwards, and puts it among those that wait for a beacon.
    ///
    /// With an urgent one, what waits is sent at once.
    mutating func emit(_ event: MuxEvent, at viewerTime: Int64? = nil, isUrgent: Bool? = nil) {
        guard isViewOpen else { return }
        setInstant(viewerTime ?? now)
        output.number(event, &fields)
        metrics.write(to: &fields, clock, at: now)
        let hasRoom = output.send(
            event,
            &fields,
            at: time,
            viewerTime: viewerTime ?? now,
            isUrgent: isUrgent ?? event.isUrgent
        )
        if !hasRoom { emit(.eventrateexceeded) }
    }

    /// Says a time update, which moves the playhead and is in no beacon.
    mutating func emitTimeUpdate() {
        guard isViewOpen else { return }
        setInstant(now)
        output.records.writeTimeUpdate(&fields)
    }

    @inline(__always)
    private mutating func setInstant(_ viewerTime: Int64) {
        fields.set(.viewerTime, viewerTime)
        fields.set(.playerIsPaused, isPaused)
        fields.set(.playerPlayheadTime, ifKnown: playhead)
    }

    // MARK: - Timers

    mutating func timerFired(_ timer: TimerID, at moment: Moment) {
        guard output.timerFired(timer, &fields), isViewOpen, !isPaused, output.isHeartbeatDue(at: moment.time) else {
            return
        }
        enter(moment)
        measure(moment, isTimer: true)
        lastActivity = now
        beginScalingSample()
        emit(.hb)
    }

    // MARK: - Questions

    var identifiers: JSONValue {
        var members: JSONObject = ["player": .string(name)]
        for field in [Field.muxViewerId, .viewerUserId, .playerInstanceId, .viewId] {
            guard let text = fields.text(field), field != .viewId || isViewOpen else { continue }
            members[field.name.string] = .string(text)
        }
        return .object(members)
    }
}
