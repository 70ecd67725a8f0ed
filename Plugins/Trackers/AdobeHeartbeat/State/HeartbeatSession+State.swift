internal import AdobeShared
internal import PluginKit

extension HeartbeatSession {
    /// Begins with nothing, for what was saved to be read into; nothing goes out.
    convenience init(writer: EntryWriter, host: TrackerHost, tracer: Tracer) {
        self.init(
            id: "",
            video: VideoInformation(),
            loadedAt: 0,
            clock: QuantumClock(base: 0, interval: writer.configuration.trackingInterval),
            writer: writer,
            host: host,
            tracer: tracer
        )
    }

    /// Carries all that the session knows.
    func carry(by transfer: StateTransfer) {
        transfer.carry(&id)
        transfer.carry(&video)
        transfer.carry(&clock)
        transfer.carry(&isComplete)
        transfer.carry(&isPaused)
        transfer.carry(&isSeeking)
        transfer.carry(&isBuffering)
        transfer.carry(&hasPlayed)
        transfer.carry(&activeSince)
        transfer.carry(&warnedOfAdBreak)
        var history = main.history.timestamps
        transfer.carry(&history)
        var parts = transfer.isLoading ? SessionParts() : self.parts
        transfer.carry(&parts)
        if transfer.isLoading { take(parts, mainHistory: history, transfer) }
    }

    private var parts: SessionParts {
        let assets = Self.distinct([main, current] + [stashedAd].compactMap { $0 } + timeline.items.map(\.asset))
        let chapters = Self.distinct(
            [chapter, stashedChapter].compactMap { $0 } + timeline.items.compactMap(\.chapter)
        )
        func place(_ asset: Asset?) -> Int? { assets.firstIndex { $0 === asset } }
        func place(_ chapter: Chapter?) -> Int? { chapters.firstIndex { $0 === chapter } }
        return SessionParts(
            assets: assets.map(\.parts),
            chapters: chapters.map(\.parts),
            histories: adHistories.keys.sorted().map { ad in
                SessionParts.History(ad: ad, timestamps: adHistories[ad]?.timestamps ?? [])
            },
            current: place(current) ?? 0,
            chapter: place(chapter),
            stashedAd: place(stashedAd),
            stashedChapter: place(stashedChapter),
            timeline: timeline.items.map { item in
                SessionParts.Item(
                    type: item.type,
                    asset: place(item.asset) ?? 0,
                    chapter: place(item.chapter),
                    timestamp: item.timestamp,
                    playhead: item.playhead
                )
            }
        )
    }

    private func take(_ parts: SessionParts, mainHistory: [Int64], _ transfer: StateTransfer) {
        func history(_ timestamps: [Int64]) -> TimestampHistory {
            TimestampHistory(timestamps)
                ?? {
                    transfer.fail("there are timestamps of \(timestamps.count) types of entries")
                    return TimestampHistory()
                }()
        }
        adHistories = [:]
        for saved in parts.histories { adHistories[saved.ad] = history(saved.timestamps) }
        let ownHistory = history(mainHistory)
        let assets = parts.assets.map { saved in
            let shared = saved.ad.map { adHistories[$0.information.id] ?? TimestampHistory() }
            return Asset(saved, history: shared ?? ownHistory)
        }
        let chapters = parts.chapters.map { Chapter($0) }
        func asset(_ place: Int?) -> Asset? { place.flatMap { assets.indices.contains($0) ? assets[$0] : nil } }
        func chapter(_ place: Int?) -> Chapter? { place.flatMap { chapters.indices.contains($0) ? chapters[$0] : nil } }
        guard let first = assets.first, first.ad == nil, let current = asset(parts.current) else {
            return transfer.fail("there is no main content")
        }
        main = first
        self.current = current
        self.chapter = chapter(parts.chapter)
        stashedAd = asset(parts.stashedAd)
        stashedChapter = chapter(parts.stashedChapter)
        timeline = Timeline()
        for item in parts.timeline {
            timeline.append(
                TimelineItem(
                    type: item.type,
                    asset: asset(item.asset) ?? main,
                    chapter: chapter(item.chapter),
                    timestamp: item.timestamp,
                    playhead: item.playhead
                )
            )
        }
    }

    private static func distinct<Object: AnyObject>(_ objects: [Object]) -> [Object] {
        objects.reduce(into: []) { known, object in
            if !known.contains(where: { $0 === object }) { known.append(object) }
        }
    }
}
