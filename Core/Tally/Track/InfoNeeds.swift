/// Which information the delegate is asked for at a track call, besides player state and quality.
struct InfoNeeds: OptionSet {
    let rawValue: UInt8

    static let video = InfoNeeds(rawValue: 1)
    static let adBreak = InfoNeeds(rawValue: 2)
    static let ad = InfoNeeds(rawValue: 4)
    static let chapter = InfoNeeds(rawValue: 8)
    /// Player state alone: a sample comes often.
    static let stateOnly = InfoNeeds(rawValue: 16)

    /// The needs of an event type, as the data model has them.
    static func of(_ type: EventType) -> InfoNeeds {
        switch type {
        case .videoLoad, .metadataChange: .video
        case .adBreakStart: .adBreak
        case .adStart: [.adBreak, .ad]
        case .chapterStart: .chapter
        case .seekComplete: [.adBreak, .ad, .chapter]
        case .playheadSample: .stateOnly
        default: []
        }
    }
}
