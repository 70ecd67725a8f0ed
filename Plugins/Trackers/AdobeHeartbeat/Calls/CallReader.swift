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
    func landing(_ event: EventView, at moment: Moment) -> Landing {
        Landing(
            adBreak: AdBreakInformation.read(event.attributes, compatibility),
            ad: AdInformation.read(event.attributes, compatibility, at: moment),
            chapter: ChapterInformation.read(event.attributes)
        )
    }
}
