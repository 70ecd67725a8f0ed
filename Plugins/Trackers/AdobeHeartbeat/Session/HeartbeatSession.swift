internal import AdobeShared
internal import PluginKit

/// One tracking session: from a load that could be used to the unload.
///
/// It is the state machine of the protocol: what a call changes, what goes out at once, and what waits on the timeline
/// for the quantum's end.
final class HeartbeatSession {
    static let type: StaticString = "AdobeHeartbeat.HeartbeatSession"

    /// `s:event:sid`.
    let id: String
    private(set) var video: VideoInformation
    var clock: QuantumClock
    /// Whether the video has played to its end; only an unload is taken then.
    var isComplete = false

    let main = Asset(ad: nil, history: TimestampHistory())
    /// What is shown: the main content or an ad.
    var current: Asset
    var chapter: Chapter?
    var timeline = Timeline()
    var isPaused = false
    var isSeeking = false
    var isBuffering = false
    var hasPlayed = false
    /// Where playback stood when a seek began.
    var stashedAd: Asset?
    var stashedChapter: Chapter?
    var adHistories: [String: TimestampHistory] = [:]
    /// When the last `active` was counted, wall clock without the sleep of the machine since, ms.
    var activeSince: Int64
    var warnedOfAdBreak = false
    /// Whether the chapter was left by a seek, and the player has not said so yet.
    var chapterWasLeftBySeek = false
    /// Whether the delegate counts ad breaks from 0, as 1.3.1's AdBreakInfo does.
    var countsBreaksFromZero = false
    /// The place in the ad that was reported last, ms, and when, us; 1.3.1 only.
    var adPlace: (milliseconds: Int64, time: Int64)?
    /// What is on screen, bit/s, by the last rendition that was.
    private var shownBitrate: Int64?
    /// What the player said last, bit/s; 0 when it is not known.
    private var knownBitrate: Int64 = 0

    let writer: EntryWriter
    let tracer: Tracer
    private let host: TrackerHost
    private var videoDigest: String { MD5.hex(of: video.id) }

    /// Opens a session: the load goes out, and the start of the main content stands on the timeline.
    init(
        _ video: VideoInformation,
        writer: EntryWriter,
        host: TrackerHost,
        tracer: Tracer,
        loadedAt load: KeptMoment,
        now: KeptMoment
    ) {
        id = Self.uniqueText(load, host)
        self.video = video
        clock = QuantumClock(base: load.time, interval: writer.configuration.trackingInterval)
        activeSince = load.epochMilliseconds
        current = main
        self.writer = writer
        self.host = host
        self.tracer = tracer
        clock.start(at: load.time)
        sendNow(.load, main, playhead: 0, at: load, figures: now)
        append(.start, at: load)
    }

    var configuration: HeartbeatConfiguration { writer.configuration }

    /// Takes what became known of the video; its id and kind stay those of the load.
    func update(_ video: VideoInformation) { self.video = video }

    // MARK: - Calls

    /// Takes a call; throws when what the delegate said of a thing cannot be used.
    func perform(_ call: TrackCall, at moment: KeptMoment) throws(InvalidInformation) {
        tracer.debug(Self.type, "perform", at: moment.time, "\(call.name)()")
        followAd(at: moment)
        defer { knownBitrate = moment.bitrate }
        if case .unload = call { return unload(at: moment) }
        guard !isComplete else { return ignore(call, "the video has played to its end", at: moment) }
        switch call {
        case .play: play(at: moment)
        case .pause: pause(at: moment)
        case .complete: complete(at: moment)
        case .seekStart: seekStart(at: moment)
        case .seekComplete(let landing): try seekComplete(landing, at: moment)
        case .bufferStart: bufferStart(at: moment)
        case .bufferComplete: bufferComplete(at: moment)
        case .adStart(let adBreak, let ad): try adStart(adBreak, ad, at: moment)
        case .adComplete: adComplete(at: moment)
        case .adSkip: leaveAd(call, at: moment)
        case .adBreakStart: warnOfAdBreak(at: moment)
        case .adBreakComplete:
            warnOfAdBreak(at: moment)
            if current !== main { adComplete(at: moment) }
        case .chapterStart(let chapter): try chapterStart(chapter, at: moment)
        case .chapterComplete: chapterComplete(at: moment)
        case .chapterSkip: chapterSkip(at: moment)
        case .bitrateChange(let bitrate):
            shownBitrate = bitrate ?? shownBitrate
            sendNow(.bitrateChange, current, at: moment)
        case .renditionShown(let bitrate): show(bitrate, at: moment)
        case .playerError(let id): sendError(id, ErrorSource.player(configuration.compatibility), at: moment)
        case .applicationError(let id): applicationError(id, at: moment)
        case .qualityUpdate, .unload: break
        }
    }

