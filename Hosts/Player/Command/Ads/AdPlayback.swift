internal import Advertising
internal import PlaybackEngine
internal import System

/// Plays one creative with an engine of its own.
final class AdPlayback {
    let ad: LinearAd
    var course: AdCourse
    /// Whether its first picture was shown, or its first sound heard.
    var isStarted = false
    var durationMs: Int64?
    private let engine: PlaybackEngine
    private let inbox: Lock<[EngineReport]>
    private let isStopped: Lock<Bool>

    init(_ ad: LinearAd, _ configuration: EngineConfiguration, volume: Double, isMuted: Bool) {
        self.ad = ad
        course = AdCourse(ad)
        durationMs = ad.durationMs
        let inbox = Lock<[EngineReport]>([])
        let isStopped = Lock(false)
        self.inbox = inbox
        self.isStopped = isStopped
        engine = PlaybackEngine(configuration: configuration) { report in
            inbox.with { $0.append(report) }
            if report.event == .stopped { isStopped.with { $0 = true } }
        }
        engine.load(ad.location)
        set(volume: volume, isMuted: isMuted)
    }

    /// The place in the ad.
    var positionMs: Int64? { engine.positionMs }

    /// Whether the engine has released everything.
    var isReleased: Bool { isStopped.with { $0 } }

    /// What the engine told since the last call.
    func takeReports() -> [EngineReport] {
        inbox.with { inbox in
            defer { inbox = [] }
            return inbox
        }
    }

    func play() { engine.play() }

    func pause() { engine.pause() }

    func set(volume: Double, isMuted: Bool) {
        engine.setVolume(volume)
        engine.setMuted(isMuted)
    }

    /// Releases the engine, without waiting for it.
    func stop() { engine.stop() }

    /// Waits until the engine has released everything.
    func waitUntilStopped() { engine.waitUntilStopped() }
}
