internal import EventModel

/// What happened in a run so far, and the calls that its next report makes.
///
/// Reports come in the order in which they happened.
struct CMCDCourse {
    let options: CMCDOptions
    /// The calls that were not fetched yet.
    var calls: [TrackedCall] = []
    /// The time of what was played last, us since 1970.
    private(set) var knownUntil: Int64 = 0

    /// The session that goes on.
    var session: CMCDSession?
    /// How many sessions began.
    var sessions = 0
    /// What the session before was about.
    private var lastContent: String?
    /// The ads that are shown.
    var ads = CMCDAds()
    /// The total of dropped frames of the player, over all sessions.
    private(set) var droppedFrames: Int64?
    /// Whether the player is in the background, as far as it said so.
    var isInBackground: Bool?
    /// Whether the player ever said that it starts: some never do, and say "failed" of what is not fatal.
    private var saysStart = false
    /// The numbers of the source's reports so far.
    private var numbers = CMCDNumbers()
    /// What was said of the player and has not gone out with a call.
    private var unsaid = ReportedState()
    private var estimate: EstimatedPlayhead?

    /// The report that is played.
    var current = Moment()

    /// What the calls of one report share.
    struct Moment {
        var time: Int64 = 0
        var state = ReportedState()
        /// Attributes of quality.
        var quality: [TrackedCall.Attribute] = []
        /// How many calls there were before it.
        var firstCall = 0
        /// Whether the error that it says was told.
        var isErrorTold = false
    }

    /// Whose report it is.
    enum Reporter {
        case content
        case ad
        /// Another player of the session, which shows nothing now.
        case hidden
    }

    init(_ options: CMCDOptions) {
        self.options = options
    }

    /// Makes the calls of a report.
    mutating func play(_ report: HeldReport, _ queue: inout ReportQueue) {
        let record = report.record
        let time = max(report.time, knownUntil)
        if let end = ads.endOfOpened, end <= time {
            current = Moment(time: end, firstCall: calls.count)
            endBreak()
        }
        tellEstimates(before: time)
        current = Moment(time: time, firstCall: calls.count)
        if let step = report.clockStep { emitCustom("device_clock_step", [("step_ms", .int(step / 1000))]) }
        let reporter = reporter(of: record)
        switch reporter {
        case .content: playContent(report, &queue)
        case .ad: playAd(record)
        case .hidden:
            if record.event == .response { tellRequest(record) }
        }
        knownUntil = max(time, calls.last?.time ?? 0)
        finish(report, isClamped: report.time < time)
        if reporter == .content { planEstimate(report, queue) }
    }

    /// Ends the session that goes on, where its last report was.
    mutating func end(because reason: String) {
        guard session != nil else { return }
        current = Moment(time: knownUntil, firstCall: calls.count)
        endSession([TrackedCall.Attribute("ended_by", .string(reason))])
    }

    /// Puts attributes under names of their own on the last call that the report made.
    private mutating func finish(_ report: HeldReport, isClamped: Bool) {
        guard calls.count > current.firstCall else { return }
        let last = calls.count - 1
        calls[last].attributes += report.record.ownAttributes(all: options.keepsAllKeys)
        if report.isShifted || isClamped, let time = report.record.time { calls[last].set("cmcd_ts", .int(time)) }
    }

    /// Whose report it is: an ad's reporter has the ad's content id.
    func reporter(of record: CMCDRecord) -> Reporter {
        guard let content = record.string(.cid), content != session?.content else { return .content }
        if ads.ids.contains(content) { return .ad }
        switch record.event {
        case .adStart, .adEnd, .adSkipped: return .ad
        case .content, .adBreakStart, .adBreakEnd: return .content
        default:
            if ads.isAnyOpen { return .ad }
            return record.truth(.nr) == true && session?.content != nil ? .hidden : .content
        }
    }

    private mutating func playContent(_ report: HeldReport, _ queue: inout ReportQueue) {
        let record = report.record
        let isResponse = record.event == .response
        let isNewSource = !isResponse && report.time >= knownUntil && numbers.isRestart(record.integer(.sn))
        if isNewSource { numbers = CMCDNumbers() }
        if let number = record.integer(.sn) { numbers.insert(number) }
        saysStart = saysStart || record.state == .starting || record.state == .preloading
        if isNewSource {
            // The first report of a new source repeats the state of the one before.
            let isStale = record.state == session?.state && record.state != .starting
            if session != nil { endSession() }
            begin(record, state: isStale ? nil : record.state, report, &queue)
            session?.state = record.state
        } else if session == nil {
            // What comes late of a session that was ended opens none.
            guard sessions == 0 || (!isResponse && opensSession(record)) else { return }
            begin(record, state: record.state, report, &queue)
        } else {
            follow(report, &queue)
        }
        // A break that an ad has opened ends where the content is heard of again.
        if ads.isOpened, !ads.isAdOpen, !isResponse, record.string(.cid) != nil, !record.isOfAds { endBreak() }
        if record.truth(.bg) == true, isInBackground == nil, record.event != .background { enterBackground(true) }
        playEvent(report, &queue)
    }

    private func opensSession(_ record: CMCDRecord) -> Bool {
        switch record.state {
        case .preloading, .starting, .playing, .seeking, .rebuffering: true
        default: record.string(.cid) != nil && record.string(.cid) != lastContent
        }
    }

