internal import EventModel
internal import PluginABI
internal import TextEncoding

/// Measures one session from its events, one after another; what it keeps has a bound, however long the session is.
///
/// What goes on after an event lasts until the next one, so an event is counted when the next one, or the end, comes.
struct SessionMeasurement {
    private(set) var metrics: SessionMetrics
    private let grouping: [String]
    private var open: Interval?
    private var stretch: PlayedStretch?
    private var placeBefore: Int64?
    private var isWanted = false
    private var wait = (ordinal: 0 as UInt64, cause: WaitCause.stall)
    private var countedWait: UInt64 = 0
    private var liveWallBefore: Int64?
    /// The rendition that played last, and where its time is: it is mostly the same one.
    private var played: (rendition: SessionMetrics.Rendition, place: Dictionary<SessionMetrics.Rendition, Int64>.Index)?

    /// What goes on from an event to the next.
    private struct Interval {
        let time: Int64
        let activity: Activity
        let isStarted: Bool
        let isWanted: Bool
        /// Where playback stands, ms.
        let place: Int64?
        /// What the player reported of that with the event, ms.
        let reported: Int64?
        let rateMilli: Int64
        /// Where the content ends, ms.
        let end: Int64?
        let bitrate: Int64?
        let height: Int32
        let wentBack: Bool
        /// How much of it the machine slept, us.
        var asleep: Int64 = 0
    }

    /// Begins a session; `grouping` are the attributes whose values are kept.
    init(run: ExactText, session: UInt32, begun: Int64, epoch: Int64, grouping: [String]) {
        metrics = SessionMetrics(run: run, session: session, begun: begun, epoch: epoch)
        self.grouping = grouping
    }

    /// Begins in the midst of a session, of which the rest is measured; `attributes` are those of its video
    /// that are known from elsewhere.
    init(
        joining session: UInt32,
        of run: ExactText,
        at time: Int64,
        epoch: Int64,
        grouping: [String],
        known attributes: [String: String]
    ) {
        self.init(run: run, session: session, begun: time, epoch: epoch, grouping: grouping)
        metrics.isJoined = true
        for (name, text) in attributes where grouping.contains(name) { metrics.attributes[name] = ExactText(text) }
    }

    /// Takes the next event of the player; `wallClock` is the machine's then, us since 1970.
    mutating func follow(_ event: EventView, wallClock: Int64) {
        let state = event.state
        let type = event.type
        let isReported = unsafe state.raw.pointee.reported_age_us == 0
        let reported = isReported ? state.reportedPlayheadMilliseconds : nil
        // As a seek begins, the place may be its target already.
        close(at: event.time, next: type == .seekStart ? event.attributes[.seekFromMs]?.int : reported)
        metrics.latest = max(metrics.latest, event.time)
        count(event, type, state)
        if type == .bufferStart { wait = (event.ordinal, WaitCause(event.attributes[.bufferCause]?.string)) }
        if type == .play { isWanted = true }
        if metrics.isJoined, state.has(TALLY_STATE_PLAYING) || state.has(TALLY_STATE_STARTED) {
            metrics.wasWanted = true
        }
        let activity = Activity(state, wait: wait.cause)
        if activity == .rebuffering, wait.ordinal != countedWait {
            countedWait = wait.ordinal
            metrics.rebuffers += 1
        }
        let place = reported ?? state.playheadMilliseconds
        let length = state.durationMilliseconds ?? 0
        metrics.length = max(metrics.length, length)
        open = Interval(
            time: event.time,
            activity: activity,
            isStarted: state.has(TALLY_STATE_STARTED),
            isWanted: isWanted,
            place: place,
            reported: reported,
            rateMilli: max(Int64(state.rateMilli ?? 1000), 1),
            end: length > 0 && state.isLive != true ? length : nil,
            bitrate: state.bitrate,
            height: max(state.height ?? 0, 0),
            wentBack: place.flatMap { place in placeBefore.map { Int128(place) + 500 < Int128($0) } } ?? false
        )
        placeBefore = place
        measureLatency(state, activity, wallClock)
    }

