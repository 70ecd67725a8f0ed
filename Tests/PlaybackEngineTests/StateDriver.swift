import PlaybackEngine

/// Feeds a state with signals at times of the test's choice.
struct StateDriver {
    private var state: PlaybackState
    private var nowNs: Int64 = 1_000_000_000

    init(_ configuration: EngineConfiguration = EngineConfiguration()) {
        state = PlaybackState(configuration: configuration)
    }

    /// The time of what is sent now, ns.
    var timeNs: Int64 { nowNs }

    /// A state in the middle of playback whose reports and actions so far are taken.
    static var playing: StateDriver { playing(.file) }

    /// The same of an item.
    static func playing(_ media: EngineMedia) -> StateDriver {
        var driver = StateDriver()
        driver.send(.command(.load("a.mp4")), .command(.play), .firstFrame, .prerolled(media, positionMs: 0))
        driver.send(.pipelineState(.playing))
        driver.poll(0)
        _ = driver.takeEvents()
        _ = driver.removeActions()
        return driver
    }

    mutating func advance(ms: Int64) {
        nowNs += ms * 1_000_000
    }

    mutating func send(_ signals: EngineSignal...) {
        for signal in signals {
            state.handle(signal, at: nowNs)
        }
    }

    mutating func poll(_ positionMs: Int64) {
        send(.poll(.at(positionMs)))
    }

    /// All new events but the regular samples.
    mutating func takeEvents() -> [EngineEvent] {
        state.removeReports().map(\.event).filter { event in
            switch event {
            case .playheadSample, .qualitySample: false
            default: true
            }
        }
    }

    mutating func takeSamples() -> [Int64] {
        state.removeReports().compactMap {
            if case .playheadSample(let positionMs) = $0.event { positionMs } else { nil }
        }
    }

    mutating func removeActions() -> [EngineAction] {
        state.removeActions()
    }
}

extension EngineMedia {
    /// A seekable file of 20 s with picture and sound.
    static var file: EngineMedia {
        var media = EngineMedia()
        media.durationMs = 20_000
        media.isSeekable = true
        media.hasVideo = true
        media.hasAudio = true
        return media
    }

    /// A live stream with a window.
    static var live: EngineMedia {
        var media = file
        media.durationMs = nil
        media.isLive = true
        media.isAdaptive = true
        return media
    }
}

extension EnginePoll {
    static func at(_ positionMs: Int64) -> EnginePoll {
        var poll = EnginePoll()
        poll.positionMs = positionMs
        return poll
    }
}
