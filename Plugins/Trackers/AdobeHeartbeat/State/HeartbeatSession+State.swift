internal import AdobeShared
internal import PluginKit

// A session as values: objects that several things share are lists, and numbers say which one is meant.
extension HeartbeatSession {
    /// All that the session knows.
    var saved: SavedState {
        let assets = Self.distinct([main, current] + [stashedAd].compactMap { $0 } + timeline.items.map(\.asset))
        let chapters = Self.distinct(
            [chapter, stashedChapter].compactMap { $0 } + timeline.items.compactMap(\.chapter)
        )
        func place(_ asset: Asset?) -> Int64? { assets.firstIndex { $0 === asset }.map(Int64.init) }
        func place(_ chapter: Chapter?) -> Int64? { chapters.firstIndex { $0 === chapter }.map(Int64.init) }
        var state = SavedState()
        state.set("id", id)
        state.set("video", video)
        state.set("clock", clock)
        state.set("complete", isComplete)
        state.set("paused", isPaused)
        state.set("seeking", isSeeking)
        state.set("buffering", isBuffering)
        state.set("played", hasPlayed)
        state.set("active_since", activeSince)
        state.set("warned_of_break", warnedOfAdBreak)
        state.set("history", main.history.timestamps)
        state.set(
            "ad_histories",
            adHistories.keys.sorted().map { id in
                var history = SavedState()
                history.set("ad", id)
                history.set("timestamps", adHistories[id]?.timestamps ?? [])
                return history
            }
        )
        state.set("assets", assets.map(\.saved))
        state.set("chapters", chapters)
        state.set("current", place(current))
        state.set("chapter", place(chapter))
        state.set("stashed_ad", place(stashedAd))
        state.set("stashed_chapter", place(stashedChapter))
        state.set(
            "timeline",
            timeline.items.map { item in
                var saved = SavedState()
                saved.set("type", Int64(item.type.rawValue))
                saved.set("asset", place(item.asset))
                saved.set("chapter", place(item.chapter))
                saved.set("timestamp", item.timestamp)
                saved.set("playhead", item.playhead)
                return saved
            }
        )
        return state
    }

    /// Goes on with a session that was saved; nothing goes out.
    convenience init(
        _ state: SavedState,
        writer: EntryWriter,
        host: TrackerHost,
        tracer: Tracer
    ) throws(TrackerFault) {
        var histories: [String: TimestampHistory] = [:]
        for saved in try state.parts("ad_histories", SavedState.self) {
            histories[try saved.text("ad")] = try TimestampHistory(saved.numbers("timestamps"))
        }
        let mainHistory = try TimestampHistory(state.numbers("history"))
        let assets = try state.parts("assets", SavedState.self).map { (saved) throws(TrackerFault) -> Asset in
            let ad = try saved.optionalPart("ad", Ad.self)
            let history = ad.map { histories[$0.information.id] ?? TimestampHistory() } ?? mainHistory
            return try Asset(saved, ad: ad, history: history)
        }
        let chapters = try state.parts("chapters", Chapter.self)
        guard let main = assets.first, main.ad == nil else {
            throw TrackerFault("the saved session has no main content")
        }
        self.init(
            id: try state.text("id"),
            video: try state.part("video"),
            main: main,
            activeSince: try state.number("active_since"),
            clock: try state.part("clock"),
            writer: writer,
            host: host,
            tracer: tracer
        )
        adHistories = histories
        isComplete = try state.flag("complete")
        isPaused = try state.flag("paused")
        isSeeking = try state.flag("seeking")
        isBuffering = try state.flag("buffering")
        hasPlayed = try state.flag("played")
        warnedOfAdBreak = try state.flag("warned_of_break")
        current = try Self.element("current", of: state, in: assets) ?? main
        chapter = try Self.element("chapter", of: state, in: chapters)
        stashedAd = try Self.element("stashed_ad", of: state, in: assets)
        stashedChapter = try Self.element("stashed_chapter", of: state, in: chapters)
        for saved in try state.parts("timeline", SavedState.self) {
            timeline.append(
                TimelineItem(
                    type: try EntryType(saved: saved.number("type")),
                    asset: try Self.element("asset", of: saved, in: assets) ?? main,
                    chapter: try Self.element("chapter", of: saved, in: chapters),
                    timestamp: try saved.number("timestamp"),
                    playhead: try saved.number("playhead")
                )
            )
        }
    }

    private static func distinct<Object: AnyObject>(_ objects: [Object]) -> [Object] {
        objects.reduce(into: []) { known, object in
            if !known.contains(where: { $0 === object }) { known.append(object) }
        }
    }

    private static func element<Element>(
        _ name: String,
        of state: SavedState,
        in elements: [Element]
    ) throws(TrackerFault) -> Element? {
        guard let index = try state.optionalNumber(name) else { return nil }
        guard elements.indices.contains(Int(index)) else {
            throw TrackerFault("the saved session has no \(name) \(index)")
        }
        return elements[Int(index)]
    }
}

extension EntryType {
    /// The type with a number that was saved.
    fileprivate init(saved number: Int64) throws(TrackerFault) {
        guard let type = EntryType(rawValue: Int(number)) else {
            throw TrackerFault("the saved session has an entry of the unknown type \(number)")
        }
        self = type
    }
}
