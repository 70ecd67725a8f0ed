internal import AdobeShared
internal import PluginKit

/// The video that is viewed, as far as Analytics wants to know it.
struct ViewedVideo {
    private(set) var id = ""
    private var name = ""
    private var playerName = ""
    private var streamType = ""
    private(set) var userID = ""
    /// Of the id, for the names of pods.
    private(set) var digest = ""

    /// Takes what the delegate said; what it did not say stays.
    mutating func read(_ attributes: AttributeList) {
        if let text = attributes[.videoID]?.string {
            id = text.string
            digest = MD5.hex(of: id)
        }
        if let text = attributes[.videoName]?.string { name = text.string }
        if let text = attributes[.playerName]?.string { playerName = text.string }
        if let text = attributes[.streamType]?.string { streamType = text.string }
        if let text = attributes[.userID]?.string { userID = text.string }
    }

    /// Whether the player has said everything that the hit has.
    func isComplete(_ player: PlayerState) -> Bool {
        !id.isEmpty && !streamType.isEmpty && (streamType != "vod" || player.durationMilliseconds != nil)
    }

    /// The hit that opens the viewing.
    func start(_ player: PlayerState, channel: String, epochSeconds: Int64) -> Hit {
        var media: [(name: String, value: Hit.Value)] = [("name", .text(id))]
        if !name.isEmpty { media.append(("friendlyName", .text(name))) }
        if let length = player.durationMilliseconds {
            media.append(("length", .number(length < 0 ? -1 : WholeSeconds.of(milliseconds: length))))
        } else if streamType != "vod", !streamType.isEmpty {
            media.append(("length", .number(-1)))
        }
        if !playerName.isEmpty { media.append(("playerName", .text(playerName))) }
        if !channel.isEmpty { media.append(("channel", .text(channel))) }
        media.append(("view", .text("true")))
        return Hit(kind: .videoStart, epochSeconds: epochSeconds, viewer: userID, media: media, ad: [])
    }

    /// The hit that opens the viewing of an ad; nil when the delegate knows of no ad or no break, or not enough.
    func adStart(_ event: EventView, epochSeconds: Int64) -> Hit? {
        let attributes = event.attributes
        guard let adID = attributes[.adID]?.string, adID.count > 0,
            let player = attributes[.adBreakPlayerName]?.string, player.count > 0,
            let position = attributes[.adBreakPosition]?.wholeNumber,
            let length = attributes[.adDurationMs]?.wholeNumber
        else { return nil }
        let playhead = event.state.playheadMilliseconds ?? 0
        let start = attributes[.adBreakStartMs]?.wholeNumber ?? max(playhead, 0)
        var ad: [(name: String, value: Hit.Value)] = [("name", .text(adID.string))]
        if let name = attributes[.adName]?.string { ad.append(("friendlyName", .text(name.string))) }
        ad.append(("length", .number(WholeSeconds.of(milliseconds: length))))
        ad.append(("playerName", .text(player.string)))
        ad.append(("pod", .text(PartIdentifier.text(videoDigest: digest, position: position))))
        if let name = attributes[.adBreakName]?.string { ad.append(("podFriendlyName", .text(name.string))) }
        ad.append(("podSecond", .number(WholeSeconds.of(milliseconds: start))))
        if let position = attributes[.adPosition]?.wholeNumber { ad.append(("podPosition", .number(position))) }
        if let price = attributes[.adCPM]?.string { ad.append(("CPM", .text(price.string))) }
        ad.append(("view", .text("true")))
        return Hit(kind: .adStart, epochSeconds: epochSeconds, viewer: userID, media: [("name", .text(id))], ad: ad)
    }
}
