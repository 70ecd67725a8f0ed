/// What the player knows when it asks for an address: where the values of macros come from.
package struct AdMoment: Sendable {
    /// What the address is for.
    package enum Use: Sendable, Equatable {
        /// An ad document is asked for.
        case request
        /// An ad server is told of what happened.
        case tracking
        /// An ad server is told of a click.
        case click
        /// An ad server is told of a failure, by the number of VAST, by that of VMAP, and in words.
        case error(vast: Int, vmap: Int, message: String)
        /// Somebody is told that his code to verify the ad was not executed, by the reason of VAST 4.2, 3.17.4.
        case notVerified(reason: Int)
    }

    /// What the address is for.
    package var use: Use
    /// The time in UTC, such as `2026-01-17T08:15:07.000Z`.
    package var timestamp: String?
    /// The player's name and version, such as `player/1.0`.
    package var player: String?
    /// What the player calls itself in requests.
    package var userAgent: String?
    /// What all requests for the ads of one main content have in common, as a UUID.
    package var transactionID: String?
    /// Where the main content comes from, as the user named it.
    package var content: String?
    /// The place in the main content, in milliseconds.
    package var contentMs: Int64?
    /// `pre`, `mid` or `post`; nil when no break is meant.
    package var breakType: String?
    /// How many ads the break has room for.
    package var maxAds: Int?
    /// How long the break may last, in seconds.
    package var maxSeconds: Int64?
    /// Categories that the wrappers around a request do not allow, such as `IAB1-6`.
    package var blockedCategories: [String] = []
    /// The ad that is played.
    package var ad: LinearAd?
    /// How many ads of the break were begun, with the one that is played.
    package var adCount: Int?
    /// The place in the ad, in milliseconds.
    package var adMs: Int64?
    /// Width and height in logical pixels; nil when nobody has said.
    package var playerSize: (width: Int, height: Int)?
    /// Whether the sound is off.
    package var isMuted = false
    /// Whether the picture fills the screen.
    package var isFullscreen = false

    /// A moment of which nothing is known but what the address is for.
    package init(_ use: Use) {
        self.use = use
    }
}
