package import PluginKit

/// The vendor's agent: trackers by id, and what they share.
package final class VideoAgent {
    /// The pairs that have been started and not released, by id upwards.
    package private(set) var pairs: [TrackerPair] = []
    /// The attributes that all trackers give their events, also those that are started later.
    package let attributes: AttributeStore
    /// Whether a session is open.
    package private(set) var isInSession = false

    private let host: TrackerHost
    private var configuration: TrackerConfiguration
    private let recorder: any EventRecorder
    private let first: ViewIdentifiers
    private let video = MediaInformation.ofVideo()
    private let ad = MediaInformation.ofAds()
    private var nextID: Int64 = 0
    private var heartbeatPeriod: Int64?

    /// Makes an agent; its random numbers are drawn now.
    init(
        _ configuration: TrackerConfiguration,
        recorder: any EventRecorder,
        host: TrackerHost,
        attributes: AttributeStore,
        at moment: Moment
    ) {
        self.configuration = configuration
        self.recorder = recorder
        self.host = host
        self.attributes = attributes
        heartbeatPeriod = configuration.heartbeatPeriod
        first = ViewIdentifiers(epochSeconds: moment.epochMilliseconds / 1000) { host.random() }
    }

    /// The pair with an id, nil when there is none.
    package func pair(_ id: Int64) -> TrackerPair? { pairs.first { $0.id == id } }

    // MARK: - Starting and releasing

    /// Starts trackers under the next id; each says that it is ready, the content's first.
    @discardableResult
    package func start(_ roles: TrackerRoles, at moment: Moment) -> TrackerPair {
        let identifiers =
            nextID == 0
            ? first : ViewIdentifiers(of: first, epochSeconds: moment.epochMilliseconds / 1000) { host.random() }
        let pair = makePair(roles, identifiers)
        pair.content?.sendTrackerReady(at: moment)
        pair.ad?.sendTrackerReady(at: moment)
        return pair
    }

    private func makePair(_ roles: TrackerRoles, _ identifiers: ViewIdentifiers) -> TrackerPair {
        let pair = TrackerPair(
            id: nextID,
            roles: roles,
            video: video,
            configuration: configuration,
            host: host
        ) { [unowned self] isAd in
            VideoTracker(
                configuration,
                identifiers: identifiers,
                isAd: isAd,
                video: video,
                ad: ad,
                shared: attributes,
                recorder: recorder
            )
        }
        pair.setHeartbeat(heartbeatPeriod)
        nextID += 1
        pairs.append(pair)
        return pair
    }

    /// Starts trackers in the middle of things: they say what brings them to where the player stands.
    package func startLater(_ roles: TrackerRoles, at moment: Moment) -> TrackerPair {
        let pair = start(roles, at: moment)
        if isInSession { pair.join(hasBegun: true, at: moment) }
        runTimers(at: moment)
        return pair
    }

    /// Releases a pair, which says nothing more; false when there is none with the id.
    package func release(_ id: Int64) -> Bool {
        guard let index = pairs.firstIndex(where: { $0.id == id }) else { return false }
        pairs[index].stop()
        pairs.remove(at: index)
        return true
    }

    /// Changes the time between two heartbeats, us; nil for none.
    package func setHeartbeat(_ period: Int64?, at time: Int64) {
        heartbeatPeriod = period
        for pair in pairs {
            pair.setHeartbeat(period)
            pair.runTimers(at: time, isLive: false)
        }
    }

    /// Follows another configuration; trackers that run go on.
    func reconfigure(_ configuration: TrackerConfiguration, at time: Int64) {
        let isHeartbeatNew = configuration.heartbeatPeriod != self.configuration.heartbeatPeriod
        self.configuration = configuration
        for pair in pairs { pair.reconfigure(configuration) }
        if isHeartbeatNew { setHeartbeat(configuration.heartbeatPeriod, at: time) }
    }

    // MARK: - What the host calls

    func sessionBegin(_ snapshot: EventView, at moment: Moment) {
        isInSession = true
        for pair in pairs { pair.sessionBegin(snapshot, at: moment) }
        runTimers(at: moment)
    }

    func handle(_ event: EventView, at moment: Moment) {
        for pair in pairs { pair.handle(event, at: moment) }
        runTimers(at: moment)
    }

    /// Remembers what is shown, at an event that says nothing else.
    func rememberPicture(_ player: PlayerState) {
        for pair in pairs { pair.rememberPicture(player) }
    }

    /// Leaves out ms in which the machine slept.
    func skip(_ length: Int64) {
        for pair in pairs { pair.skip(length) }
    }

    func timerFired(_ timer: TimerID, at moment: Moment) {
        for pair in pairs where pair.fires(timer, at: moment) { return }
    }

    func sessionEnd(_ reason: SessionEndReason, at moment: Moment) {
        for pair in pairs { pair.sessionEnd(reason, at: moment) }
        isInSession = false
    }

    /// Starts or stops timers, as streams started or ended in this call.
    package func runTimers(at moment: Moment) {
        for pair in pairs { pair.runTimers(at: moment.time, isLive: moment.player.isLive ?? video.isLive ?? false) }
    }
}
