package import PluginKit

/// One instance of the vendor's API: its state, its calls, and the pings that follow from them.
///
/// The rules are those of the DCR Sweden Video iOS SDK guide. What pings say and when they are made stands in
/// ``PingMeter``.
package final class AppAPI {
    /// Where the instance stands in its life cycle.
    package internal(set) var state = InstanceState.initial
    /// Whether the user is opted out.
    package internal(set) var optOut: OptOut {
        didSet { meter.isOptedOut = optOut.isOptedOut }
    }
    /// Whether `appDisableApi` is set.
    package internal(set) var isDisabledByCall = false

    private let configuration: TrackerConfiguration
    private let isDebugging: Bool
    private let host: TrackerHost
    private let recorder: CallRecorder
    let meter: PingMeter
    /// The channel of the video, also when its content has ended: an ad may follow.
    private var channelName: String?
    /// Whether `play` was called and `end` was not.
    private var isStarted = false
    private var isRunning = false
    /// When the application began to run, us.
    private var startedAt: Int64 = 0

    /// Makes an instance that is not initialised yet.
    package init(_ configuration: TrackerConfiguration, host: TrackerHost, storedOptOut: String?) {
        self.configuration = configuration
        isDebugging = configuration.application?.isDebugging == true
        self.host = host
        recorder = CallRecorder(host)
        meter = PingMeter(configuration, host: host)
        optOut = OptOut(
            isForKids: configuration.isForKids,
            bySystem: configuration.isOptedOutBySystem,
            stored: storedOptOut
        )
        meter.isOptedOut = optOut.isOptedOut
    }

    // MARK: - Life cycle

    /// Initialises with the application's information; without any, the instance stays in the initial state.
    package func start(at moment: Moment) {
        guard let application = configuration.application, state == .initial else { return }
        for problem in application.problems {
            recorder.error(problem.code, in: .initWithAppInfo, key: problem.key, problem.message)
        }
        state = application.isUsable ? .idle : .disabled
        guard state == .idle else { return }
        meter.begin(at: moment)
        startedAt = moment.time
        isRunning = true
        recorder.event(.startup)
        if application.isDebugging {
            recorder.warning(key: "nol_devDebug", "\"nol_devDebug\" is set: remove it before going live")
        }
        if optOut.isForKids {
            // Called right after the initialisation, as the guide asks of applications for children.
            recorder.userOptOut(OptOut.outURL)
        }
        if optOut.isOptedOut { recorder.optOutStatus(optOut) }
    }

    /// The application was launched: an API that had ended starts again.
    package func applicationLaunched(at moment: Moment) {
        guard !isRunning, state == .idle || state == .processing else { return }
        isRunning = true
        startedAt = moment.time
        recorder.event(.startup)
    }

    /// The application ends after it ran for so many milliseconds; without them, the time since the start counts.
    package func applicationTerminated(runningTime: Int64?, at moment: Moment) {
        guard isRunning else { return }
        isRunning = false
        let milliseconds = runningTime ?? (moment.time - startedAt) / 1000
        recorder.event(.shutdown, runningTimeSeconds: milliseconds / 1000)
    }

    /// `appDisableApi`: what was viewed and not sent is dropped; on again, the instance is idle.
    package func disable(_ isDisabled: Bool) {
        guard state != .initial, isDisabled != isDisabledByCall else { return }
        isDisabledByCall = isDisabled
        guard configuration.application?.isUsable == true else { return }
        recorder.disableAPI(isDisabled)
        if isDisabled {
            state = .disabled
            channelName = nil
            isStarted = false
            meter.drop()
        } else {
            state = .idle
        }
    }

    // MARK: - Measurement

    /// `play`: the video is started; while one is measured it has no effect.
    package func play(channelName: String?) {
        guard state == .idle || state == .processing else { return ignored(.play) }
        guard let name = channelName, !name.isEmpty else {
            return recorder.error(.failedParseMetadata, in: .play, key: "channelName", "\"channelName\" is missing")
        }
        guard !isStarted else {
            if name != self.channelName {
                recorder.warning(key: "channelName", "\"channelName\" is constant for an asset: the change is ignored")
            }
            return
        }
        isStarted = true
        self.channelName = name
        recorder.play(channelName: name)
    }

    /// `loadMetadata`: an asset begins; false when it is not measured.
    ///
    /// The argument is JSON text or an object. Metadata of something else than what is known to be shown are refused.
    @discardableResult
    package func loadMetadata(
        _ argument: JSONValue,
        for place: AssetMetadata.Place? = nil,
        isLinear: Bool = false,
        at moment: Moment
    ) -> Bool {
        guard state == .idle || state == .processing else {
            ignored(.loadMetadata)
            return false
        }
        let metadata: AssetMetadata
        do throws(MetadataProblem) {
            metadata = try AssetMetadata(argument, for: place, isLinear: isLinear)
        } catch {
            // What plays now is not the asset that was measured before.
            meter.leaveAsset()
            recorder.error(.failedParseMetadata, in: .loadMetadata, key: error.key, error.message)
            return false
        }
        if metadata.kind == .staticContent {
            recorder.load(metadata)
            meter.viewStatic(metadata, at: moment)
            return true
        }
        guard metadata.kind.isAd ? channelName != nil : isStarted else {
            ignored(.loadMetadata)
            return false
        }
        for key in meter.load(metadata, at: moment) {
            recorder.warning(key: key, "\"\(key)\" is constant for an asset: the change is ignored")
        }
        if let loaded = meter.asset { recorder.load(loaded) }
        state = .processing
        return true
    }

    /// `playheadPosition`, s: where the asset stands, for a live stream since 1970.
    ///
    /// `isCredited` says whether one second of playback led here from the position before.
    package func playheadPosition(_ position: Int64, isCredited: Bool, at moment: Moment) {
        guard state == .processing, let asset = meter.asset else { return ignored(.playheadPosition) }
        guard position >= 0, position != meter.lastPosition else {
            let problem = "the position \(position) s is negative or repeats the one before"
            return recorder.error(.invalidPlayheadPosition, in: .playheadPosition, key: "position", problem)
        }
        recorder.playhead(position, of: asset.kind, isCredited: isCredited)
        meter.playhead(position, isCredited: isCredited, at: moment)
    }

    /// `stop`: measurement pauses until the next playhead, which begins a new viewing session.
    package func stop(at moment: Moment) {
        guard state == .processing else { return ignored(.stop) }
        recorder.call(.stop)
        meter.stop(at: moment)
    }

    /// `end`: the content is over; an ad that follows can still be measured.
    package func end(at moment: Moment) {
        guard state == .processing || state == .idle, isStarted else { return ignored(.end) }
        isStarted = false
        recorder.call(.end)
        meter.end(at: moment)
        state = .idle
    }

    // MARK: - Opt-out

    /// `userOptOut`: takes over the user's choice, and keeps it for later runs; false for any other text.
    @discardableResult
    package func userOptOut(_ url: String) -> Bool {
        guard state != .initial else {
            ignored(.userOptOut)
            return false
        }
        let before = optOut.source
        if optOut.isForKids, url == OptOut.inURL {
            recorder.warning(key: "url", "an application for children stays opted out")
            return false
        }
        guard optOut.choose(url) else {
            let problem = "\"\(url)\" is neither \(OptOut.outURL) nor \(OptOut.inURL)"
            recorder.error(.failedParseMetadata, in: .userOptOut, key: "url", problem)
            return false
        }
        recorder.userOptOut(url)
        host.store(OptOut.storeKey, url == OptOut.outURL ? "1" : "0")
        recordChange(from: before)
        return true
    }

    /// The system's setting opts out, or does no longer.
    package func systemOptOut(_ isOptedOut: Bool) {
        guard state != .initial else { return }
        let before = optOut.source
        optOut.bySystem = isOptedOut
        recordChange(from: before)
    }

    private func recordChange(from before: OptOut.Source?) {
        if optOut.source != before { recorder.optOutStatus(optOut) }
    }

    // MARK: - Notes

    /// Something in the metadata that was passed over.
    package func warn(key: String, _ message: String) {
        guard state == .idle || state == .processing else { return }
        recorder.warning(key: key, message)
    }

    /// An argument that could not even be handed over.
    package func refuse(_ problem: MetadataProblem) {
        guard state == .idle || state == .processing else { return }
        recorder.error(.failedParseMetadata, in: .loadMetadata, key: problem.key, problem.message)
    }

    /// A call that the state does not let through: not an error, so nothing but a debug line.
    private func ignored(_ call: APICall) {
        guard isDebugging else { return }
        host.log(.debug, "\(call.name) is ignored in the state \(state.rawValue)")
    }
}

/// The four states of an instance (DCR Sweden Video iOS SDK, "Life cycle of SDK instance").
package enum InstanceState: String, Sendable, CaseIterable {
    /// Not initialised: every call is ignored, without an error. Once left, it is never entered again.
    case initial
    /// Initialised: listens for `play`, measures nothing.
    case idle
    /// `play` and `loadMetadata` were called: playheads are processed, pings are built.
    case processing
    /// Initialisation failed, or `appDisableApi` is set: calls are not processed.
    case disabled
}
