internal import Archive
public import Coordinator
internal import EventModel
internal import Isolation
internal import PluginABI
internal import PluginLoading
public import Setup
internal import Synchronization
internal import System

/// Everything that one player does from its creation to its destroy: sessions one after another and what lies between.
///
/// The `track` methods may be called from any thread. Each takes the time, asks the delegate, queues one event and
/// returns: it takes no lock, allocates nothing and never waits for a plugin. A call out of order is delivered,
/// flagged.
@safe public final class PlayerRun: Sendable {
    /// The run's id: the archive's lines, records and beacons carry it.
    public let id: String

    let live: LiveRun
    let router: RunRouter
    package let telemetry: Telemetry
    private let callbacks: CallbackQueue
    private let refused = RefusedCalls()
    let switches: PluginSwitches
    let isolated: IsolatedTrackers?
    /// What the run's thread said last of its trackers.
    let lastReports = Lock(LastReports())
    private let delegate: RunDelegate

    package init(
        telemetry: Telemetry,
        delegate: (any PlayerDelegate)?,
        archive: String?,
        environment: RunEnvironment
    ) throws(TelemetryError) {
        var run = environment.description
        run.longestSilence = min(max(telemetry.options.longestSilence, 1), Limits.longestSilenceMicroseconds)
        let setups = telemetry.currentSetups()
        let recorder = try Self.recorder(archive, telemetry, run, setups)
        let isolated = try telemetry.isolatedTrackers(setups, of: run, recorder)
        let coordinator: Coordinator
        let make = {
            Result { () throws(PluginError) in
                try Coordinator(
                    run: run,
                    trackers: setups,
                    consumers: telemetry.consumers,
                    recorder: recorder,
                    log: telemetry.log,
                    following: isolated
                )
            }
        }
        // Not on the caller's own thread, which must not be left in a plugin; a run that is pumped has no other.
        switch environment.pumped ? make() : Thread.perform(name: "tally-core", make) {
        case .success(let ready): coordinator = ready
        case .failure(let error):
            isolated?.close()
            throw TelemetryError(error)
        }
        self.isolated = isolated
        if let store = telemetry.store {
            coordinator.onStore = { store.put($0, $1, $2) }
        }
        id = run.id
        let delegate = RunDelegate(delegate, isKept: environment.keepsDelegate)
        self.delegate = delegate
        callbacks = CallbackQueue()
        self.telemetry = telemetry
        let switches = PluginSwitches(setups)
        self.switches = switches
        coordinator.onDisabled = { switches.record($0, enabled: false) }
        let slow = SlowTrackers(switches: switches, quarantine: telemetry.catalog.admission.quarantine)
        slow.attach(to: coordinator)
        router = RunRouter(coordinator: coordinator, callbacks: callbacks, delegate: delegate)
        router.attach()
        live = LiveRun(
            coordinator: coordinator,
            clock: environment.clock,
            pumped: environment.pumped,
            perturbation: environment.perturbation
        )
        slow.begin(in: live)
        isolated?.attach(to: live, slow, switches, router, telemetry)
        for event in telemetry.register(self, begunWith: setups) {
            live.perform { coordinator, time in _ = try? coordinator.change([event], at: time) }
        }
    }

    /// The run's time, us since its start.
    public var time: Int64 { live.time }

    /// Whether track calls are taken: until it is destroyed.
    package var isOpen: Bool { live.isAccepting }

    /// What the run's trackers did so far; exact once the run is destroyed.
    public var trackerStatistics: [(name: String, enabled: Bool, statistics: TrackerStatistics)] { router.statistics }

    /// Handles everything that is due: for runs on a virtual clock, which have no thread of their own.
    public func pump() { live.pump() }

    // MARK: - Control

    /// Enables a plugin; in mid-session a tracker begins with a snapshot.
    ///
    /// A tracker is enabled in this run, at the next event; a reporter is enabled for all runs, at once.
    @discardableResult
    public func enable(plugin name: String, cause: ControlCause = .operator) -> PluginChange {
        change(name, .enable, cause)
    }

    /// Disables a plugin: a tracker may emit a last batch, a reporter delivers what it has, then it is silent.
    ///
    /// A tracker is disabled in this run, at the next event; a reporter is disabled for all runs, at once.
    @discardableResult
    public func disable(plugin name: String, cause: ControlCause = .operator) -> PluginChange {
        change(name, .disable, cause)
    }