    private func play(at moment: KeptMoment) {
        if !isPaused, hasPlayed { return ignore(.play, "it plays already", at: moment) }
        isPaused = false
        hasPlayed = true
        follow(at: moment)
    }

    private func pause(at moment: KeptMoment) {
        guard !isPaused else { return ignore(.pause, "it is paused already", at: moment) }
        isPaused = true
        follow(at: moment)
    }

    private func complete(at moment: KeptMoment) {
        isComplete = true
        current = main
        let end = moment.length >= 0 ? moment.length : mainPlayhead(at: moment)
        append(.complete, playhead: end, at: moment)
        flush(playhead: end, withActive: configuration.compatibility == .v131, at: moment)
        timeline.removeAll()
        clock = QuantumClock(base: moment.time, interval: configuration.trackingInterval)
    }

    private func unload(at moment: KeptMoment) {
        // A quantum that ends at this very instant is over.
        if clock.isDue(at: moment.time) { endQuantum(at: moment) }
        sendNow(.unload, current, playhead: 0, chapter: chapter, at: moment)
        timeline.removeAll()
        _ = clock.stop(at: moment.time)
    }

    private func seekStart(at moment: KeptMoment) {
        guard !isSeeking else { return }
        isSeeking = true
        stashedAd = current === main ? nil : current
        stashedChapter = chapter
        chapterWasLeftBySeek = chapter != nil
        follow(at: moment)
        current = main
        chapter = nil
    }

    private func seekComplete(_ landing: Landing, at moment: KeptMoment) throws(InvalidInformation) {
        guard isSeeking else { return ignore(.seekComplete(landing), "no seek has begun", at: moment) }
        isSeeking = false
        let ad = try Self.usable(landing.adBreak, landing.ad)
        let chapter = try Self.usable(landing.chapter)
        // What began within the seek goes on like what the seek began in.
        current =
            ad.map { adBreak, ad in
                let podID = podID(adBreak)
                let known = [current, stashedAd].compactMap(\.self).first {
                    $0.ad?.isSamePlace(podID, ad) ?? false
                }
                return known ?? makeAd(adBreak, ad, at: moment)
            } ?? main
        self.chapter = chapter.map { chapter in
            let known = [self.chapter, stashedChapter].compactMap(\.self).first {
                $0.information.position == chapter.position
            }
            return known ?? makeChapter(chapter, at: moment)
        }
        chapterWasLeftBySeek = chapterWasLeftBySeek && self.chapter == nil
        stashedAd = nil
        stashedChapter = nil
        adPlace = nil
        followAd(at: moment)
        follow(at: moment)
    }

    private func bufferStart(at moment: KeptMoment) {
        guard !isBuffering else { return ignore(.bufferStart, "it buffers already", at: moment) }
        isBuffering = true
        follow(at: moment)
    }

    private func bufferComplete(at moment: KeptMoment) {
        guard isBuffering else { return ignore(.bufferComplete, "no buffering has begun", at: moment) }
        isBuffering = false
        follow(at: moment)
    }

