internal import Streaming

/// Turns signals of the engine into events and orders without any call, so that data alone tries every sequence.
package struct PlaybackState: Sendable {
    /// The stages of an item.
    package enum Phase: Sendable {
        /// No load yet.
        case idle
        /// Loading, nothing decoded.
        case loading
        case ready
        /// Played to the end.
        case ended
        /// Failed or stopped: nothing is reported any more.
        case closed
    }

    let configuration: EngineConfiguration
    var outbox: [EngineReport] = []
    var pendingActions: [EngineAction] = []
    var lastTimeNs: Int64 = 0

    /// The stage of the item.
    package internal(set) var phase = Phase.idle
    package internal(set) var location = ""
    var loadTimeNs: Int64 = 0
    var isReopened = false
    var media = EngineMedia()
    var missingDecoders: [MissingDecoder] = []
    var lastRequest: EngineRequest?
    /// What an adaptive demuxer asked for and did not get; nil once it has, or no longer needs it.
    var refused: EngineRequest?
    /// A web page that it got for a part of the stream.
    var webPage: String?
    /// Whether the manifest says that media are encrypted, or names keys that other players have.
    var isProtected = false
    /// Whether a playlist has segments with such keys alone, at which the engine stands still.
    var isForOthers = false
    /// The keys that its playlists name.
    var keys = StreamKeys()
    /// How long a downloaded file says that it is.
    var announcedMs: Int64?
    /// Whether a download ended in the midst of what the file announced.
    var isCutOff = false
    /// What was left out of the stream last, and how it was answered.
    var missingPart: EngineRequest?
    /// Whether anything was left out, so that there may be holes.
    var mayHaveHoles = false
    var isPassingHole = false
    /// Why the engine may not get any further, as far as the manifest tells.
    var manifestDoubt: String?

    var wantsPlaying = false
    var commandedPlaying = false
    var pipeline = PipelineState.idle
    var reportedPlaying = false
    var hasPlayed = false
    var pauseTimeNs: Int64?

    var buffering: EngineBufferingCause?
    var isSettlingAfterSeek = false
    /// Whether the playhead stands still though nothing is waited for.
    var isFrozen = false

    var seekInFlight: SeekPurpose?
    var lastSeekNs = Int64.min
    var queuedSeekMs: Int64?
    /// The rate that was wanted last during a seek.
    var queuedRate: Double?
    /// The sound that somebody chose.
    var wantedAudio: String?
    /// The subtitles that somebody chose.
    var wantedSubtitles: String?
    /// Where the stream wants playback to begin.
    var streamStart: StreamStart?
    var rate = 1.0

    var playhead = Playhead()
    var progressTimeNs: Int64 = 0
    var lastPoll = EnginePoll()
    var nextPlayheadSampleNs: Int64 = 0

    var hasFirstFrame = false
    var renditions = RenditionTracker()
    var quality: QualityMeter
    var tags = EngineTags()
    var reportedTags = EngineTags()

    /// Creates the state of an engine without an item.
    package init(configuration: EngineConfiguration) {
        self.configuration = configuration
        wantedAudio = configuration.audio
        wantedSubtitles = configuration.subtitles
        quality = QualityMeter(intervalNs: configuration.qualityIntervalMs * 1_000_000)
    }

    /// The events that arose since the last call.
    package mutating func removeReports() -> [EngineReport] { outbox.drain() }

    /// The actions that arose since the last call.
    package mutating func removeActions() -> [EngineAction] { pendingActions.drain() }

    /// Takes one signal that occurred at a time.
    package mutating func handle(_ signal: EngineSignal, at timeNs: Int64) {
        guard phase != .closed else { return }
        lastTimeNs = max(lastTimeNs, timeNs)
        switch signal {
        case .command(let command): handle(command)
        case .openFailed(let code, let detail): fail(error(code, detail))
        case .prerolled(let media, let positionMs): prerolled(media, positionMs: positionMs)
        case .firstFrame: firstFrameShown()
        case .videoFormat(let format): videoFormatChanged(format)
        case .pipelineState(let state): pipelineChanged(to: state)
        case .buffering(let percent): bufferLevelChanged(percent: percent)
        case .seekIssued(let purpose, let accepted): seekIssued(purpose, accepted: accepted)
        case .variantChosen(let bitrate): variantChosen(bitrate)
        case .variants(let variants): renditions.variants = variants
        case .tags(let tags, let stream, let bitrate): tagsFound(tags, stream: stream, bitrate: bitrate)
        case .framesDropped(let element, let total): quality.framesDropped(element: element, total: total)
        case .request(let request): requestAnswered(request)
        case .transfer(let request): transferred(request)
        case .partSkipped(let url, let status): partSkipped(url, status: status)
        case .asked(let request): emit(request.succeeded ? .requestCompleted(request) : .requestFailed(request))
        case .protectedMedia: (isProtected, isForOthers) = (true, true)
        case .holePassed(let targetMs, let isPassed): holePassed(toMs: targetMs, isPassed: isPassed)
        case .webPage(let url): webPageCame(url)
        case .fileAnnounced(let durationMs): announcedMs = durationMs
        case .fileCutOff: isCutOff = true
        case .manifest(let text): manifestRead(text)
        case .missingDecoder(let mediaType, let name):
            missingDecoders.append(MissingDecoder(mediaType: mediaType, name: name))
        case .subtitlesChosen(let language): emit(.subtitlesChosen(language: language))
        case .choiceRefused(let command, let reason): reject(command, reason)
        case .chapters(let chapters): emit(.chapters(chapters))
        case .duration(let durationMs): durationChanged(durationMs)
        case .endOfStream(let mediaEndMs): reachedEnd(mediaEndMs: mediaEndMs)
        case .error(let raw): fail(classifier.classify(raw))
        case .volume(let volume, let muted): emit(.volumeChanged(volume: volume, muted: muted))
        case .poll(let poll): polled(poll)
        case .stopped(let lengthNs): goOn(afterNs: lengthNs)
        case .delayed: catchUp()
        }
    }

    /// Reports the release of all resources, whatever happened before.
    package mutating func finish(at timeNs: Int64) {
        lastTimeNs = max(lastTimeNs, timeNs)
        phase = .closed
        emit(.stopped)
    }

    /// Finds the kind of a failure by what has been seen of the item.
    package var classifier: ErrorClassifier {
        ErrorClassifier(
            location: location,
            isLoaded: phase != .loading && phase != .idle,
            lastRequest: lastRequest,
            missingDecoders: missingDecoders,
            refused: refused,
            webPage: webPage,
            isProtected: isProtected,
            keys: keys
        )
    }

    mutating func emit(_ event: EngineEvent) {
        outbox.append(EngineReport(timeNs: lastTimeNs, positionMs: playhead.positionMs, event: event))
    }

    mutating func reject(_ command: EngineCommand, _ reason: String) {
        emit(.commandRejected(command, reason: reason))
    }

    mutating func fail(_ error: EngineError) {
        emit(.failed(error))
        // The engine ends its downloads itself when it raises an error.
        pendingActions.append(.close(awaitsData: error.engineDomain.isEmpty))
        phase = .closed
    }

    func error(_ code: EngineError.Code, _ detail: String = "") -> EngineError {
        EngineError(code: code, location: location, detail: detail)
    }
}

