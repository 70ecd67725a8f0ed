internal import PluginKit

/// A call of the guides' track API, with what the player delegate was asked for at it.
enum TrackCall {
    /// Adobe's trackPlay.
    case play
    /// Adobe's trackPause.
    case pause
    /// Adobe's trackComplete.
    case complete
    /// Adobe's trackSeekStart.
    case seekStart
    /// Adobe's trackSeekComplete; the delegate is asked where playback stands now.
    case seekComplete(Landing)
    /// Adobe's trackBufferStart.
    case bufferStart
    /// Adobe's trackBufferComplete.
    case bufferComplete
    /// Adobe's trackAdStart.
    case adStart(Reading<AdBreakInformation>, Reading<AdInformation>)
    /// Adobe's trackAdComplete.
    case adComplete
    /// The viewer skipped the ad; the guides have no call for it.
    case adSkip
    /// Adobe's trackAdBreakStart and trackAdBreakComplete, which are deprecated in 1.3.1 and gone in 1.4.
    case adBreak
    /// Adobe's trackChapterStart.
    case chapterStart(Reading<ChapterInformation>)
    /// Adobe's trackChapterComplete.
    case chapterComplete
    /// The viewer left the chapter; the guides have no call for it.
    case chapterSkip
    /// Adobe's trackBitrateChange.
    case bitrateChange
    /// Adobe's trackVideoPlayerError.
    case playerError(id: String)
    /// Adobe's trackApplicationError.
    case applicationError(id: String)
    /// Adobe's trackQoSUpdateInfo: its figures come with the moment.
    case qualityUpdate
    /// Adobe's trackVideoUnload.
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