    /// Tells of another bitrate when the player says only which one is on screen.
    ///
    /// What playback begins with is no change.
    private func show(_ bitrate: Int64, at moment: KeptMoment) {
        let before = shownBitrate ?? (hasPlayed && knownBitrate > 0 ? knownBitrate : nil)
        shownBitrate = bitrate
        guard let before, before != bitrate else { return }
        sendNow(.bitrateChange, current, at: moment)
    }

    private func applicationError(_ id: String, at moment: KeptMoment) {
        guard configuration.trackExternalErrors else {
            return tracer.debug(Self.type, "applicationError", at: moment.time, "trackExternalErrors is off")
        }
        sendError(id, ErrorSource.application(configuration.compatibility), at: moment)
    }

    // MARK: - Timeline

    /// Puts what goes on now onto the timeline, unless it stands there, and lets the clock run while playback is
    /// wanted.
    func follow(at moment: KeptMoment) {
        // Ads have no call for their playback; the content has, and until then an ad or a seek leads back to its start.
        let unhalted: EntryType = hasPlayed || current !== main ? .play : .start
        let wanted: EntryType = isPaused || isSeeking ? .pause : isBuffering ? .buffer : unhalted
        let isThere = timeline.last.map { $0.type == wanted && $0.asset === current && $0.chapter === chapter } ?? false
        if !isThere { append(wanted, at: moment) }
        guard isPaused || isSeeking else { return clock.start(at: moment.time) }
        // No timer fires any more for a quantum that ends at this very instant.
        if clock.stop(at: moment.time) { endQuantum(at: moment) }
    }

    func append(_ type: EntryType, of asset: Asset? = nil, playhead: Int64? = nil, at moment: KeptMoment) {
        timeline.append(item(type, asset ?? current, chapter, playhead: playhead, at: moment))
    }

    private func item(
        _ type: EntryType,
        _ asset: Asset,
        _ chapter: Chapter?,
        playhead: Int64?,
        at moment: KeptMoment
    ) -> TimelineItem {
        let playhead = playhead ?? self.playhead(of: asset, at: moment)
        let timestamp = moment.epochMilliseconds
        return TimelineItem(type: type, asset: asset, chapter: chapter, timestamp: timestamp, playhead: playhead)
    }

    /// Ends the quantum: what is on the timeline goes out, and what goes on now begins the next one.
    func endQuantum(at moment: KeptMoment) {
        clock.count(until: moment.time)
        tracer.debug("AdobeHeartbeat.QuantumClock", "tick", at: moment.time, "----- ( \(clock.ticks) )")
        let last = timeline.last
        flush(playhead: mainPlayhead(at: moment), withActive: true, at: moment)
        timeline.removeAll()
        guard let last, last.type != .complete, last.type != .start || last.asset === main else { return }
        append(last.type, of: last.asset, at: moment)
    }

    /// Lets a sleep of the machine pass: it is no time of what goes on, of the quantum or of the place in an ad.
    func pass(_ sleep: Sleep) {
        clock.pass(sleep)
        timeline.pass(sleep)
        activeSince += sleep.milliseconds
        adPlace?.time += sleep.length
    }

    /// Sends the timeline's entries and, behind them, that the session is alive.
    private func flush(playhead: Int64, withActive: Bool, at moment: KeptMoment) {
        let now = moment.epochMilliseconds
        for entry in timeline.entries(until: now) { writer.emit(entry, of: video, session: id, at: moment) }
        guard withActive else { return }
        let duration = now - activeSince
        activeSince = now
        sendNow(.active, main, playhead: playhead, duration: duration, at: moment)
    }

    // MARK: - At once

