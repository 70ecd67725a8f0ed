internal import PluginABI
package import PluginKit

/// The picture that the player reports: of an ad while one is shown, otherwise of the content.
package struct ShownPicture: Equatable, Sendable {
    /// Bitrate, bit/s.
    package private(set) var bitrate: Int64?
    /// Width, px.
    package private(set) var width: Int64?
    /// Height, px.
    package private(set) var height: Int64?
    /// Frames per second in thousandths.
    package private(set) var framesPerSecondMilli: Int32?

    /// One of which nothing is known.
    package init() {}

    /// What the player reports now.
    package init(_ player: PlayerState) {
        bitrate = player.bitrate
        width = player.width.map(Int64.init)
        height = player.height.map(Int64.init)
        framesPerSecondMilli = player.framesPerSecondMilli
    }

    /// Without what is 0: a player says so of an ad's figures that it does not know.
    package var withoutZeros: ShownPicture {
        var picture = self
        if bitrate == 0 { picture.bitrate = nil }
        if width == 0 { picture.width = nil }
        if height == 0 { picture.height = nil }
        if framesPerSecondMilli == 0 { picture.framesPerSecondMilli = nil }
        return picture
    }
}

/// Which of content and ad has the screen, and what each looked like when it was shown last.
///
/// The player's state holds the picture that is shown, while an ad is on that of the ad.
package struct ShownMedia {
    /// Whether ads have the screen: in a break, and in an ad without one.
    package var isInBreak: Bool { isBreak || isAd }

    private var isBreak = false
    private var isAd = false
    private var content = ShownPicture()
    private var ad = ShownPicture()
    private var endsAd = false

    /// The content is shown, of which nothing is known yet.
    package init() {}

    /// Follows a player event before it is handled.
    package mutating func prepare(_ type: EventType) {
        switch type {
        case .adBreakStart: isBreak = true
        case .adStart: isAd = true
        case .adComplete, .adSkip: endsAd = isAd
        case .adBreakComplete, .videoUnload: (isBreak, endsAd) = (false, isAd)
        default: break
        }
    }

    /// Remembers what is shown, after a player event.
    ///
    /// At the event that ends an ad, players show the one or the other: that picture belongs to neither.
    package mutating func remember(_ player: PlayerState) {
        if endsAd {
            (isAd, endsAd) = (false, false)
        } else if isAd {
            ad = ShownPicture(player)
        } else {
            content = ShownPicture(player)
        }
    }

    /// Joins in the middle of things; in an ad, nothing is known of the content's picture.
    package mutating func join(_ player: PlayerState) {
        isBreak = player.has(TALLY_STATE_IN_AD_BREAK)
        isAd = player.has(TALLY_STATE_IN_AD)
        remember(player)
    }

    /// The picture that a tracker tells instead of what the player reports, nil for just that.
    package func held(isAd isOfAd: Bool) -> ShownPicture? {
        if isOfAd { return endsAd ? ad : nil }
        return isAd ? content : nil
    }
}
