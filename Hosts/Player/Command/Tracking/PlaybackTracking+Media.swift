internal import PlaybackEngine
internal import PlayerSignals
internal import Streaming
internal import Tally

// What the engine tells of the media and of its delivery.
extension PlaybackTracking {
    /// Takes the reports that do not concern the course of playback.
    func handleMedia(_ report: EngineReport) {
        switch report.event {
        case .loaded(let media): loaded(media)
        case .tags(let tags): describe { $0.tags = tags }
        case .subtitlesChosen(let language):
            guard snapshot.with({ $0.subtitleLanguage }) != language else { return }
            describe { $0.subtitleLanguage = language }
        case .durationChanged(let durationMs): describe { $0.media?.durationMs = durationMs }
        case .rateChanged(let rate):
            snapshot.with { $0.rate = rate }
            track(run.trackPlayhead())
        case .volumeChanged(let volume, let muted):
            // Volume and mute are set one after the other: what is read back between them is no change of the viewer's.
            if let sound = soundToCome {
                guard abs(sound.volume - volume) < 0.001, sound.isMuted == muted else { return }
                soundToCome = nil
            }
            snapshot.with { snapshot in
                snapshot.volume = volume
                snapshot.isMuted = muted
            }
            track(run.trackPlayhead())
        case .bufferingStarted(let cause): bufferingStarted(cause, atNs: report.timeNs)
        case .bufferingCompleted: bufferingCompleted(atNs: report.timeNs)
        case .renditionDecided(let rendition): decided(rendition)
        case .renditionVisible(let rendition): visible(rendition, atNs: report.timeNs)
        case .qualitySample(let quality): sampled(quality, atNs: report.timeNs)
        case .requestCompleted(let request): answered(request)
        case .requestFailed(let request): refused(request)
        case .requestCancelled(let request): track(run.trackRequestCancelled(NetworkRequest(request)))
        default: break
        }
    }

    private func loaded(_ media: EngineMedia) {
        describe { snapshot in
            snapshot.media = media
            snapshot.droppedFrames = snapshot.droppedFrames ?? 0
            snapshot.renderedFrames = snapshot.renderedFrames ?? 0
        }
        let length = snapshot.with { $0.durationMs }
        notes.say("loaded, " + (length.map(ReadableTime.text(milliseconds:)) ?? "length unknown"))
    }

    private func describe(_ change: (inout PlayerSnapshot) -> Void) {
        snapshot.with { change(&$0) }
        isDescriptionNew = true
    }

    private func bufferingStarted(_ cause: EngineBufferingCause, atNs timeNs: Int64) {
        guard let cause = buffering.start(cause, isWanted: wantsPlaying, isHeld: isHeld, atNs: timeNs) else { return }
        track(run.trackBufferStart(cause))
        if cause.isStall {
            figures.with { $0.stalls += 1 }
            notes.say(cause == .frozen ? "stands still" : "stalled")
        }
    }

    private func bufferingCompleted(atNs timeNs: Int64) {
        guard let ended = buffering.complete(atNs: timeNs) else { return }
        track(run.trackBufferComplete())
        guard ended.cause.isStall else { return }
        figures.with { $0.stalledNs += ended.durationNs }
        notes.say("goes on after a stall of \(ended.durationNs / 1_000_000) ms")
    }

    private func decided(_ rendition: StreamRendition) {
        track(run.trackRenditionChange(renditions.decided(rendition)))
    }

    private func visible(_ rendition: StreamRendition, atNs timeNs: Int64) {
        snapshot.with { $0.rendition = rendition }
        figures.with { $0.show(rendition) }
        track(run.trackRenditionChange(renditions.visible(rendition)))
        sampleQuality(atNs: timeNs, isDue: true)
        notes.say("on screen: \(rendition.shortText)")
    }

    private func sampled(_ quality: EngineQuality, atNs timeNs: Int64) {
        snapshot.with { $0.update(quality) }
        countFrames(quality)
        sampleQuality(atNs: timeNs)
    }

    /// Takes the totals of frames, which never fall.
    func countFrames(_ quality: EngineQuality) {
        figures.with { figures in
            figures.droppedFrames = max(figures.droppedFrames, framesBefore.dropped + quality.droppedFrames)
            figures.renderedFrames = max(figures.renderedFrames, framesBefore.rendered + quality.renderedFrames)
        }
    }

    private func answered(_ request: EngineRequest) {
        if request.url == snapshot.with({ $0.source }), let type = request.contentType {
            snapshot.with { $0.mimeType = type }
        }
        track(run.trackRequestCompleted(NetworkRequest(request)))
    }

    private func refused(_ request: EngineRequest) {
        track(run.trackRequestFailed(NetworkRequest(request), PlayerErrorDetails(failed: request)))
    }
}

extension EngineEvent {
    /// Whether it only says what the media is.
    var isDescription: Bool {
        switch self {
        case .loaded, .tags, .subtitlesChosen, .durationChanged: true
        default: false
        }
    }
}
