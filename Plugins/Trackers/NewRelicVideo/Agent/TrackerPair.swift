internal import PluginABI
internal import PluginKit

/// The trackers of the content and of the ads under one id, with their timers.
package final class TrackerPair {
    /// The id.
    package let id: Int64
    /// The tracker of the content, nil when ads alone are followed.
    package let content: VideoTracker?
    /// The tracker of the ads, nil without and as long as none is needed.
    package private(set) var ad: VideoTracker?

    let video: MediaInformation
    var isInSession = false
    var wantsPlayback = false
    var isFrameShown = false
    var shown = ShownMedia()

    private let roles: TrackerRoles
    private let makeTracker: (_ isAd: Bool) -> VideoTracker
    private let host: TrackerHost
    private let generation: Generation
    private var contentHeartbeat: Interval?
    private var adHeartbeat: Interval?
    private var cycle: Interval?
    private var cyclePeriod: (onDemand: Int64, live: Int64)?
    /// Generation B's figures come every so many cycles, from the next view on.
    private var wantedCycles: Int64 = 0
    /// The same in this view, and how many there were.
    private var cycles: (every: Int64, count: Int64) = (1, 0)

    /// Makes the trackers that are wanted from the beginning; `makeTracker` makes one of this pair.
    init(
        id: Int64,
        roles: TrackerRoles,
        video: MediaInformation,
        configuration: TrackerConfiguration,
        host: TrackerHost,
        makeTracker: @escaping (_ isAd: Bool) -> VideoTracker
    ) {
        self.id = id
        self.roles = roles
        self.video = video
        self.host = host
        self.makeTracker = makeTracker
        generation = configuration.generation
        content = roles == .ad ? nil : makeTracker(false)
        if roles == .ad || roles == .pair { makeAd() }
        setCycles(configuration)
    }

    @discardableResult
    private func makeAd() -> VideoTracker {
        let ad = makeTracker(true)
        self.ad = ad
        guard let content else { return ad }
        content.linked = ad
        ad.linked = content
        ad.numberOfAds = content.numberOfAds
        return ad
    }

    /// The tracker of the ads, made when it is needed for the first time; nil when none is wanted.
    func adTracker(at moment: Moment) -> VideoTracker? {
        if ad == nil, roles == .auto { makeAd().sendTrackerReady(at: moment) }
        return ad
    }

    /// The tracker that playback concerns now: that of the ads while an ad is shown.
    var current: VideoTracker? {
        if let ad, ad.state.isRequested { return ad }
        return content
    }

    // MARK: - Sessions

    /// Begins a session; in its middle, says what brings a new tracker to where the player stands.
    func sessionBegin(_ snapshot: EventView, at moment: Moment) {
        isInSession = true
        forgetSession(at: moment)
        video.read(snapshot.attributes)
        guard snapshot.isJoin else { return }
        (ad ?? content)?.ad.read(snapshot.attributes)
        join(hasBegun: snapshot.attributes[.firstPlayAtMicroseconds] != nil, at: moment)
    }

    /// Ends the session; a tracker that is released says nothing.
    func sessionEnd(_ reason: SessionEndReason, at moment: Moment) {
        if reason == .unload { unload(at: moment) }
        isInSession = false
        forgetSession(at: moment)
        stop()
    }

    private func forgetSession(at moment: Moment) {
        shown = ShownMedia()
        followShown(at: moment)
        wantsPlayback = false
        isFrameShown = false
        content?.rendition = nil
        video.forget()
    }

    /// Says what brings trackers to where the player stands in the middle of a session.
    ///
    /// `hasBegun` says whether playback was wanted before in this session.
    func join(hasBegun: Bool, at moment: Moment) {
        let player = moment.player
        isInSession = true
        wantsPlayback = player.has(TALLY_STATE_PLAYING)
        isFrameShown = player.has(TALLY_STATE_STARTED)
        shown.join(player)
        followShown(at: moment)
        (content ?? ad)?.send(.playerReady, at: moment)
        // After its end the view is over: the next one begins when it is played again.
        if !player.has(TALLY_STATE_ENDED) {
            content?.send(.request, at: moment)
            if isFrameShown, wantsPlayback || hasBegun { content?.send(.start, at: moment) }
        }
        if player.has(TALLY_STATE_IN_AD_BREAK) { adTracker(at: moment)?.send(.adBreakStart, at: moment) }
        if player.has(TALLY_STATE_IN_AD) { startAd(at: moment) }
        if player.has(TALLY_STATE_PAUSED) { current?.send(.pause, at: moment) }
        waitOn(at: moment)
    }

    /// Says of a view that begins what the player waits for: a seek or a stall that began before it.
    func waitOn(at moment: Moment) {
        if moment.player.has(TALLY_STATE_SEEKING) { current?.send(.seekStart, at: moment) }
        if moment.player.has(TALLY_STATE_BUFFERING) { current?.send(.bufferStart, at: moment) }
    }

    // MARK: - Timers

    private func setCycles(_ configuration: TrackerConfiguration) {
        wantedCycles = configuration.qualityCycles
        cyclePeriod = nil
        guard generation == .b, wantedCycles > 0 else { return }
        let onDemand = configuration.delivery?.onDemand ?? HarvestLimits.onDemand
        let live = configuration.delivery?.live ?? HarvestLimits.live
        cyclePeriod = (onDemand.period, live.period)
    }

    /// Follows another configuration; the figures of a view come at the new times from the next view on.
    func reconfigure(_ configuration: TrackerConfiguration) {
        setCycles(configuration)
        if cyclePeriod == nil { stopCycles() }
        content?.reconfigure(configuration)
        ad?.reconfigure(configuration)
    }

    /// Changes the time between two heartbeats, us; nil for none.
    ///
    /// Those of generation B's ads come every 2 s.
    func setHeartbeat(_ period: Int64?) {
        contentHeartbeat?.stop()
        adHeartbeat?.stop()
        content?.heartbeatPeriod = period
        contentHeartbeat = period.map { Interval(every: $0, host: host) }
        let adPeriod = generation == .a ? period : period.map { _ in VideoTracker.adHeartbeatMilliseconds * 1000 }
        adHeartbeat = adPeriod.map { Interval(every: $0, host: host) }
    }

    /// Starts or stops the timers, as streams started or ended in this call.
    func runTimers(at time: Int64, isLive: @autoclosure () -> Bool) {
        let wantsHeartbeat = content?.wantsHeartbeat ?? false
        contentHeartbeat?.run(wantsHeartbeat, at: time)
        if let ad { adHeartbeat?.run(ad.wantsHeartbeat, at: time) }
        if !wantsHeartbeat {
            stopCycles()
        } else if let cyclePeriod, cycle == nil {
            cycles = (wantedCycles, 0)
            cycle = Interval(every: isLive() ? cyclePeriod.live : cyclePeriod.onDemand, host: host)
            cycle?.start(at: time)
        }
    }

    /// Does what is due if the timer is one of this pair.
    func fires(_ timer: TimerID, at moment: Moment) -> Bool {
        if contentHeartbeat?.fires(timer, at: moment.time) == true {
            content?.send(.heartbeat, at: moment)
        } else if adHeartbeat?.fires(timer, at: moment.time) == true {
            ad?.send(.heartbeat, at: moment)
        } else if cycle?.fires(timer, at: moment.time) == true {
            cycles.count += 1
            if (cycles.count - 1) % cycles.every == 0 { content?.sendQualityAggregate(at: moment) }
        } else {
            return false
        }
        return true
    }

    func stop() {
        contentHeartbeat?.stop()
        adHeartbeat?.stop()
        stopCycles()
    }

    private func stopCycles() {
        cycle?.stop()
        cycle = nil
    }

    /// Leaves out ms in which the machine slept; timers are postponed by the host.
    func skip(_ length: Int64) {
        content?.skip(length)
        ad?.skip(length)
    }

    // MARK: - What is shown

    /// Remembers the picture that is shown now.
    func rememberPicture(_ player: PlayerState) {
        if isInSession { shown.remember(player) }
    }

    /// Lets both trackers tell their own picture, and the content's play time stand while ads have the screen.
    func followShown(at moment: Moment) {
        content?.heldPicture = shown.held(isAd: false)
        ad?.heldPicture = shown.held(isAd: true)
        content?.followPlayhead(shown.isInBreak, at: moment)
    }
}

extension Interval {
    /// Starts or stops it, unless it already is as wanted.
    mutating func run(_ isWanted: Bool, at time: Int64) {
        guard isRunning != isWanted else { return }
        if isWanted { start(at: time) } else { stop() }
    }
}
