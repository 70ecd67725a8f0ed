/// An ad that can be played: what is left of a chain of documents.
package struct LinearAd: Sendable, Equatable {
    /// An identifier that means the same everywhere (VAST 4.2, 3.7.1).
    package struct UniversalID: Sendable, Equatable {
        /// Who gave it, such as `ad-id.org`.
        package var registry: String
        /// The identifier.
        package var value: String
    }

    /// The ad server's identifier.
    package var id: String?
    /// The place in its pod, as the document numbers it; nil for a stand-alone ad.
    package var sequence: Int?
    /// What it is meant for: `video`, `audio` or `hybrid` (VAST 4.2, `adType`).
    package var type = "video"
    /// The ad server's identifier of this showing.
    package var servingID: String?
    /// The title for people.
    package var title: String?
    /// The system that served it.
    package var system: String?
    /// The advertiser.
    package var advertiser: String?
    /// The creative's identifier.
    package var creativeID: String?
    /// The creative's universal identifiers.
    package var universalIDs: [UniversalID] = []
    /// The price per thousand, as it is written.
    package var cpm: String?
    /// The announced duration in milliseconds.
    package var durationMs: Int64?
    /// When it may be skipped; nil when it may not.
    package var skipOffset: AdOffset?
    /// The chosen file.
    package var media: MediaFile
    /// Whether it has a program for interaction, which this player does not execute.
    package var isInteractive = false
    /// Where a click leads.
    package var clickThrough: String?
    /// The address of the document that it comes from.
    package var tag: String
    /// Who wants to hear of its course.
    package var tracking: AdTracking
    /// The responses whose stand-alone ads may take its place, the innermost last.
    package var substitutes: [Int] = []

    /// The creative's first universal identifier (Ad-ID and others).
    package var universalID: String? { universalIDs.first?.value }

    /// Where the chosen file lies.
    package var location: String { media.location }
}

extension LinearAd {
    /// A creative that a stream names itself, in the playlist or list at an address.
    init(asset location: String, durationMs: Int64?, of list: String) {
        self.init(
            durationMs: durationMs,
            media: MediaFile(location: location),
            tag: list,
            tracking: AdTracking()
        )
    }
}
