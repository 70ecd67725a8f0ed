internal import PluginKit

extension TrackCall: StatePart {
    /// The calls that carry nothing, which their names tell apart.
    private static var plain: [TrackCall] {
        [
            .play, .pause, .complete, .seekStart, .bufferStart, .bufferComplete, .adComplete, .adSkip, .adBreak,
            .chapterComplete, .chapterSkip, .bitrateChange, .qualityUpdate, .unload,
        ]
    }

    var saved: SavedState {
        var state = SavedState()
        state.set("name", name)
        switch self {
        case .seekComplete(let landing):
            state.set("break", landing.adBreak)
            state.set("ad", landing.ad)
            state.set("chapter", landing.chapter)
        case .adStart(let adBreak, let ad):
            state.set("break", adBreak)
            state.set("ad", ad)
        case .chapterStart(let chapter): state.set("chapter", chapter)
        case .playerError(let id), .applicationError(let id): state.set("id", id)
        default: break
        }
        return state
    }

    init(saved state: SavedState) throws(TrackerFault) {
        let name = try state.text("name")
        if let call = Self.plain.first(where: { $0.name == name }) {
            self = call
            return
        }
        switch name {
        case TrackCall.playerError(id: "").name: self = .playerError(id: try state.text("id"))
        case TrackCall.applicationError(id: "").name: self = .applicationError(id: try state.text("id"))
        case TrackCall.chapterStart(.nothing).name: self = .chapterStart(try state.part("chapter"))
        case TrackCall.adStart(.nothing, .nothing).name:
            self = .adStart(try state.part("break"), try state.part("ad"))
        case TrackCall.seekComplete(.nothing).name:
            self = .seekComplete(
                Landing(
                    adBreak: try state.part("break"),
                    ad: try state.part("ad"),
                    chapter: try state.part("chapter")
                )
            )
        default: throw TrackerFault("the saved load waits with the unknown call \"\(name)\"")
        }
    }
}

extension Landing {
    /// The delegate knew of nothing.
    fileprivate static var nothing: Landing { Landing(adBreak: .nothing, ad: .nothing, chapter: .nothing) }
}