extension PlaybackState {
    /// Follows the fill level; the engine does not halt the pipeline itself when it runs dry, its host must.
    mutating func bufferLevelChanged(percent: Int) {
        guard phase == .loading || phase == .ready else { return }
        if percent >= 100 {
            completeBuffering()
        } else if buffering == nil {
            startBuffering()
        }
    }

    private mutating func startBuffering() {
        endFreeze()
        let cause = bufferingCause
        buffering = cause
        progressTimeNs = lastTimeNs
        emit(.bufferingStarted(cause))
        adjustPipeline()
    }

    mutating func completeBuffering() {
        guard let cause = buffering else { return }
        buffering = nil
        progressTimeNs = lastTimeNs
        emit(.bufferingCompleted(cause))
        adjustPipeline()
        reportPlayingIfSo()
    }

    private var bufferingCause: EngineBufferingCause {
        if case .begin = seekInFlight { return .initial }
        if seekInFlight != nil || isSettlingAfterSeek { return .seek }
        if !hasPlayed { return .initial }
        return wantsPlaying ? .stall : .paused
    }
}

/// What the engine thread must do to the pipeline.
package enum EngineAction: Sendable, Equatable {
    /// Open an item and decode its first media.
    case open(String)
    /// Open the same item once more, from the beginning.
    case reopen
    /// Let time run.
    case setPlaying
    /// Let time stand still.
    case setPaused
    /// Go on behind a stretch without media, at a rate.
    case passHole(toMs: Int64, rate: Double)
    case seek(SeekPurpose)
    case setVolume(Double)
    case setMuted(Bool)
    /// Play another sound of the item.
    case selectAudio(String)
    /// Switch other subtitles of the item on, or all off.
    case selectSubtitles(String)
    /// Limit the bitrate of the renditions.
    case pinRendition(maxBitrate: Int64?)
    /// Release the pipeline; with data on its way a download may be under way of which nothing is seen yet.
    case close(awaitsData: Bool)
}

/// What a flushing seek is for.
package enum SeekPurpose: Sendable, Equatable {
    /// The host moves the playhead.
    case position(targetMs: Int64)
    /// The same once more, as the engine lost its place and is somewhere else; nothing is told of it.
    case again(toMs: Int64, reachedMs: Int64)
    /// Playback is to begin there, and nothing of the item was shown yet; nothing is told of it.
    case begin(atMs: Int64)
    /// The host changes the rate; the playhead stays.
    case rate(Double)
    /// The process was stopped: playback goes on where it stood then, and nothing is told of it.
    case resume(atMs: Int64)
}