    /// Sends an entry that is about an instant, or `active`.
    ///
    /// `figures` is given when the player's figures are newer than the moment that the entry is about.
    func sendNow(
        _ type: EntryType,
        _ asset: Asset,
        playhead: Int64? = nil,
        duration: Int64 = 0,
        chapter: Chapter? = nil,
        error: (id: String, source: StaticString) = ("", ""),
        at moment: KeptMoment,
        figures: KeptMoment? = nil
    ) {
        let now = moment.epochMilliseconds
        let entry = Entry(
            item: item(type, asset, chapter ?? self.chapter, playhead: playhead, at: moment),
            duration: duration,
            previousTimestamp: asset.count(type, duration: duration, timestamp: now),
            dateTimestamp: now,
            errorID: error.id,
            errorSource: error.source
        )
        writer.emit(entry, of: video, session: id, at: figures ?? moment)
    }

    private func sendError(_ id: String, _ source: StaticString, at moment: KeptMoment) {
        sendNow(.error, current, error: (id, source), at: moment)
    }

    /// Says, as the last thing of the session, that the tracker itself cannot go on; 1.4 does, 1.3.1 does not.
    func sendInternalError(_ text: String, at moment: KeptMoment) {
        guard configuration.compatibility == .v14, !isComplete else { return }
        sendNow(.error, current, playhead: 0, error: (text, ErrorSource.heartbeat), at: moment)
    }

    // MARK: - Parts

    /// Says that a call has no effect.
    func ignore(_ call: TrackCall, _ reason: String, at moment: KeptMoment) {
        tracer.warn(Self.type, call.name, at: moment.time, "ignored: \(reason)")
    }

    /// Warns once that calls around ad breaks do nothing (1.3.1); in 1.4 they do not exist.
    private func warnOfAdBreak(at moment: KeptMoment) {
        guard configuration.compatibility == .v131, !warnedOfAdBreak else { return }
        warnedOfAdBreak = true
        tracer.warn(
            Self.type,
            "trackAdBreak",
            at: moment.time,
            "trackAdBreakStart and trackAdBreakComplete are deprecated and have no effect"
        )
    }

    /// Where playback stands in what an entry is about, s: 1.3.1 tells the place in the ad, 1.4 that in the main
    /// content.
    private func playhead(of asset: Asset, at moment: KeptMoment) -> Int64 {
        guard configuration.compatibility == .v131, let ad = asset.ad,
            let place = moment.adPlayheadMilliseconds ?? lastPlace(in: ad, at: moment)
        else { return mainPlayhead(at: moment) }
        return place / 1000
    }

    /// Where playback stands in the main content, s: -1 when there is no such place, 0 before a player has said it.
    func mainPlayhead(at moment: KeptMoment) -> Int64 {
        guard let place = moment.playheadMilliseconds else { return video.streamType == "vod" ? 0 : -1 }
        return place < 0 ? -1 : place / 1000
    }

    func podID(_ adBreak: AdBreakInformation) -> String {
        countsBreaksFromZero = countsBreaksFromZero || adBreak.position == 0
        let shift = countsBreaksFromZero ? 0 : configuration.compatibility.breakPositionShift
        return PartIdentifier.text(videoDigest: videoDigest, position: adBreak.position + shift)
    }

    func makeAd(_ adBreak: AdBreakInformation, _ ad: AdInformation, at moment: KeptMoment) -> Asset {
        let history = adHistories[ad.id] ?? TimestampHistory()
        adHistories[ad.id] = history
        let showing = Ad(
            information: ad,
            adBreak: adBreak,
            sessionID: Self.uniqueText(moment, host),
            podID: podID(adBreak),
            podSecond: adBreak.startTime ?? mainPlayhead(at: moment)
        )
        return Asset(ad: showing, history: history)
    }

    func makeChapter(_ chapter: ChapterInformation, at moment: KeptMoment) -> Chapter {
        Chapter(
            chapter,
            id: PartIdentifier.text(videoDigest: videoDigest, position: chapter.position),
            sessionID: Self.uniqueText(moment, host)
        )
    }

    /// A text that no other session, ad or chapter has: the time and a random number below 10^9, added up.
    private static func uniqueText(_ moment: KeptMoment, _ host: TrackerHost) -> String {
        "\(moment.epochMilliseconds + Int64(host.random() % 1_000_000_000))"
    }
}
