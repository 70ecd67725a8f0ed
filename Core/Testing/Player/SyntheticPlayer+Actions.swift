public import Tally

extension SyntheticPlayer {
    /// Does something: changes the player, then makes the track call.
    public func perform(_ action: PlayerAction, on run: PlayerRun) {
        update(to: run.time)
        switch action {
        case .playerReady: run.trackPlayerReady()
        case .load:
            change {
                $0.position = 0
                $0.moving = false
                $0.droppedFrames = 0
            }
            run.trackVideoLoad()
        case .unload:
            change {
                $0.moving = false
                $0.ad = nil
                $0.chapter = nil
            }
            run.trackVideoUnload()
        case .play:
            change { $0.moving = true }
            run.trackPlay()
        case .firstFrame: run.trackFirstFrame()
        case .pause:
            change { $0.moving = false }
            run.trackPause()
        case .complete:
            change { $0.moving = false }
            run.trackComplete()
        case .seekStart(let seconds):
            change { $0.moving = false }
            run.trackSeekStart(to: seconds)
            change { $0.position = Int64(seconds * 1000) }
        case .seekComplete:
            change { $0.moving = true }
            run.trackSeekComplete()
        case .bufferStart(let cause):
            change { $0.moving = false }
            run.trackBufferStart(cause)
        case .bufferComplete:
            change { $0.moving = true }
            run.trackBufferComplete()
        case .sample: run.trackPlayhead()
        case .quality:
            change { $0.droppedFrames = ($0.droppedFrames ?? 0) + 1 }
            run.trackQoSUpdateInfo()
        default: performMore(action, on: run)
        }
    }

    private func performMore(_ action: PlayerAction, on run: PlayerRun) {
        switch action {
        case .adBreakStart: run.trackAdBreakStart()
        // What ends an ad is told while the player still shows it.
        case .adBreakComplete:
            run.trackAdBreakComplete()
            change { $0.ad = nil }
        case .adStart(let number):
            change {
                $0.ad = number
                $0.adPosition = 0
            }
            run.trackAdStart()
        case .adComplete:
            run.trackAdComplete()
            change { $0.ad = nil }
        case .adSkip:
            run.trackAdSkip()
            change { $0.ad = nil }
        case .adClick: run.trackAdClick()
        case .adQuartile(let quartile): run.trackAdQuartile(quartile)
        case .adError(let id): run.trackAdError(id)
        case .chapterStart(let number):
            change { $0.chapter = number }
            run.trackChapterStart()
        case .chapterComplete:
            run.trackChapterComplete()
            change { $0.chapter = nil }
        case .chapterSkip:
            run.trackChapterSkip()
            change { $0.chapter = nil }
        case .rendition(let bitrate, let shift, let phase):
            var rendition = Rendition()
            rendition.bitrate = bitrate
            rendition.shift = shift
            rendition.phase = phase
            if phase == .visible {
                change { $0.bitrate = bitrate }
            }
            run.trackRenditionChange(rendition)
        default: performRest(action, on: run)
        }
    }

    private func performRest(_ action: PlayerAction, on run: PlayerRun) {
        var request = NetworkRequest()
        request.url = "https://media.example/segment"
        switch action {
        case .requestCompleted(let bytes):
            request.bytes = bytes
            run.trackRequestCompleted(request)
        case .requestFailed(let status):
            request.status = status
            run.trackRequestFailed(request)
        case .requestCancelled: run.trackRequestCancelled(request)
        case .playerError(let id):
            run.trackVideoPlayerError(id, PlayerErrorDetails(message: "synthetic", code: 7, fatal: false))
        case .applicationError(let id): run.trackApplicationError(id)
        case .metadata(let name):
            change { $0.name = name }
            run.trackMetadataChange()
        case .custom(let name, let value): run.trackCustomEvent(name) { $0.set(custom: "value", value) }
        case .applicationLaunched: run.trackApplicationLaunched()
        case .applicationTerminated(let seconds): run.trackApplicationTerminated(runningTime: seconds)
        case .foreground: run.trackApplicationForeground()
        case .background: run.trackApplicationBackground()
        case .interruptionStart(let reason): run.trackInterruptionStart(reason)
        case .interruptionEnd: run.trackInterruptionEnd()
        case .muted(let muted):
            change { $0.muted = muted }
            run.trackPlayhead()
        case .rate(let rate):
            change { $0.rate = rate }
            run.trackPlayhead()
        case .consent(let state): run.trackConsent(state)
        case .show(let detail): show(detail)
        case .enable(let name): run.enable(plugin: name)
        case .disable(let name): run.disable(plugin: name)
        case .call(let call): call.perform(self, run)
        default: break
        }
    }
}
