/// What was known of the ad and its break at the last report.
struct AdSnapshot: Sendable {
    /// The break that is shown.
    struct Break: Sendable {
        let id: String?
        /// Its index in the main content, from 1.
        let position: Int
        /// Where in the main content it lies, in milliseconds.
        let startMs: Int64
        /// `pre`, `mid` or `post`.
        let type: String
    }

    /// The ad that is shown.
    struct Ad: Sendable {
        var id: String?
        var name: String?
        var creativeID: String?
        var universalID: String?
        var partner: String?
        var cpm: String?
        var url: String?
        var tag: String?
        var clickURL: String?
        /// Its index in the break, from 1.
        var position: Int?
        var durationMs: Int64?
        var skipAfterMs: Int64?
    }

    var adBreak: Break
    var ad: Ad?
    /// The place in the ad.
    var playheadMs: Int64?
}