    /// A report of a session that goes on: its content, then its state.
    private mutating func follow(_ report: HeldReport, _ queue: inout ReportQueue) {
        let record = report.record
        let isResponse = record.event == .response
        let isAdsContent = record.event == .content && ads.isAnyOpen
        if !isResponse, !isAdsContent, let content = record.string(.cid), let now = session?.content, content != now,
            !options.contentIsProgramme
        {
            endSession()
            return begin(record, state: record.state, report, &queue)
        }
        let isNews = !isResponse && !isAdsContent && session?.learn(record, options) == true
        readFigures(record)
        if isNews { emit(.metadataChange, session?.videoAttributes ?? []) }
        guard !isResponse, let state = record.state else { return }
        if record.event == .playState || state != session?.state { enter(state, report, &queue) }
        session?.state = state
    }

    /// Whether failures of this player may be none: it never says that it starts, and gives no code.
    func mayFailLightly(_ codes: [String]) -> Bool { !saysStart && codes.isEmpty }
}

extension CMCDCourse {
    /// Begins a session with the report that is the first of it.
    mutating func begin(
        _ record: CMCDRecord,
        state: CMCDState?,
        _ report: HeldReport,
        _ queue: inout ReportQueue
    ) {
        let isLater = sessions > 0
        sessions += 1
        var opened = CMCDSession(droppedBefore: isLater ? droppedFrames ?? 0 : 0)
        _ = opened.learn(record, options)
        opened.state = state
        session = opened
        readFigures(record)
        var attributes = opened.videoAttributes
        let time = current.time
        switch state {
        case nil, .preloading, .starting, .waiting, .quit: break
        case .rebuffering where record.integer(.sn) ?? .max <= 1: break
        case .playing:
            // It played before it was heard of: since when, its start delay may tell.
            if let delay = record.integer(.msd), delay < 86_400_000 { current.time = time - delay * 1000 }
            if !isLater { attributes.append(TrackedCall.Attribute("cmcd_joined", .bool(true))) }
        default:
            if !isLater { attributes.append(TrackedCall.Attribute("cmcd_joined", .bool(true))) }
        }
        emit(.videoLoad, attributes)
        switch state {
        case nil, .preloading: return
        case .waiting, .starting, .quit: break
        case .playing:
            startPlay()
            current.time = time
        case .rebuffering where record.integer(.sn) ?? .max <= 1: startPlay()
        default: enter(.playing, report, &queue)
        }
        if let state { enter(state, report, &queue) }
    }

    mutating func endSession(_ attributes: [TrackedCall.Attribute] = []) {
        emit(.videoUnload, attributes)
        lastContent = session?.content
        session = nil
        ads = CMCDAds()
        estimate = nil
    }

    /// Takes what a report says of figures: they go out with its calls.
    private mutating func readFigures(_ record: CMCDRecord) {
        var state = unsaid
        unsaid = ReportedState()
        session?.read(record, into: &state)
        state.rate = record.rate ?? state.rate
        state.throughput = record.throughput ?? state.throughput
        if record.event == .muted { state.isMuted = true }
        if record.event == .unmuted { state.isMuted = false }
        if options.enlargedIsFullscreen, record.event == .enlarged || record.event == .reduced {
            state.isFullscreen = record.event == .enlarged
        }
        if let total = record.integer(.dfa) {
            droppedFrames = max(droppedFrames ?? 0, total)
            state.droppedFrames = session?.dropped(of: droppedFrames ?? total)
        }
        current.state = state
        current.quality = []
        if let length = record.bufferLength {
            current.quality.append(TrackedCall.Attribute("buffer_length_ms", .int(length)))
        }
        if let delay = record.integer(.msd) {
            current.quality.append(TrackedCall.Attribute("startup_time_ms", .int(delay)))
        }
        // What no call of this report brings goes out with the next one, but for what has passed by then.
        unsaid = state
        unsaid.playhead = nil
        unsaid.liveWall = nil
    }

    /// Makes a call at the time of the report that is played.
    mutating func emit(_ type: EventType, _ attributes: [TrackedCall.Attribute] = []) {
        // Never before what was made, or told to be known.
        let time = max(current.time, knownUntil, calls.last?.time ?? 0)
        let quality = type == .playheadSample ? [] : current.quality
        calls.append(TrackedCall(type, at: time, state: current.state, attributes: attributes + quality))
        unsaid = ReportedState()
    }

    mutating func emitCustom(_ name: String, _ attributes: [(name: String, value: PlainValue)] = []) {
        let named = TrackedCall.Attribute("custom_name", .string(name))
        emit(.custom, [named] + attributes.map { TrackedCall.Attribute($0.name, $0.value) })
    }

    private mutating func tellEstimates(before time: Int64) {
        guard var samples = estimate else { return }
        while let sample = samples.next(before: time) { calls.append(sample) }
        estimate = samples.isDone ? nil : samples
    }

    private mutating func planEstimate(_ report: HeldReport, _ queue: ReportQueue) {
        guard options.estimatesPlayhead, let session, session.isMoving, !ads.isAnyOpen else {
            estimate = nil
            return
        }
        guard report.record.event != .response, let playhead = current.state.playhead else { return }
        let start = EstimatedPlayhead.Start(
            time: current.time,
            playhead: playhead,
            rate: session.rate,
            number: report.record.integer(.sn)
        )
        estimate = EstimatedPlayhead(start, queue, numbers) { reporter(of: $0) == .content }
    }
}

/// The numbers of one source's reports.
struct CMCDNumbers {
    private var seen: Set<Int64> = []

    /// Whether a report of this number begins a new source: numbers begin anew, under the same session id.
    func isRestart(_ number: Int64?) -> Bool {
        guard let number, number <= 1 else { return false }
        return seen.contains(number)
    }

    mutating func insert(_ number: Int64) {
        seen.insert(number)
    }

    func contains(_ number: Int64) -> Bool { seen.contains(number) }
}
