internal import PluginKit

/// A call of the guides' track API, with what the player delegate was asked for at it.
enum TrackCall {
    case play, pause, complete
    case seekStart
    /// The delegate is asked where playback stands now.
    case seekComplete(Landing)
    case bufferStart, bufferComplete
    case adStart(Reading<AdBreakInformation>, Reading<AdInformation>)
    case adComplete
    /// The viewer skipped the ad; the guides have no call for it.
    case adSkip
    /// Adobe's trackAdBreakStart and trackAdBreakComplete, which are deprecated in 1.3.1 and gone in 1.4.
    case adBreak
    case chapterStart(Reading<ChapterInformation>)
    case chapterComplete
    /// The viewer left the chapter; the guides have no call for it.
    case chapterSkip
    case bitrateChange
    case playerError(id: String)
    case applicationError(id: String)
    /// Its figures come with the moment.
    case qualityUpdate
    case unload

    /// The guides' name of the call.
    var name: String {
        switch self {
        case .play: "trackPlay"
        case .pause: "trackPause"
        case .complete: "trackComplete"
        case .seekStart: "trackSeekStart"
        case .seekComplete: "trackSeekComplete"
        case .bufferStart: "trackBufferStart"
        case .bufferComplete: "trackBufferComplete"
        case .adStart: "trackAdStart"
        case .adComplete: "trackAdComplete"
        case .adSkip: "trackAdSkip"
        case .adBreak: "trackAdBreak"
        case .chapterStart: "trackChapterStart"
        case .chapterComplete: "trackChapterComplete"
        case .chapterSkip: "trackChapterSkip"
        case .bitrateChange: "trackBitrateChange"
        case .playerError: "trackVideoPlayerError"
        case .applicationError: "trackApplicationError"
        case .qualityUpdate: "trackQoSUpdateInfo"
        case .unload: "trackVideoUnload"
        }
    }
}

/// What the delegate said at the end of a seek.
struct Landing {
    let adBreak: Reading<AdBreakInformation>
    let ad: Reading<AdInformation>
    let chapter: Reading<ChapterInformation>
}

/// Reads the guides' track calls out of player events.
struct CallReader {
    /// The events that stand for a call.
    static let events: Set<EventType> = [
        .play, .pause, .complete, .seekStart, .seekComplete, .bufferStart, .bufferComplete, .adBreakStart,
        .adBreakComplete, .adStart, .adComplete, .adSkip, .chapterStart, .chapterComplete, .chapterSkip,
        .renditionChange, .playerError, .applicationError, .qualitySample, .videoUnload,
    ]

    let compatibility: Compatibility

    /// The call that the event stands for; nil for one that the guides have no call for.
    func call(_ event: EventView, at moment: KeptMoment) -> TrackCall? {
        switch event.type {
        case .play: return .play
        case .pause: return .pause
        case .complete: return .complete
        case .seekStart: return .seekStart
        case .seekComplete: return .seekComplete(landing(event, at: moment))
        case .bufferStart: return .bufferStart
        case .bufferComplete: return .bufferComplete
        case .adBreakStart, .adBreakComplete: return .adBreak
        case .adStart:
            let adBreak = AdBreakInformation.read(event.attributes, compatibility)
            return .adStart(adBreak, AdInformation.read(event.attributes, compatibility, at: moment))
        case .adComplete: return .adComplete
        case .adSkip: return .adSkip
        case .chapterStart: return .chapterStart(ChapterInformation.read(event.attributes))
        case .chapterComplete: return .chapterComplete
        case .chapterSkip: return .chapterSkip
        case .renditionChange: return isBitrateChange(event) ? .bitrateChange : nil
        case .playerError: return .playerError(id: event.attributes[.errorID]?.string?.string ?? "")
        case .applicationError: return .applicationError(id: event.attributes[.errorID]?.string?.string ?? "")
        case .qualitySample: return .qualityUpdate
        case .videoUnload: return .unload
        default: return nil
        }
    }

    /// Whether the viewer sees another bitrate than before.
    ///
    /// What was decided for is told a second time when it is visible, and what playback begins with is no change. An
    /// application that makes the guides' call says neither bitrate nor shift.
    private func isBitrateChange(_ event: EventView) -> Bool {
        if let phase = event.attributes[.renditionPhase]?.string, phase == "decided" { return false }
        guard let shift = event.attributes[.renditionShift]?.string else {
            return event.attributes[.renditionBitrateBps] == nil
        }
        return !(shift == "same")
    }

    /// Where playback stands, as the delegate or a snapshot says.
    func landing(_ event: EventView, at moment: KeptMoment) -> Landing {
        Landing(
            adBreak: AdBreakInformation.read(event.attributes, compatibility),
            ad: AdInformation.read(event.attributes, compatibility, at: moment),
            chapter: ChapterInformation.read(event.attributes)
        )
    }
}

/// A load of which the player has not said yet all that is mandatory, with the calls that came since.
struct HeldLoad {
    var moment: KeptMoment
    /// What is known of the video so far.
    var video: VideoInformation
    var missing: InvalidInformation
    var calls: [WaitingCall] = []

    /// A call that waits.
    struct WaitingCall {
        var call: TrackCall
        /// When it was.
        var moment: KeptMoment
    }

    /// How long is waited for it, us: longer than any player loads.
    static let patience: Int64 = 30_000_000
    private static let mostCalls = 1_000

    init(_ video: VideoInformation, missing: InvalidInformation, at moment: KeptMoment) {
        self.moment = moment
        self.video = video
        self.missing = missing
    }

    /// Keeps a call for later; false when there are too many.
    mutating func hold(_ call: TrackCall, at moment: KeptMoment) -> Bool {
        guard calls.count < Self.mostCalls else { return false }
        calls.append(WaitingCall(call: call, moment: moment))
        return true
    }
}
