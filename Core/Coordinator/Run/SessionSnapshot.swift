internal import EventModel
internal import PluginABI

/// What a tracker that joins in mid-session is told: derived from the session's events so far, live and in replay.
struct SessionSnapshot {
    private struct Attribute {
        let key: AttributeKey
        let name: String
        let value: PlainValue
    }

    private var video: [Attribute] = []
    private var adBreak: [Attribute] = []
    private var ad: [Attribute] = []
    private var chapter: [Attribute] = []
    private var loadedAt: Int64 = 0
    private var firstPlayAt: Int64?

    /// Takes note of an event of the session.
    mutating func follow(_ event: EventView) {
        switch event.type {
        case .videoLoad:
            self = SessionSnapshot()
            loadedAt = event.time
            Self.update(&video, from: event) { _ in true }
        case .metadataChange:
            Self.update(&video, from: event) { _ in true }
        case .play:
            firstPlayAt = firstPlayAt ?? event.time
        case .adBreakStart:
            adBreak = []
            Self.update(&adBreak, from: event, where: Self.isAdBreak)
        case .adBreakComplete:
            adBreak = []
            ad = []
        case .adStart:
            ad = []
            Self.update(&adBreak, from: event, where: Self.isAdBreak)
            Self.update(&ad, from: event, where: Self.isAd)
        case .adComplete, .adSkip:
            ad = []
        case .chapterStart:
            chapter = []
            Self.update(&chapter, from: event, where: Self.isChapter)
        case .chapterComplete, .chapterSkip:
            chapter = []
        case .seekComplete:
            Self.update(&adBreak, from: event, where: Self.isAdBreak)
            Self.update(&ad, from: event, where: Self.isAd)
            Self.update(&chapter, from: event, where: Self.isChapter)
        default: break
        }
    }

    /// Writes the attributes of a snapshot for a tracker that joins.
    func write(to writer: inout BlockWriter) {
        _ = writer.set(.joined, true)
        _ = writer.set(.loadedAtMicroseconds, CanonicalNumber(loadedAt))
        if let firstPlayAt { _ = writer.set(.firstPlayAtMicroseconds, CanonicalNumber(firstPlayAt)) }
        for attribute in video + adBreak + ad + chapter {
            _ = writer.set(attribute.key, attribute.name, attribute.value)
        }
    }

    // MARK: - Parts

    private static func isAdBreak(_ key: AttributeKey) -> Bool { (32..<48).contains(key.rawValue) }
    private static func isAd(_ key: AttributeKey) -> Bool { (48..<64).contains(key.rawValue) }
    private static func isChapter(_ key: AttributeKey) -> Bool { (64..<80).contains(key.rawValue) }

    private static func update(
        _ list: inout [Attribute],
        from event: EventView,
        where belongs: (AttributeKey) -> Bool
    ) {
        for view in event.attributes where belongs(view.key) {
            let attribute = Attribute(key: view.key, name: view.name.string, value: PlainValue(view.value))
            if let place = list.firstIndex(where: { $0.name == attribute.name }) {
                list[place] = attribute
            } else {
                list.append(attribute)
            }
        }
    }
}