    private func change(_ name: String, _ change: ControlEvent.Change, _ cause: ControlCause) -> PluginChange {
        let enable = if case .enable = change { true } else { false }
        if telemetry.reporter(named: name) != nil { return telemetry.switchReporter(name, enable: enable) }
        let (outcome, wish) = switches.request(name, enable: enable)
        if let wish {
            let event = ControlEvent(instance: name, change: change, cause: cause.rawValue)
            let switches = switches
            live.perform { coordinator, time in
                guard switches.begin(wish) else { return }
                // A failure of the plugin goes to the delegate, and the wish is forgotten; so is one that is refused.
                guard let answer = try? coordinator.change([event], at: time).first, answer.error == nil else {
                    return switches.record(name, enabled: !enable)
                }
            }
        }
        return outcome
    }

    /// Notes that a tracker has joined or was replaced.
    package func recordTracker(_ name: String, enabled: Bool) { switches.record(name, enabled: enabled) }

    /// Ends the run.
    ///
    /// The first call does; later ones return what it reported.
    ///
    /// - Returns: what was dropped, and what became of the outputs.
    @discardableResult
    public func destroy(_ mode: DestroyMode = .drain()) -> DestroyReport {
        router.destroy(mode) {
            let dropped = live.finish(mode)
            // Reporters serve all runs: what waits for them is this run's alone when no other goes on.
            let isLast = telemetry.unregister(self)
            return (dropped, mode == .cancel && isLast ? telemetry.dropQueued() : 0)
        } behind: {
            isolated?.close()
        }
    }

    // MARK: - Tracking

    /// Makes one event: the heart of every track method.
    @discardableResult
    func track(_ type: EventType, _ fill: (inout TrackEncoder) -> Void = { _ in }) -> TrackResult {
        guard live.isAccepting else { return .ended }
        let stamp = live.time
        guard hasRoom(for: type), let slot = live.queue.claim() else {
            refused.count(type)
            return .refused
        }
        var encoder = TrackEncoder(slot: slot, queue: live.queue)
        unsafe encoder.header.pointee.time_us = stamp
        ask(&encoder, InfoNeeds.of(type))
        fill(&encoder)
        refused.report(in: &encoder)
        let without = encoder.refused
        guard let written = encoder.finish(type) else {
            encoder.abandon()
            refused.count(type)
            return .refused
        }
        live.perturbation?.beforeEnqueue()
        live.queue.publish(written, of: live.place)
        return without == 0 ? .queued : .queuedWithout(attributes: without)
    }

    /// Samples make way for quality samples, and those for state changes.
    private func hasRoom(for type: EventType) -> Bool {
        switch type {
        case .playheadSample: live.queue.fillPermille < 500
        case .qualitySample: live.queue.fillPermille < 750
        default: true
        }
    }

    private func ask(_ encoder: inout TrackEncoder, _ needs: InfoNeeds) {
        guard let delegate = delegate.object else { return }
        unsafe withUnsafeMutablePointer(to: &encoder) { encoder in
            unsafe delegate.playerState(PlayerStateEncoder(encoder))
            if needs.contains(.stateOnly) { return }
            if needs.contains(.video) {
                unsafe delegate.videoInfo(VideoInfoEncoder(encoder))
            }
            if needs.contains(.adBreak) {
                unsafe delegate.adBreakInfo(AdBreakInfoEncoder(encoder))
            }
            if needs.contains(.ad) {
                unsafe delegate.adInfo(AdInfoEncoder(encoder))
            }
            if needs.contains(.chapter) {
                unsafe delegate.chapterInfo(ChapterInfoEncoder(encoder))
            }
            unsafe delegate.qualityInfo(QualityInfoEncoder(encoder))
        }
    }

