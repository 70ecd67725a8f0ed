/// Where the value of a parameter comes from.
package enum PingSource: Sendable {
    /// Always the same.
    case constant(StaticString)
    /// Never filled here: the vendor's sample has nothing either.
    case empty
    /// Client id of the configuration.
    case clientID
    /// Client id, sub-brand and the suffix of what is measured.
    case channel
    /// Name of the group of assets.
    case assetGroup
    /// Identifier of the instance's life.
    case sessionID
    /// Value of a key of the content's metadata, empty when it is not there.
    case content(String)
    /// The same, with a value for when it is not there.
    case contentOr(String, StaticString)
    /// Sub-brand.
    case subbrand
    /// Client id, sub-brand and asset id.
    case contentAsset
    /// App id.
    case appID
    /// Name of the application.
    case appName
    /// Version of the application.
    case appVersion
    /// Whether the asset is an ad.
    case isAd
    /// Tag, breakout, flag, prefix with number, segments.
    case credit
    /// Hash of the device.
    case nuid
    /// View or timer.
    case moment
    /// Video, audio or text.
    case assetClass
    /// Version of this tracker.
    case version
    /// Viewed seconds of the asset in this ping.
    case viewedSeconds
    /// Viewed seconds of ads since the content's last ping.
    case adSeconds
    /// Ads viewed since the content's last ping.
    case adCount
    /// Identifier of the player's load.
    case playerID
    /// Asset id.
    case assetID
    /// Content or ad.
    case assetLetter
    /// When the stream began, s since 1970.
    case streamStart
    /// When the ping was made, s since 1970.
    case created
    /// Whether the stream is live.
    case isLive
    /// Identifier of the viewing session.
    case viewingSession
    /// Whether the user is opted out.
    case optOut
    /// View, duration or final.
    case davty
    /// Address of the media, encoded once more.
    case mediaURL
    /// When it is sent: a reporter fills it in.
    case sendTime
    /// A random number, so that no cache answers.
    case random
}
