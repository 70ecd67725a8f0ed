public import PluginKit

/// The base of a tracker of one's own that speaks New Relic's data model (the guide, "Creating a custom tracker").
///
/// A subclass overrides ``descriptor``, registers listeners for the player's events, and calls senders in them. The
/// tracker keeps the state, puts events together, and sends them as records and, if delivery is configured, to the
/// Event API. What it says is a content's event, or an ad's when the configuration has `trackers: "ad"`.
///
/// It is called as every tracker is: in one serial context, without clocks, files and threads.
open class CustomVideoTracker: VideoGetters, Tracker {
    /// What the tracker is; every subclass has its own.
    open class var descriptor: TrackerDescriptor {
        preconditionFailure("a custom tracker has to override `descriptor`")
    }

    /// JSON Schema of what can be configured, for the descriptor of a subclass.
    public static let configurationSchema = TrackerConfiguration.schemaText

    /// What the tracker may ask of its host.
    public let host: TrackerHost

    private let run: RunInformation
    private var configuration = TrackerConfiguration()
    private var recorder: RecordEmitter
    private var isInSession = false
    private var shown = ShownMedia()
    private var heartbeat: Interval?
    private let video = MediaInformation.ofVideo()
    private let ad = MediaInformation.ofAds()
    private var listeners: [UInt32: [(EventView) -> Void]] = [:]
    // Both are set in a call that has a time, and only then may senders be called.
    private var tracker: VideoTracker?
    private var moment: Moment?

    /// Makes an instance; called by the kit.
    public required init(run: RunInformation, host: TrackerHost) {
        self.host = host
        self.run = run
        recorder = RecordEmitter(host)
        super.init()
    }

    // MARK: - What a subclass overrides

    /// The tracker gets its player: says `PLAYER_READY`.
    ///
    /// Called with the first thing that is heard of the player, and whenever the player says that it is ready. Override
    /// it to do more, such as ``registerListeners()``, and call `super`.
    open func setPlayer() {
        sendPlayerReady()
    }

    /// Says what is to be done at which of the player's events, with ``listen(to:_:)``.
    open func registerListeners() {}

    /// Called when the tracker is released; takes all listeners away.
    open func unregisterListeners() {
        listeners.removeAll()
    }

    /// Attributes of its own for the event of an action.
    open func getAttributes(_ action: String) -> [(name: String, value: PlainValue)] { [] }

    /// Adds rows to the time-since table with ``addTimeSinceEntry(action:attribute:filter:)``, once for a tracker.
    open func generateTimeSinceTable() {}

    /// Looks at an event before it is sent: may change it, drop it by answering false, or send it in another way
    /// itself.
    open func preSend(_ event: CustomEvent) -> Bool { true }

    // MARK: - What a subclass calls

    /// Where playback stands, changed by the senders.
    public var state: TrackerState { tracker?.state ?? TrackerState() }

    /// Calls `action` at every player event of a type; the event is lent for the call.
    public func listen(to type: EventType, _ action: @escaping (EventView) -> Void) {
        listeners[type.rawValue, default: []].append(action)
    }

    /// Calls a sender; what is not legal where playback stands says nothing.
    func send(_ sender: VideoSender, _ detail: EventDetail = .none) { send { $0.send(sender, detail, at: $1) } }

    /// Calls a sender while there is a tracker and a time.
    func send(_ send: (VideoTracker, Moment) -> Void) {
        guard let tracker, let moment else { return }
        send(tracker, moment)
        heartbeat?.run(tracker.wantsHeartbeat, at: moment.time)
    }

    /// Adds a row to the time-since table; the filter is a regular expression for whole actions.
    public func addTimeSinceEntry(action: String, attribute: String, filter: String) {
        guard let filter = ActionFilter(pattern: filter) else {
            return host.log(.warning, "\"\(filter)\" is no regular expression: \(attribute) is left out")
        }
        tracker?.addTimeSinceEntry(action, attribute: attribute, filter: filter)
    }

    // MARK: - Tracker

    /// Reads the configuration, which is that of the New Relic video tracker.
    public func configure(_ configuration: JSONValue) throws(ConfigurationError) {
        self.configuration = try TrackerConfiguration(reading: configuration)
    }

