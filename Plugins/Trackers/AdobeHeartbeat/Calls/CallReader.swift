internal import PluginKit

/// Reads the guides' track calls out of player events.
struct CallReader {
    let compatibility: Compatibility

    /// The call that the event stands for; nil for one that the guides have no call for.
    func call(_ event: EventView, at moment: Moment) -> TrackCall? {
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
        // The viewer sees a rendition when it is visible; what was decided for is told a second time then.
        case .renditionChange: return isDecided(event) ? nil : .bitrateChange
        case .playerError: return .playerError(id: event.attributes[.errorID]?.string?.string ?? "")
        case .applicationError: return .applicationError(id: event.attributes[.errorID]?.string?.string ?? "")
        case .qualitySample: return .qualityUpdate
        case .videoUnload: return .unload
        default: return nil
        }
    }

    private func isDecided(_ event: EventView) -> Bool {
        guard let phase = event.attributes[.renditionPhase]?.string else { return false }
        return phase == "decided"
    }

    /// Where playback stands, as the delegate or a snapshot says.
    func landing(_ event: EventView, at moment: Moment) -> Landing {
        Landing(
            adBreak: AdBreakInformation.read(event.attributes, compatibility),
            ad: AdInformation.read(event.attributes, compatibility, at: moment),
            chapter: ChapterInformation.read(event.attributes)
        )
    }
}
