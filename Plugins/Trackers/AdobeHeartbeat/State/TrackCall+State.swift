internal import PluginKit

extension TrackCall: StateValue {
    static var blank: TrackCall { .play }

    /// Carries the call's name, and what the delegate said at it.
    mutating func carry(by transfer: StateTransfer) {
        var name = self.name
        transfer.carry(&name)
        var said = Said(self)
        transfer.carry(&said)
        guard transfer.isLoading else { return }
        guard let call = Self.calls(said).first(where: { $0.name == name }) else {
            return transfer.fail("\"\(name)\" is no track call")
        }
        self = call
    }

    /// Each call that there is, with what was said put into those that take something.
    private static func calls(_ said: Said) -> [TrackCall] {
        [
            .play, .pause, .complete, .seekStart, .bufferStart, .bufferComplete, .adComplete, .adSkip, .adBreak,
            .chapterComplete, .chapterSkip, .bitrateChange, .qualityUpdate, .unload, .playerError(id: said.id),
            .applicationError(id: said.id), .adStart(said.adBreak, said.ad), .chapterStart(said.chapter),
            .seekComplete(Landing(adBreak: said.adBreak, ad: said.ad, chapter: said.chapter)),
        ]
    }

    /// What comes with a call.
    private struct Said: StateValue {
        static var blank: Said { Said() }

        var id = ""
        var adBreak = Reading<AdBreakInformation>.nothing
        var ad = Reading<AdInformation>.nothing
        var chapter = Reading<ChapterInformation>.nothing

        init() {}

        init(_ call: TrackCall) {
            switch call {
            case .seekComplete(let landing): (adBreak, ad, chapter) = (landing.adBreak, landing.ad, landing.chapter)
            case .adStart(let adBreak, let ad): (self.adBreak, self.ad) = (adBreak, ad)
            case .chapterStart(let chapter): self.chapter = chapter
            case .playerError(let id), .applicationError(let id): self.id = id
            default: break
            }
        }

        mutating func carry(by transfer: StateTransfer) {
            transfer.carry(&id)
            transfer.carry(&adBreak)
            transfer.carry(&ad)
            transfer.carry(&chapter)
        }
    }
}