    /// Leaves a sleep of the machine out of what goes on now.
    mutating func sleep(_ length: Int64) { open?.asleep &+= length }

    /// Ends the session.
    mutating func end(at time: Int64) {
        close(at: time, next: nil)
        metrics.ended = time
        metrics.latest = max(metrics.latest, time)
    }

    // MARK: - Intervals

    /// Counts what went on until now; `next` is where the player then said that it stands, ms.
    private mutating func close(at time: Int64, next: Int64?) {
        guard let interval = open else { return }
        open = nil
        let whole = max(time - interval.time, 0)
        let asleep = min(interval.asleep, whole)
        let span = whole - asleep
        metrics.asleep += asleep
        metrics.times[interval.activity.rawValue] += span
        if interval.isWanted, !interval.isStarted {
            metrics.startup += span
            if interval.activity == .ad { metrics.startupAds += span }
        }
        guard interval.activity == .playing else {
            stretch = nil
            return
        }
        if interval.wentBack { stretch = nil }
        var stretch = stretch ?? PlayedStretch(begin: interval.place ?? 0)
        let bound = interval.end.map { end in
            guard let next, let place = interval.place, Int128(next) + 500 >= Int128(place) else { return end }
            return min(next, end)
        }
        let played = stretch.add(span: span, rateMilli: interval.rateMilli, bound: bound)
        self.stretch = stretch
        add(played, of: interval, next: next)
    }

    private mutating func add(_ played: Int64, of interval: Interval, next: Int64?) {
        metrics.played += played
        if let bitrate = interval.bitrate {
            metrics.peakBitrate = max(metrics.peakBitrate ?? bitrate, bitrate)
            if bitrate >= 0 {
                metrics.rated += played
                metrics.bits += Int128(played) * Int128(bitrate)
                addTime(played, of: SessionMetrics.Rendition(bitrate: bitrate, height: interval.height))
            }
        }
        for report in [interval.reported, next] {
            if let report { metrics.furthest = max(metrics.furthest ?? report, report) }
        }
        guard let place = interval.place else { return }
        let estimate = (Int128(place) * 1_000_000 + Int128(played) * Int128(interval.rateMilli)) / 1_000_000
        let reached = min(Int64(clamping: estimate), interval.end ?? .max)
        metrics.furthestEstimate = max(metrics.furthestEstimate ?? reached, reached)
        metrics.minutes.add(from: place, to: reached)
    }

    private mutating func addTime(_ time: Int64, of rendition: SessionMetrics.Rendition) {
        if let played, played.rendition == rendition {
            metrics.renditionTimes.values[played.place] += time
            return
        }
        metrics.addTime(time, of: rendition)
        played = metrics.renditionTimes.index(forKey: rendition).map { (rendition, $0) }
    }

    /// A place on the wall clock counts once: only the player moves it on.
    private mutating func measureLatency(_ state: PlayerState, _ activity: Activity, _ wallClock: Int64) {
        guard let live = state.liveWallMilliseconds, live != liveWallBefore else { return }
        liveWallBefore = live
        guard activity == .playing else { return }
        metrics.addLatency(Int64(clamping: Int128(wallClock) / 1000 - Int128(live)))
    }

    // MARK: - Events