    /// Begins as new.
    public func enable() {
        tracker = nil
        recorder = RecordEmitter(host, delivery: configuration.makeDelivery(host))
        heartbeat = configuration.heartbeatPeriod.map { Interval(every: $0, host: host) }
    }

    /// Releases the tracker.
    public func disable() {
        if tracker != nil { unregisterListeners() }
        tracker = nil
    }

    /// Begins with what is known of the video.
    public func sessionBegin(_ snapshot: EventView) {
        isInSession = true
        enter(snapshot.time, snapshot.state)
        video.forget()
        shown = ShownMedia()
        ready()
        if snapshot.isJoin { shown.join(snapshot.state) }
        followShown()
        readInformation(snapshot)
        leave()
    }

    /// Calls the listeners of the event.
    public func handle(_ event: EventView) {
        if !event.canMeanPlayback { observe(event) }
        guard event.canMeanPlayback || listeners[event.type.rawValue] != nil else { return }
        enter(event.time, event.state)
        let wasReady = tracker != nil
        shown.prepare(event.type)
        followShown()
        if event.type == .playerReady { readInformation(event) }
        ready()
        if event.type == .playerReady {
            if wasReady { setPlayer() }
        } else {
            readInformation(event)
        }
        for listener in listeners[event.type.rawValue] ?? [] { listener(event) }
        shown.remember(event.state)
        followShown()
        leave()
    }

    /// Looks at an event that means nothing to a sender, but to what the events tell.
    private func observe(_ event: EventView) {
        if event.type == .qualitySample {
            shown.remember(event.state)
        } else if let length = run.sleptMilliseconds(event) {
            tracker?.skip(length)
        }
    }

    /// Lets the tracker tell its own picture, and the content's play time stand while ads have the screen.
    private func followShown() {
        guard let tracker, let moment else { return }
        tracker.heldPicture = shown.held(isAd: tracker.state.isAd)
        if !tracker.state.isAd { tracker.followPlayhead(shown.isInBreak, at: moment) }
    }

    /// Sends a heartbeat.
    public func timerFired(_ timer: TimerID, at deadline: Int64, state: PlayerState) {
        enter(deadline, state)
        if recorder.delivery?.fires(timer) == true { return leave() }
        if heartbeat?.fires(timer, at: deadline) == true { sendHeartbeat() }
        leave()
    }

    /// Sends what waits.
    public func sessionEnd(_ reason: SessionEndReason, at time: Int64, state: PlayerState) {
        enter(time, state)
        if reason == .unload { sendEnd() }
        heartbeat?.stop()
        recorder.delivery?.harvest()
        isInSession = false
        leave()
    }

    // MARK: - Parts

    override final func known(_ content: StandardAttribute?, _ ad: StandardAttribute?) -> PlainValue? {
        guard let tracker, let moment, let attribute = tracker.state.isAd ? ad ?? content : content else { return nil }
        return tracker.getter(attribute, at: moment)?.plain
    }

    private func enter(_ time: Int64, _ state: PlayerState) {
        recorder.time = time
        moment = run.moment(time, state)
    }

    private func leave() {
        moment = nil
        if !isInSession { recorder.delivery?.sendOutsideSession() }
    }

    private func readInformation(_ event: EventView) {
        video.read(event.attributes)
        ad.read(event.attributes)
    }

    /// Makes the video tracker with the first thing that has a time.
    private func ready() {
        guard tracker == nil, let moment else { return }
        let identifiers = ViewIdentifiers(epochSeconds: moment.epochMilliseconds / 1000) { host.random() }
        let tracker = VideoTracker(
            configuration,
            identifiers: identifiers,
            isAd: configuration.trackers == .ad,
            video: video,
            ad: ad,
            recorder: recorder
        )
        self.tracker = tracker
        tracker.customization = self
        generateTimeSinceTable()
        tracker.sendTrackerReady(at: moment)
        setPlayer()
    }
}

/// What the video tracker asks the subclass.
extension CustomVideoTracker: EventCustomization {
    package func attributes(of action: Action) -> [AttributeSetting] {
        getAttributes(action.name.string).map { AttributeSetting($0.name, $0.value) }
    }

    package func preSend(_ action: Action, _ attributes: inout EventAttributes, in texts: TextPool) -> Bool {
        let event = CustomEvent(action.name.string, attributes, in: texts)
        defer { attributes = event.giveBack() }
        return preSend(event)
    }
}
