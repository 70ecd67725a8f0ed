/// An ad that can be played: what is left of a chain of documents.
package struct LinearAd: Sendable, Equatable {
    /// The ad server's identifier.
    package var id: String?
    /// The title for people.
    package var title: String?
    /// The system that served it.
    package var system: String?
    /// The advertiser.
    package var advertiser: String?
    /// The creative's identifier.
    package var creativeID: String?
    /// The universal identifier (Ad-ID and others).
    package var universalID: String?
    /// The price per thousand, as it is written.
    package var cpm: String?
    /// The announced duration in milliseconds.
    package var durationMs: Int64?
    /// When it may be skipped; nil when it may not.
    package var skipOffset: AdOffset?
    /// The chosen file.
    package var media: MediaFile
    /// Where the file lies.
    package var location: String
    /// Where a click leads.
    package var clickThrough: String?
    /// The address of the document that it comes from.
    package var tag: String
    /// Who wants to hear of its course.
    package var tracking: AdTracking
}

extension LinearAd {
    /// A creative that a stream names itself, in the playlist or list at an address.
    init(asset location: String, durationMs: Int64?, of list: String) {
        self.init(
            durationMs: durationMs,
            media: MediaFile(location: location),
            location: location,
            tag: list,
            tracking: AdTracking()
        )
    }
}
