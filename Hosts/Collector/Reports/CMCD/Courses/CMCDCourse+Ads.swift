internal import EventModel

/// The ads of a session, as far as they are told.
struct CMCDAds {
    /// How long a break without a beginning of its own goes on behind its last ad, us.
    static let patience: Int64 = 5_000_000

    var isBreakOpen = false
    var isAdOpen = false
    /// Whether the break was opened because an ad began.
    var isOpened = false
    /// When the last ad ended, us since 1970.
    var lastEnd: Int64?
    /// The content ids that are ads'.
    private(set) var ids: Set<String> = []
    /// The id of the ad that comes.
    private var expected: String?

    var isAnyOpen: Bool { isBreakOpen || isAdOpen }

    /// When a break that was opened because an ad began is over unless another one begins, us since 1970.
    var endOfOpened: Int64? {
        guard isOpened, isBreakOpen, !isAdOpen, let lastEnd else { return nil }
        return lastEnd + Self.patience
    }

    /// Another content id is the ad's that comes.
    mutating func expect(_ id: String) {
        ids.insert(id)
        expected = id
    }

    /// The id of the ad that begins.
    mutating func begin(_ id: String?, isContent: Bool) -> String? {
        if let id, !isContent { ids.insert(id) }
        defer { expected = nil }
        return isContent ? expected : id ?? expected
    }
}

extension CMCDRecord {
    /// Whether it tells of an ad's beginning or end.
    var isOfAds: Bool {
        switch event {
        case .adBreakStart, .adBreakEnd, .adStart, .adEnd, .adSkipped: true
        default: false
        }
    }
}

extension CMCDCourse {
    /// A report of an ad's own player: its state and figures are not the content's.
    mutating func playAd(_ record: CMCDRecord) {
        switch record.event {
        case .response: tellRequest(record)
        case .error: tellError(record.errorCodes, isFatal: nil, as: .adError)
        case .adBreakStart, .adBreakEnd, .adStart, .adEnd, .adSkipped: playAdEvent(record)
        default: break
        }
    }

    /// Makes the call of an ad's beginning or end.
    mutating func playAdEvent(_ record: CMCDRecord) {
        switch record.event {
        case .adBreakStart:
            guard !ads.isBreakOpen else { return }
            ads.isBreakOpen = true
            ads.isOpened = false
            emit(.adBreakStart)
        case .adBreakEnd: endBreak()
        case .adStart: startAd(record.string(.cid))
        case .adEnd: endAd(.adComplete)
        case .adSkipped: endAd(.adSkip)
        default: break
        }
    }

    private mutating func startAd(_ content: String?) {
        endAd(.adComplete)
        if !ads.isBreakOpen {
            ads.isBreakOpen = true
            ads.isOpened = true
            emit(.adBreakStart)
        }
        ads.isAdOpen = true
        let id = ads.begin(content, isContent: content != nil && content == session?.content)
        emit(.adStart, id.map { [TrackedCall.Attribute("ad_id", .string($0))] } ?? [])
    }

    private mutating func endAd(_ type: EventType) {
        guard ads.isAdOpen else { return }
        ads.isAdOpen = false
        ads.lastEnd = current.time
        emit(type)
    }

    mutating func endBreak() {
        guard ads.isBreakOpen else { return }
        ads.isBreakOpen = false
        ads.isAdOpen = false
        ads.isOpened = false
        emit(.adBreakComplete)
    }
}
