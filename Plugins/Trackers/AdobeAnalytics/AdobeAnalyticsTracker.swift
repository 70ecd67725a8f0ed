internal import AdobeShared
package import PluginKit

/// Opens the viewing session in Adobe Analytics: one hit for the video, one for each ad.
///
/// It is to the heartbeat tracker what the Analytics plug-in of 1.4 is to the library: all that goes to the Analytics
/// server is here, all heartbeats are there (Adobe VHL 1.4, "Video Heartbeat Plug-ins").
///
/// The viewer's decision is followed twice: the host lets nothing out against it, and the tracker lets go of the
/// settings' default once there is one.
package final class AdobeAnalyticsTracker: Tracker, Reconfigurable {
    static let version: StaticString = "1.0.0"
    static let wireVersion: StaticString = "linux-1.0.0"
    private static let type: StaticString = "AdobeAnalytics.AdobeAnalyticsTracker"

    package static let descriptor = TrackerDescriptor(
        id: "com.adobe.analytics",
        name: "Adobe Analytics",
        vendor: "Adobe",
        version: "\(version)",
        build: .tally(),
        configurationSchema: AnalyticsConfiguration.schemaText,
        sharedConfiguration: [SettingsBlock.path],
        wantedEvents: [
            .videoLoad, .metadataChange, .firstFrame, .play, .qualitySample, .adStart, .videoUnload, .complete,
            .consent,
        ]
    )

    private let host: TrackerHost
    private let instance: String
    private let epochMicroseconds: Int64
    private let tracer: Tracer
    private let writer: HitWriter
    private var queue = HitQueue(SettingsBlock())
    private var video: ViewedVideo?
    /// Whether the video's hit waits for what the player has not said yet.
    private var isPending = false
    /// The load whose hit was sent: a tracker that comes back does not count the viewing twice.
    private var sentLoad: Int64?
    private var loadedAt: Int64 = 0
    /// The timer that ends the waiting.
    private var patience: TimerID?
    private var now: Int64 = 0

    /// How long the hit waits, us: longer than any player loads.
    private static let longestWait: Int64 = 30_000_000

    package init(run: RunInformation, host: TrackerHost) {
        self.host = host
        instance = run.instance
        epochMicroseconds = run.epochMicroseconds
        tracer = Tracer(.leveled, host: host, epochMicroseconds: run.epochMicroseconds)
        writer = HitWriter(host: host, tracer: tracer)
    }

    // MARK: - Life cycle

    package func configure(_ configuration: JSONValue) throws(ConfigurationError) {
        let new = try AnalyticsConfiguration.shared(reading: configuration) { (json) throws(ConfigurationError) in
            try AnalyticsConfiguration(json)
        }
        queue = HitQueue(new.settings)
        apply(new)
        guard !new.settings.unknownKeys.isEmpty else { return }
        let keys = new.settings.unknownKeys.joined(separator: ", ")
        warn("\(SettingsBlock.fileName) has keys without effect here: \(keys)")
    }

    /// Takes over a configuration in mid-run; the settings file is read once and stays.
    package func reconfigure(_ configuration: JSONValue, at time: Int64, state: PlayerState) throws(ConfigurationError)
    {
        now = time
        var new = try AnalyticsConfiguration(configuration, keeping: writer.configuration.settings)
        if new.settings != writer.configuration.settings {
            warn("\(SettingsBlock.fileName) is read once: it stays until a restart")
            new.settings = writer.configuration.settings
        }
        apply(new)
    }

    private func warn(_ text: String) { tracer.warn(Self.type, "configure", at: now, text) }

    private func apply(_ new: AnalyticsConfiguration) {
        writer.configuration = new
        tracer.set(on: new.debugLogging, at: now, type: "\(Self.type)")
    }

    package func disable() {
        patience = nil
        video = nil
        isPending = false
    }

    // MARK: - Events

    package func join(_ snapshot: EventView) {
        now = snapshot.time
        follow(snapshot)
        load(snapshot, loadedAt: snapshot.attributes[.loadedAtMicroseconds]?.int ?? snapshot.time)
    }

    package func handle(_ event: EventView) {
        now = event.time
        switch event.type {
        case .videoLoad: load(event, loadedAt: event.time)
        case .metadataChange:
            video?.read(event.attributes)
            openIfComplete(event.state)
        case .firstFrame, .play, .qualitySample: openIfComplete(event.state)
        case .adStart: adStart(event)
        case .videoUnload, .complete: open(event.state)
        case .consent: follow(event)
        default: break
        }
    }

    package func timerFired(_ timer: TimerID, at deadline: Int64, state: PlayerState) {
        guard timer == patience else { return }
        patience = nil
        now = deadline
        open(state)
    }

    package func sessionEnd(_ reason: SessionEndReason, at time: Int64, state: PlayerState) {
        now = time
        if !reason.isLeave { open(state) }
        put(queue.finish())
        video = nil
        isPending = false
        patience = nil
    }

    // MARK: - Viewings

    private func load(_ event: EventView, loadedAt: Int64) {
        tracer.beginSession()
        tracer.debug(Self.type, "trackVideoLoad", at: now, "trackVideoLoad()")
        stopWaiting()
        var video = ViewedVideo()
        video.read(event.attributes)
        self.video = video
        self.loadedAt = loadedAt
        isPending = sentLoad != loadedAt
        openIfComplete(event.state)
        if isPending { patience = host.startTimer(at: now + Self.longestWait) }
    }

    private func openIfComplete(_ player: PlayerState) {
        guard isPending, video?.isComplete(player) == true else { return }
        open(player)
    }

    /// Sends the video's hit with what is known now, if it waits.
    private func open(_ player: PlayerState) {
        guard isPending, let video else { return }
        isPending = false
        stopWaiting()
        guard !video.id.isEmpty else {
            return tracer.warn(Self.type, "trackVideoLoad", at: now, "no hit: VideoInfo.id is missing or empty")
        }
        sentLoad = loadedAt
        add(video.start(player, channel: writer.configuration.channel, epochSeconds: epochSeconds))
    }

    private func adStart(_ event: EventView) {
        guard let video else { return }
        open(event.state)
        tracer.debug(Self.type, "trackAdStart", at: now, "trackAdStart()")
        guard let hit = video.adStart(event, epochSeconds: epochSeconds) else {
            return tracer.warn(Self.type, "trackAdStart", at: now, "no hit: too little is known of ad or ad break")
        }
        add(hit)
    }

    private func stopWaiting() {
        if let patience { host.cancel(patience) }
        patience = nil
    }

    // MARK: - Hits

    private var epochSeconds: Int64 { (epochMicroseconds + now) / 1_000_000 }

    /// Follows a decision of the viewer that concerns all trackers, or this one.
    private func follow(_ event: EventView) {
        switch event.consent(for: instance) {
        case .given: put(queue.follow(.optedIn))
        case .refused: put(queue.follow(.optedOut))
        case .pending: put(queue.follow(.unknown))
        case nil: break
        }
    }

    private func add(_ hit: Hit) {
        let dropped = queue.dropped
        put(queue.add(hit))
        if queue.dropped > dropped {
            tracer.warn(Self.type, "add", at: now, "more than \(HitQueue.mostWaiting) hits wait: the oldest is dropped")
        }
    }

    private func put(_ hits: [Hit]) {
        for hit in hits {
            guard !writer.configuration.quietMode else {
                tracer.debug(Self.type, "put", at: now, "quiet mode: \(hit.kind.name) is not sent")
                continue
            }
            writer.emit(hit, at: now)
        }
    }
}
