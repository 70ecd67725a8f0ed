import NewRelicVideo
import PluginKit

/// A custom tracker that knows every attribute better than the player's events, and says when it listens.
final class OverridingTracker: CustomVideoTracker {
    override class var descriptor: TrackerDescriptor {
        TrackerDescriptor(
            id: "org.tally.test.overriding",
            name: "Overriding",
            vendor: "Tally",
            version: "1.0.0",
            configurationSchema: configurationSchema
        )
    }

    /// What the getters say, by the attribute without `content` or `ad`.
    static let ofMedia: [(name: String, value: PlainValue)] = [
        ("Title", .string("own title")), ("Src", .string("own source")), ("Language", .string("rm")),
        ("IsLive", .int(1)), ("Duration", .int(11)), ("Playhead", .int(12)), ("Playrate", .double(1.25)),
        ("IsMuted", .int(1)), ("Bitrate", .int(13)), ("RenditionBitrate", .int(14)), ("RenditionWidth", .int(15)),
        ("RenditionHeight", .int(16)), ("Fps", .double(12.5)),
    ]
    /// The same of attributes that contents and ads call by one name.
    static let ofBoth: [(name: String, value: PlainValue)] = [
        ("playerName", .string("own player")), ("playerVersion", .string("9")), ("trackerName", .string("own tracker")),
        ("trackerVersion", .string("8")),
    ]
    /// The same of attributes that ads alone have.
    static let ofAds: [(name: String, value: PlainValue)] = [
        ("adCreativeId", .string("own creative")), ("adPartner", .string("own partner")),
        ("adPosition", .string("post")), ("adQuartile", .int(3)),
    ]

    /// The senders in an order in which each is legal behind the start: what it says behind `CONTENT_` or `AD_`, and
    /// whether ads alone have it.
    static let senders: [(action: String, isOfAds: Bool, call: @Sendable (OverridingTracker) -> Void)] = [
        ("PAUSE", false, { $0.sendPause() }), ("RESUME", false, { $0.sendResume() }),
        ("SEEK_START", false, { $0.sendSeekStart() }), ("SEEK_END", false, { $0.sendSeekEnd() }),
        ("BUFFER_START", false, { $0.sendBufferStart() }), ("BUFFER_END", false, { $0.sendBufferEnd() }),
        ("HEARTBEAT", false, { $0.sendHeartbeat() }), ("RENDITION_CHANGE", false, { $0.sendRenditionChange() }),
        ("ERROR", false, { $0.sendError() }), ("BREAK_START", true, { $0.sendAdBreakStart() }),
        ("QUARTILE", true, { $0.sendAdQuartile() }), ("CLICK", true, { $0.sendAdClick() }),
        ("END", false, { $0.sendEnd() }), ("BREAK_END", true, { $0.sendAdBreakEnd() }),
        ("REQUEST", false, { $0.sendRequest() }), ("START", false, { $0.sendStart() }),
    ]

    override func setPlayer() {
        super.setPlayer()
        registerListeners()
    }

    override func registerListeners() {
        host.log(.info, "listens")
        listen(to: .videoLoad) { [unowned self] _ in sendRequest() }
        listen(to: .firstFrame) { [unowned self] _ in sendStart() }
        listen(to: .pause) { [unowned self] _ in sendPause() }
        listen(to: .custom) { [unowned self] _ in
            for sender in Self.senders { sender.call(self) }
        }
    }

    override func unregisterListeners() {
        super.unregisterListeners()
        host.log(.info, "listens no more")
    }

    override func getAttributes(_ action: String) -> [(name: String, value: PlainValue)] {
        guard action == "CONTENT_PAUSE" else { return [] }
        return [("own", .string(action)), ("trackerName", .string("of the pause"))]
    }

    override func getTitle() -> String? { "own title" }
    override func getSrc() -> String? { "own source" }
    override func getLanguage() -> String? { "rm" }
    override func getIsLive() -> Bool? { true }
    override func getDuration() -> Int64? { 11 }
    override func getPlayhead() -> Int64? { 12 }
    override func getPlayrate() -> Double? { 1.25 }
    override func getIsMuted() -> Bool? { true }
    override func getBitrate() -> Int64? { 13 }
    override func getRenditionBitrate() -> Int64? { 14 }
    override func getRenditionWidth() -> Int64? { 15 }
    override func getRenditionHeight() -> Int64? { 16 }
    override func getFps() -> Double? { 12.5 }
    override func getPlayerName() -> String? { "own player" }
    override func getPlayerVersion() -> String? { "9" }
    override func getTrackerName() -> String? { "own tracker" }
    override func getTrackerVersion() -> String? { "8" }
    override func getAdCreativeId() -> String? { "own creative" }
    override func getAdPartner() -> String? { "own partner" }
    override func getAdPosition() -> String? { "post" }
    override func getAdQuartile() -> Int64? { 3 }
}
