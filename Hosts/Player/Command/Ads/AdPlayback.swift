internal import Advertising
internal import PlaybackEngine
internal import Streaming
internal import System
internal import Tally

/// Plays one creative with an engine of its own.
final class AdPlayback {
    let ad: LinearAd
    var course: AdCourse
    /// Whether its first picture was shown, or its first sound heard.
    var isStarted = false
    var durationMs: Int64?
    /// What is on screen of it, as its document says until the engine knows.
    private(set) var rendition: StreamRendition
    let engine: any MediaEngine
    private let inbox: Lock<[EngineReport]>
    private let isStopped: Lock<Bool>

    init(
        _ ad: LinearAd,
        _ configuration: EngineConfiguration,
        on platform: any MediaPlatform,
        volume: Double,
        isMuted: Bool
    ) {
        self.ad = ad
        course = AdCourse(ad)
        durationMs = ad.durationMs
        rendition = StreamRendition(width: ad.media.width, height: ad.media.height, bitrate: ad.media.bitrate)
        let inbox = Lock<[EngineReport]>([])
        let isStopped = Lock(false)
        self.inbox = inbox
        self.isStopped = isStopped
        engine = platform.makeEngine(configuration, onTick: nil) { report in
            inbox.with { $0.append(report) }
            if report.event == .stopped { isStopped.with { $0 = true } }
        }
        engine.send(.load(ad.location))
        set(volume: volume, isMuted: isMuted)
    }

    var positionMs: Int64? { engine.positionMs }
    var isReleased: Bool { isStopped.with { $0 } }
    func removeReports() -> [EngineReport] { inbox.with { $0.drain() } }

    /// Knows what the engine says is on screen; the bitrate of a file that tells none is the document's.
    func show(_ visible: StreamRendition) {
        rendition = visible
        rendition.bitrate = visible.bitrate ?? ad.media.bitrate
    }

    func set(volume: Double, isMuted: Bool) {
        engine.send(.setVolume(volume))
        engine.send(.setMuted(isMuted))
    }
}

extension AdFailure {
    init(_ error: EngineError, of ad: LinearAd) {
        let code: Code =
            switch error.code {
            case .notFound: .mediaNotFound
            case .loadTimeout, .stalled: .mediaTimeout
            default: .unplayable
            }
        self.init(code, error.summary, errorURLs: ad.tracking.errors)
    }
}

extension PlayerErrorDetails {
    /// What is known of an ad's failure; the code is that of the standard.
    init(_ failure: AdFailure) {
        self.init(message: failure.message, domain: "vast", code: Int64(failure.code.vast), fatal: false)
    }
}