    private mutating func count(_ event: EventView, _ type: EventType, _ state: PlayerState) {
        if let frames = state.droppedFrames { metrics.droppedFrames = max(metrics.droppedFrames ?? 0, frames) }
        if let frames = state.renderedFrames { metrics.renderedFrames = max(metrics.renderedFrames ?? 0, frames) }
        switch type {
        case .videoLoad, .metadataChange: describe(event.attributes)
        case .videoUnload: metrics.ending = Self.ending(event.attributes)
        case .play: metrics.firstPlay = metrics.firstPlay ?? event.time
        case .firstFrame: metrics.firstFrame = metrics.firstFrame ?? event.time
        case .complete: metrics.completed = true
        case .seekStart: metrics.seeks += 1
        case .renditionChange: countRendition(event.attributes)
        case .adBreakStart: metrics.adBreaks += 1
        case .adStart: metrics.ads += 1
        case .adComplete: metrics.adsCompleted += 1
        case .adSkip: metrics.adsSkipped += 1
        case .adClick: metrics.adClicks += 1
        case .adError:
            metrics.adErrors += 1
            if !state.has(TALLY_STATE_IN_AD) { metrics.adErrorsOutside += 1 }
        case .playerError: countError(event.attributes, isStarted: state.has(TALLY_STATE_STARTED))
        default: break
        }
    }

    private mutating func countRendition(_ attributes: AttributeList) {
        if let phase = attributes[.renditionPhase]?.string, phase != UTF8Text("visible") { return }
        metrics.renditions += 1
        guard let shift = attributes[.renditionShift]?.string else { return }
        if shift == "up" { metrics.switchesUp += 1 }
        if shift == "down" { metrics.switchesDown += 1 }
    }

    private mutating func countError(_ attributes: AttributeList, isStarted: Bool) {
        metrics.errors += 1
        metrics.addError(attributes.errorWord)
        guard let fatal = attributes[.errorFatal], fatal.bool == true || (fatal.int ?? 0) != 0 else { return }
        if isStarted { metrics.failedAfter = true } else { metrics.failedBefore = true }
    }

    /// What is said last of the video holds.
    private mutating func describe(_ attributes: AttributeList) {
        for attribute in attributes {
            if attribute.key == .userID, let viewer = attribute.string {
                metrics.viewer = viewer.count > 0 ? unsafe SmallestHashes<NoLabel>.hash(of: viewer.bytes) : nil
            }
            guard let name = grouping.first(where: { attribute.name == $0 }), let word = attribute.word else {
                continue
            }
            metrics.attributes[name] = word
        }
    }

    private static func ending(_ attributes: AttributeList) -> SessionMetrics.Ending {
        // What a player says of its unload is its own word, and all of these are an end that the viewer chose.
        guard attributes[.implicit]?.bool == true else { return .unload }
        return attributes[.cause]?.word.map { .cause($0) } ?? .replaced
    }
}

extension SessionMetrics {
    fileprivate mutating func addTime(_ time: Int64, of rendition: Rendition) {
        let isKept = renditionTimes[rendition] != nil || renditionTimes.count < Self.kept
        renditionTimes[isKept ? rendition : .other, default: 0] += time
    }

    fileprivate mutating func addError(_ code: ExactText) {
        let isKept = errorCodes[code] != nil || errorCodes.count < Self.kept
        errorCodes[isKept ? code : Self.otherName, default: 0] += 1
    }

    fileprivate mutating func addLatency(_ milliseconds: Int64) { latency.add(milliseconds) }
}

extension AttributeList {
    /// The word that a player error is counted by: its code, or else its id.
    package var errorWord: ExactText { self[.errorCode]?.word ?? self[.errorID]?.word ?? ExactText("none") }
}

extension AttributeView {
    /// How many bytes of a text are kept.
    private static let longestWord = 256

    /// The value as a word that things are counted by: text, a whole number or a truth; nil for anything else.
    fileprivate var word: ExactText? {
        switch value {
        case .string(let text):
            guard text.count > Self.longestWord else { return ExactText(text.string) }
            // Cut between two characters.
            var count = Self.longestWord
            while count > 0, unsafe text.bytes[count] & 0xC0 == 0x80 { count -= 1 }
            return unsafe ExactText(UTF8Text(start: text.start, count: count).string)
        case .int(let number): return ExactText(String(number))
        case .bool(let truth): return ExactText(truth ? "true" : "false")
        case .null, .double, .list, .bytes, .unknown: return nil
        }
    }
}
