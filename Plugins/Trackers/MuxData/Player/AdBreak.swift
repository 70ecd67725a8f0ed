internal import PluginKit

/// Where ads stand: the break, and the ad in it.
struct AdBreak {
    private(set) var isOpen = false
    /// Whether the break is there only because an ad began without one.
    private(set) var isDerived = false
    private(set) var isAdOpen = false
    private(set) var isAdPaused = false
    private var lastQuartile: Int64 = 0

    /// What the viewer watches while the break is open.
    var part: WatchClock.Part { isAdOpen ? .ad : .waiting }

    /// Whether an ad moves on.
    var isAdPlaying: Bool { isAdOpen && !isAdPaused }

    mutating func begin(isDerived: Bool) {
        isOpen = true
        self.isDerived = isDerived
        isAdPaused = false
    }

    mutating func end() {
        isOpen = false
        isAdPaused = false
    }

    mutating func beginAd() {
        isAdOpen = true
        isAdPaused = false
        lastQuartile = 0
    }

    /// Goes on with the ad of a break that was cut in two.
    mutating func reopenAd(_ cut: AdBreak) {
        isAdOpen = cut.isAdOpen
        lastQuartile = cut.lastQuartile
    }

    mutating func endAd() {
        isAdOpen = false
        isAdPaused = false
    }

    /// Pauses the ad; false when none plays.
    mutating func pauseAd() -> Bool {
        guard isAdPlaying else { return false }
        isAdPaused = true
        return true
    }

    /// Lets the ad go on; false when none is paused.
    mutating func resumeAd() -> Bool {
        guard isAdOpen, isAdPaused else { return false }
        isAdPaused = false
        return true
    }

    /// The event of a quarter; quarters come in their order, each once.
    mutating func reach(quartile number: Int64) -> MuxEvent? {
        guard isAdOpen, number > lastQuartile, (1...3).contains(number) else { return nil }
        lastQuartile = number
        return [.adfirstquartile, .admidpoint, .adthirdquartile][Int(number - 1)]
    }
}

// MARK: - AdData

extension AdBreak {
    static let fields = FieldSet(groups: [.ad])
    /// Those that one ad has.
    static let fieldsOfOneAd: FieldSet = [.adId, .adAssetUrl, .adTagUrl, .adCreativeId, .adUniversalId]

    /// Reads where the break lies; without the player's word `otherwise` counts unless it is known.
    static func readType(_ attributes: AttributeList, _ fields: inout FieldValues, otherwise: String) {
        switch attributes[.adBreakType]?.string {
        case .some(let type) where type == "pre": fields.set(.adType, "preroll")
        case .some(let type) where type == "mid": fields.set(.adType, "midroll")
        case .some(let type) where type == "post": fields.set(.adType, "postroll")
        default: if !fields.present.contains(.adType) { fields.set(.adType, otherwise) }
        }
    }

    /// Reads what the player tells of an ad.
    static func readAd(_ attributes: AttributeList, _ fields: inout FieldValues) {
        fields.set(.adId, attributes[.adID])
        fields.set(.adAssetUrl, attributes[.adURL])
        fields.set(.adTagUrl, attributes[.adTagURL])
        fields.set(.adCreativeId, attributes[.adCreativeID])
        fields.set(.adUniversalId, attributes[.adUniversalID])
    }
}
