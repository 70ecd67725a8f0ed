internal import PluginABI
package import PluginKit

/// What each player event means: which calls of the vendor's API it causes, in the guide's order.
///
/// It calls `play` once when the video is started, `loadMetadata` at the beginning of each asset with the content
/// first, `playheadPosition` once a second while an asset plays, `stop` when an ad is over, at a pause and at an
/// interruption, and `end` when the content is over or left.
package final class PlayerBinding {
    /// What is measured at a moment.
    enum Activity { case nothing, content, ad }

    /// Whether the content's metadata was handed over.
    enum ContentState { case notLoaded, accepted, refused }

    let api: AppAPI
    let configuration: TrackerConfiguration
    let host: TrackerHost
    var description: AssetDescription
    var position = ContentPosition()
    var cadence: PlayheadCadence

    var isInSession = false
    /// Whether `play` was called for what is shown.
    var isBegun = false
    /// Whether the content has ended.
    var isEnded = false
    /// Whether the first frame was shown, or the playhead has moved.
    var isStarted = false
    /// Whether measurement stands between a `stop` and the next playhead.
    var isStopped = false
    var contentState = ContentState.notLoaded
    /// The content's metadata as they were handed over: they are constant for an asset.
    var loadedContent: JSONValue = .null
    /// The content's metadata as they were seen last, so that a change is reported once.
    var seenContent: JSONValue = .null
    var seenChannel: String?
    /// What the API's playheads belong to.
    var loaded = Activity.nothing
    /// What plays and is measured.
    var running = Activity.nothing
    var isAdOpen = false
    var isAdAccepted = false
    /// Whether the ad comes after the content.
    var isPostroll = false
    /// Whether a postroll is over and the content has not shown that it plays on.
    var isAfterPostroll = false
    var endsAfterAd = false
    var interruption: Interruption?
    /// The end of a sleep of the machine.
    var wake: TimerID?
    var isInBackground = false
    /// The last position that was told of what is loaded.
    var lastPosition: Int64?
    var firstPlayhead: Int64?

    /// Binds an instance of the API.
    package init(_ configuration: TrackerConfiguration, api: AppAPI, host: TrackerHost) {
        self.configuration = configuration
        self.api = api
        self.host = host
        description = AssetDescription(configuration)
        cadence = PlayheadCadence(host)
    }

    // MARK: - Sessions

    /// Begins a session; in its middle, catches up with where the player stands.
    package func sessionBegin(_ snapshot: EventView, at moment: Moment) {
        forget()
        isInSession = true
        catchUpWithInterruptions(moment.player)
        guard snapshot.isJoin else { return }
        let extra = MetadataAttributes(snapshot.attributes)
        description.read(snapshot.attributes, extra)
        api.meter.mediaURL = description.mediaURL
        let player = moment.player
        isStarted = player.has(TALLY_STATE_STARTED)
        if player.has(TALLY_STATE_ENDED) {
            isBegun = true
            isEnded = true
        } else if player.has(TALLY_STATE_PLAYING) || snapshot.attributes[.firstPlayAtMicroseconds] != nil {
            begin()
        }
        if player.has(TALLY_STATE_IN_AD) {
            // A snapshot does not tell whether a key belongs to the ad or to the video: it is taken for the video's.
            adStart(snapshot.attributes, MetadataAttributes(), at: moment)
        }
        update(at: moment)
    }

    /// What interrupted while the tracker did not listen; the reason is not known then.
    private func catchUpWithInterruptions(_ player: PlayerState) {
        isInBackground = player.has(TALLY_STATE_BACKGROUND)
        if !player.has(TALLY_STATE_INTERRUPTED) {
            interruption = nil
        } else if interruption == nil {
            interruption = .other
        }
    }

    /// Ends the session: content that was left before its end is ended as well.
    package func sessionEnd(at moment: Moment) {
        finish(at: moment)
        isInSession = false
        forget()
    }

    /// Ends what is measured.
    func finish(at moment: Moment) {
        closeAd(at: moment)
        endContent(at: moment)
        cadence.reset()
        running = .nothing
    }

    private func forget() {
        cadence.reset()
        wake.map(host.cancel)
        wake = nil
        description = AssetDescription(configuration)
        forgetContent()
        isStarted = false
        isAdOpen = false
        isAdAccepted = false
        isPostroll = false
        endsAfterAd = false
        firstPlayhead = nil
    }

    func forgetContent() {
        isBegun = false
        isEnded = false
        isStopped = false
        contentState = .notLoaded
        loadedContent = .null
        seenContent = .null
        seenChannel = nil
        loaded = .nothing
        running = .nothing
        isAfterPostroll = false
        lastPosition = nil
        position = ContentPosition()
    }

    // MARK: - Events

    /// Whether an event can mean anything here; samples do while playback has not started, or may be over.
    @inline(__always)
    package func concerns(_ event: EventView) -> Bool {
        switch unsafe event.raw.pointee.type {
        case TALLY_EVENT_TYPE_PLAYHEAD_SAMPLE: isInSession && (!isStarted || isAfterPostroll)
        case TALLY_EVENT_TYPE_QUALITY_SAMPLE, TALLY_EVENT_TYPE_REQUEST_COMPLETED, TALLY_EVENT_TYPE_REQUEST_FAILED,
            TALLY_EVENT_TYPE_REQUEST_CANCELLED, TALLY_EVENT_TYPE_RENDITION_CHANGE:
            false
        case TALLY_EVENT_TYPE_SYSTEM_SUSPENDED: isInSession
        case let type: type < TALLY_EVENT_TYPE_SESSION_SNAPSHOT
        }
    }

    /// Makes the calls that an event causes.
    package func handle(_ event: EventView, at moment: Moment) {
        switch event.type {
        case .applicationLaunched: api.applicationLaunched(at: moment)
        case .applicationTerminated:
            finish(at: moment)
            api.applicationTerminated(runningTime: event.attributes[.runningTimeMs]?.int, at: moment)
        case .applicationBackground: setBackground(true, at: moment)
        case .applicationForeground: setBackground(false, at: moment)
        case .interruptionStart: interrupt(Interruption(event.attributes[.interruptionReason]?.string), at: moment)
        case .interruptionEnd: endInterruption(at: moment)
        case .metadataChange: metadataChange(event.attributes, at: moment)
        case .systemSuspended: suspend(for: event.attributes[.stepMicroseconds]?.int ?? 0, at: moment)
        default:
            guard isInSession else { return }
            handlePlayback(event, at: moment)
        }
    }

    private func handlePlayback(_ event: EventView, at moment: Moment) {
        switch event.type {
        case .videoLoad:
            description.read(event.attributes, readExtra(event.attributes, at: moment))
            api.meter.mediaURL = description.mediaURL
        case .play: play()
        case .firstFrame:
            isStarted = true
            isAfterPostroll = false
        case .playheadSample:
            detectPlayback(moment.player)
            guard isStarted, !isAfterPostroll else { return }
        case .pause: stop(at: moment)
        case .seekStart:
            // Withheld without a stop; where playback goes on is not one second further.
            hold(at: moment)
            cadence.reset()
        case .complete:
            if isAdOpen { endsAfterAd = true } else { endContent(at: moment) }
        case .adStart: adStart(event.attributes, readExtra(event.attributes, at: moment), at: moment)
        case .adComplete, .adBreakComplete: completeAd(at: moment)
        case .adSkip: closeAd(at: moment)
        case .seekComplete: isAfterPostroll = false
        case .bufferStart, .bufferComplete, .adBreakStart: break
        default: return
        }
        update(at: moment)
    }

    /// A player that tells of no first frame has started when its playhead moves while it plays; after a postroll,
    /// the content plays on when it does.
    private func detectPlayback(_ player: PlayerState) {
        guard player.has(TALLY_STATE_PLAYING), let playhead = player.reportedPlayheadMilliseconds else { return }
        if isAfterPostroll, player.hasAny(TALLY_STATE_IN_AD_BREAK | TALLY_STATE_IN_AD) { return }
        if let first = firstPlayhead, playhead > first {
            isStarted = true
            isAfterPostroll = false
        }
        if firstPlayhead == nil { firstPlayhead = playhead }
    }

    private func play() {
        if isEnded, !isAdOpen {
            // Played again after its end: the same video from its beginning.
            forgetContent()
        }
        isAfterPostroll = false
        begin()
    }

    /// `play`, once for a video.
    func begin() {
        guard !isBegun else { return }
        isBegun = true
        seenChannel = description.channelName
        api.play(channelName: seenChannel)
    }

    func endContent(at moment: Moment) {
        endsAfterAd = false
        // What was never played does not end either: playing it begins it.
        guard isBegun, !isEnded else { return }
        isEnded = true
        hold(at: moment)
        api.end(at: moment)
        loaded = .nothing
        lastPosition = nil
        cadence.reset()
    }

    // MARK: - Metadata

    /// Reads this tracker's own attributes and reports what is wrong with them; static content is measured at once.
    func readExtra(_ attributes: AttributeList, at moment: Moment) -> MetadataAttributes {
        let extra = MetadataAttributes(attributes)
        if let problem = extra.problem { api.refuse(problem) }
        if let content = extra.staticContent { api.loadMetadata(content, at: moment) }
        return extra
    }

    private func metadataChange(_ attributes: AttributeList, at moment: Moment) {
        let extra = readExtra(attributes, at: moment)
        guard isInSession else { return }
        description.read(attributes, extra)
        if contentState == .accepted, interruption != .channelChange { warnOfChanges(at: moment) }
        update(at: moment)
    }

    /// Metadata are constant for an asset: what changed is told once with its key, and ignored.
    private func warnOfChanges(at moment: Moment) {
        if description.channelName != seenChannel {
            seenChannel = description.channelName
            api.warn(key: "channelName", "\"channelName\" is constant for an asset: the change is ignored")
        }
        let content = description.content(moment.player)
        for member in content.object ?? [:] where member.key != "length" {
            guard member.value != seenContent[member.key], member.value != loadedContent[member.key] else { continue }
            api.warn(key: member.key, "\"\(member.key)\" is constant for an asset: the change is ignored")
        }
        seenContent = content
    }
}
