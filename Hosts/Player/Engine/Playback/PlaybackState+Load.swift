internal import Streaming

extension PlaybackState {
    /// The steps in which the duration of a file grows that is longer than it said.
    private static let extensionMs: Int64 = 1000

    mutating func prerolled(_ newMedia: EngineMedia, positionMs: Int64?) {
        switch phase {
        case .loading: finishLoading(newMedia, positionMs: positionMs)
        case .ready, .ended: finishSeek(positionMs: positionMs)
        case .idle, .closed: break
        }
    }

    private mutating func finishLoading(_ newMedia: EngineMedia, positionMs: Int64?) {
        media = newMedia
        // Without a length of the answer the engine knows no end; a file that names its duration has one.
        if !media.isAdaptive, media.durationMs == nil, let announcedMs {
            media.durationMs = announcedMs
            media.isLive = false
        }
        if let error = missingStreamError() { return fail(error) }
        phase = .ready
        progressTimeNs = lastTimeNs
        playhead.set(positionMs ?? 0, at: lastTimeNs)
        emit(.loaded(media))
        reportTagsIfNew()
        if let wantedAudio { pendingActions.append(.selectAudio(wantedAudio)) }
        if let wantedSubtitles { pendingActions.append(.selectSubtitles(wantedSubtitles)) }
        if !goToStart() { showFirstFrame() }
        startQueuedSeek()
        adjustPipeline()
    }

    /// The pipeline prerolls with whatever it can decode, be it nothing; a player must not call that playable.
    func missingStreamError() -> EngineError? {
        if !media.hasVideo || !media.hasAudio, let missing = missingDecoders.first(where: \.isEncrypted) {
            return error(.encrypted, missing.name)
        }
        if !media.hasVideo, !media.hasAudio {
            guard let missing = missingDecoders.first(where: { $0.isVideo || $0.isAudio }) else {
                return error(.notMedia, missingDecoders.first.map { "it is \($0.mediaType)" } ?? "")
            }
            return error(.missingCodec, missing.name)
        }
        let picture = missingDecoders.first { !media.hasVideo && $0.isVideo }
        let missing = picture ?? missingDecoders.first { !media.hasAudio && $0.isAudio }
        return missing.map { error(.missingCodec, $0.name) }
    }

    mutating func firstFrameShown() {
        guard !hasFirstFrame else { return }
        hasFirstFrame = true
        if phase != .loading { reportFirstFrame() }
    }

    /// Reports the first frame if it is there.
    mutating func showFirstFrame() { if hasFirstFrame { reportFirstFrame() } }

    private mutating func reportFirstFrame() {
        emit(.firstFrame)
        reportVisibleRendition()
    }

    mutating func videoFormatChanged(_ format: StreamRendition) {
        guard renditions.formatChanged(to: format) else { return }
        if hasFirstFrame, phase != .loading { reportVisibleRendition() }
    }

    private mutating func reportVisibleRendition() {
        guard renditions.visible != nil else { return }
        emit(.renditionVisible(renditions.current))
    }

    mutating func variantChosen(_ bitrate: Int64) {
        guard renditions.choose(bitrate: bitrate) else { return }
        emit(.renditionDecided(renditions.variant(of: bitrate)))
    }

    mutating func tagsFound(_ newTags: EngineTags, stream: StreamKind?, bitrate: Int64?) {
        tags.merge(newTags)
        if let stream, let bitrate { renditions.streamBitrate(bitrate, of: stream) }
        if phase != .loading { reportTagsIfNew() }
    }

    private mutating func reportTagsIfNew() {
        guard tags != reportedTags else { return }
        reportedTags = tags
        emit(.tags(tags))
    }

    mutating func requestAnswered(_ request: EngineRequest) {
        lastRequest = request
        emit(request.succeeded ? .requestCompleted(request) : .requestFailed(request))
    }

    /// Of a request that failed the engine speaks itself, if it cannot do without.
    ///
    /// A demuxer gives up what is on its way when it seeks: what began before the last seek and came to no end was
    /// given up by it, however late its end is told.
    mutating func transferred(_ request: EngineRequest) {
        // One that is begun as the seek is handed over is given up too.
        let isOfSeek = seekInFlight != nil || request.startNs.map { $0 <= lastSeekNs } ?? false
        if request.isGivenUp || (request.isIncomplete && isOfSeek) {
            emit(.requestCancelled(request))
        } else if request.isIncomplete || !request.succeeded {
            refused = request
            emit(.requestFailed(request))
        } else {
            if refused?.url == request.url { refused = nil }
            emit(.requestCompleted(request))
            if EngineRequest.isWebPage(contentType: request.contentType) { webPageCame(request.url) }
        }
    }

    /// GStreamer 1.22 says nothing of a web page in place of the first segment, and leaves it out.
    mutating func webPageCame(_ url: String) {
        webPage = url
        guard phase == .loading, !EngineRequest.isPlaylist(url: url) else { return }
        fail(error(.notMedia, "\(url) is a web page"))
    }

    /// GStreamer 1.22 asks for few segments of such a stream or for none, and says nothing.
    mutating func manifestRead(_ text: String) {
        if text.contains("<MPD"), text.contains("type=\"dynamic\""), text.contains("<SegmentTimeline") {
            manifestDoubt = "GStreamer 1.22 does not play live DASH with SegmentTimeline"
        }
        // What protects media is named in the manifest (ISO/IEC 23009-1, 5.8.4.1).
        if text.contains("<MPD"), text.contains("ContentProtection") { isProtected = true }
        let hasOtherKeys = text.split(whereSeparator: \.isNewline).contains { line in
            line.hasPrefix("#EXT-X-KEY:") && line.contains("METHOD=SAMPLE-AES") && line.contains("KEYFORMAT=\"")
                && !line.contains("KEYFORMAT=\"identity\"")
        }
        if hasOtherKeys { (isProtected, isForOthers) = (true, true) }
        keys.read(text)
        readStart(in: text)
        emit(.manifest(text))
    }

    mutating func durationChanged(_ durationMs: Int64?) {
        guard phase != .loading, let durationMs, durationMs != media.durationMs else { return }
        media.durationMs = durationMs
        emit(.durationChanged(durationMs: durationMs))
    }

    /// Has the duration of a file follow what was played: GStreamer 1.22 leaves out the last fragment of an MP4.
    mutating func extendDuration(toMs positionMs: Int64, isLast: Bool = false) {
        guard !media.isAdaptive, !media.isLive, let durationMs = media.durationMs else { return }
        guard positionMs - durationMs >= (isLast ? configuration.endToleranceMs : Self.extensionMs) else { return }
        durationChanged(positionMs)
    }
}

extension MissingDecoder {
    var isVideo: Bool { mediaType.hasPrefix("video/") }
    var isAudio: Bool { mediaType.hasPrefix("audio/") }
}