    private static func recorder(
        _ path: String?,
        _ telemetry: Telemetry,
        _ run: RunDescription,
        _ setups: [TrackerSetup]
    ) throws(TelemetryError) -> ArchiveRecorder? {
        var header = ArchiveHeader(run, trackers: telemetry.recordedTrackers(setups))
        header.longestSilence = run.longestSilence
        let bytes = ArchiveWriter.bytes(of: header)
        guard bytes <= ArchiveFormat.longestLine else {
            throw TelemetryError(
                kind: .configuration,
                "the archive's first line, which has the configuration of each tracker and what it has kept from earlier "
                    + "runs, would have \(bytes) bytes, and nobody reads more than \(ArchiveFormat.longestLine): "
                    + "shorten what the trackers are configured with, or remove the file of persistent values"
            )
        }
        guard let path else {
            let limit = telemetry.options.fixed ? 0 : telemetry.options.keptBytes
            return limit > 0 || telemetry.handsOnLines ? ArchiveRecorder(keeping: limit, header) : nil
        }
        do throws(ArchiveFile.Failure) {
            let file = try ArchiveFile(path: path)
            let log = telemetry.options.log
            let writer = ArchiveWriter(file: file, header: header) { failure in
                log?(LogLine(level: .error, instance: "", message: failure.description))
            }
            if let failure = writer.failure { throw failure }
            return ArchiveRecorder(writer: writer)
        } catch {
            throw TelemetryError(error)
        }
    }
}

extension Telemetry {
    /// Begins a player run.
    ///
    /// The delegate is asked for information at track calls and told of errors and ended sessions; it is not retained.
    /// The run is recorded to the file `archive`; nil records nothing. Throws a ``TelemetryError`` when a tracker
    /// cannot be made or the archive cannot be created.
    public func startRun(
        delegate: (any PlayerDelegate)? = nil,
        archive: String? = nil
    ) throws(TelemetryError) -> PlayerRun {
        try PlayerRun(telemetry: self, delegate: delegate, archive: archive, environment: .live())
    }

    /// The same for a run that began so many us ago, of which nothing was said so far, and that keeps its delegate.
    package func startRun(
        delegate: any PlayerDelegate,
        archive: String?,
        startedAgo: Int64
    ) throws(TelemetryError) -> PlayerRun {
        let environment = RunEnvironment.live(startedAgo: startedAgo, keepsDelegate: true)
        return try PlayerRun(telemetry: self, delegate: delegate, archive: archive, environment: environment)
    }
}

/// What became of a track call.
public enum TrackResult: Sendable, Equatable {
    /// The event is queued.
    case queued
    /// The event is queued without this many attributes, which break a limit of docs/limits.md.
    case queuedWithout(attributes: Int)
    /// The queue is full: the event is refused, and the next event that gets in says so.
    case refused
    /// The run was destroyed.
    case ended
    /// No event of a player has the name that was tracked; nothing is queued.
    case unknownEvent
}

/// Which information the delegate is asked for at a track call, besides player state and quality.
struct InfoNeeds: OptionSet {
    let rawValue: UInt8

    static let video = InfoNeeds(rawValue: 1)
    static let adBreak = InfoNeeds(rawValue: 2)
    static let ad = InfoNeeds(rawValue: 4)
    static let chapter = InfoNeeds(rawValue: 8)
    /// Player state alone: a sample comes often.
    static let stateOnly = InfoNeeds(rawValue: 16)

    /// The needs of an event type, as the data model has them.
    static func of(_ type: EventType) -> InfoNeeds {
        switch type {
        case .videoLoad, .metadataChange: .video
        case .adBreakStart: .adBreak
        case .adStart: [.adBreak, .ad]
        case .chapterStart: .chapter
        case .seekComplete: [.adBreak, .ad, .chapter]
        case .playheadSample: .stateOnly
        default: []
        }
    }
}

/// Counts track calls that the queue refused, until the next event tells of them.
///
/// Thread-safe, without locks.
final class RefusedCalls: Sendable {
    private let any = Atomic<Bool>(false)
    private let samples = Atomic<Int64>(0)
    private let qualitySamples = Atomic<Int64>(0)
    private let events = Atomic<Int64>(0)

    /// Counts a refused call.
    func count(_ type: EventType) {
        switch type {
        case .playheadSample: samples.add(1, ordering: .relaxed)
        case .qualitySample: qualitySamples.add(1, ordering: .relaxed)
        default: events.add(1, ordering: .relaxed)
        }
        any.store(true, ordering: .releasing)
    }

    /// Writes the counts into the next event and starts anew.
    func report(in encoder: inout TrackEncoder) {
        guard any.load(ordering: .relaxed), any.exchange(false, ordering: .acquiring) else { return }
        unsafe encoder.header.pointee.flags |= TALLY_EVENT_GAP_BEFORE
        encoder.set(.gapSamples, samples.exchange(0, ordering: .relaxed))
        encoder.set(.gapQualitySamples, qualitySamples.exchange(0, ordering: .relaxed))
        encoder.set(.gapEvents, events.exchange(0, ordering: .relaxed))
    }
}
