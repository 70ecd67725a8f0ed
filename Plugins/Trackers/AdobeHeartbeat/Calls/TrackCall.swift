internal import AdobeShared
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
    /// Deprecated in 1.3.1 and gone in 1.4.
    case adBreakStart
    /// Deprecated in 1.3.1 and gone in 1.4; nothing of the break is shown any more.
    case adBreakComplete
    case chapterStart(Reading<ChapterInformation>)
    case chapterComplete
    /// The viewer left the chapter; the guides have no call for it.
    case chapterSkip
    /// The viewer sees another bitrate, bit/s; nil when the application does not say which.
    case bitrateChange(to: Int64?)
    /// The viewer sees this bitrate, bit/s, and the player does not say whether it is another than before.
    case renditionShown(bitrate: Int64)
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
        case .adBreakStart: "trackAdBreakStart"
        case .adBreakComplete: "trackAdBreakComplete"
        case .chapterStart: "trackChapterStart"
        case .chapterComplete: "trackChapterComplete"
        case .chapterSkip: "trackChapterSkip"
        case .bitrateChange, .renditionShown: "trackBitrateChange"
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
        case .adBreakStart: return .adBreakStart
        case .adBreakComplete: return .adBreakComplete
        case .adStart:
            let adBreak = AdBreakInformation.read(event.attributes)
            return .adStart(adBreak, AdInformation.read(event.attributes, compatibility, at: moment))
        case .adComplete: return .adComplete
        case .adSkip: return .adSkip
        case .chapterStart: return .chapterStart(ChapterInformation.read(event.attributes))
        case .chapterComplete: return .chapterComplete
        case .chapterSkip: return .chapterSkip
        case .renditionChange: return bitrateChange(event)
        case .playerError: return .playerError(id: event.attributes[.errorID]?.string?.string ?? "")
        case .applicationError: return .applicationError(id: event.attributes[.errorID]?.string?.string ?? "")
        case .qualitySample: return .qualityUpdate
        case .videoUnload: return .unload
        default: return nil
        }
    }

    /// What the viewer sees of a change of rendition; nil for nothing new.
    ///
    /// What was decided for is told a second time when it is visible. An application that makes the guides' call says
    /// neither bitrate nor shift.
    private func bitrateChange(_ event: EventView) -> TrackCall? {
        if let phase = event.attributes[.renditionPhase]?.string, phase == "decided" { return nil }
        let bitrate = event.attributes[.renditionBitrateBps]?.wholeNumber
        if let shift = event.attributes[.renditionShift]?.string {
            return shift == "same" ? nil : .bitrateChange(to: bitrate)
        }
        return bitrate.map { .renditionShown(bitrate: $0) } ?? .bitrateChange(to: nil)
    }

    /// Where playback stands, as the delegate or a snapshot says.
    func landing(_ event: EventView, at moment: KeptMoment) -> Landing {
        Landing(
            adBreak: AdBreakInformation.read(event.attributes),
            ad: AdInformation.read(event.attributes, compatibility, at: moment),
            chapter: ChapterInformation.read(event.attributes)
        )
    }
}
