internal import PluginKit

/// The guides' VideoInfo; length and playhead come with each moment.
struct VideoInformation: Equatable {
    /// Whether a session can be tracked with it.
    enum Outcome: Equatable {
        /// All that is mandatory is there.
        case complete
        /// The player has not said this yet, and may still.
        case notYet(InvalidInformation)
        /// This cannot be used.
        case invalid(InvalidInformation)
    }

    /// Mandatory.
    private(set) var id = ""
    /// Optional.
    private(set) var name = ""
    /// Mandatory: the player that shows the main content.
    private(set) var playerName = ""
    /// Mandatory: `vod`, `live` or `linear`; nil as long as the player has not said.
    private(set) var streamType: String?
    /// Who watches.
    private(set) var userID = ""
    private var isAnythingKnown = false

    private static let streamTypes = ["vod", "live", "linear"]

    /// Takes what the delegate said; what it did not say stays.
    mutating func read(_ attributes: AttributeList) {
        id = text(.videoID, in: attributes) ?? id
        name = text(.videoName, in: attributes) ?? name
        playerName = text(.playerName, in: attributes) ?? playerName
        streamType = text(.streamType, in: attributes) ?? streamType
        userID = text(.userID, in: attributes) ?? userID
    }

    /// The same video with what became known of it; its id and kind stay, unless they have become unusable.
    func updated(with attributes: AttributeList) throws(InvalidInformation) -> VideoInformation {
        var video = self
        video.read(attributes)
        if video.id.isEmpty { throw .text("VideoInfo", "id") }
        if video.playerName.isEmpty { throw .text("VideoInfo", "playerName") }
        video.id = id
        video.streamType = streamType
        return video
    }

    private mutating func text(_ key: AttributeKey, in attributes: AttributeList) -> String? {
        guard let attribute = attributes[key] else { return nil }
        isAnythingKnown = true
        // What is no text is as good as none: a number is no id.
        return attribute.string?.string ?? ""
    }

    /// Checks id, streamType, length, playhead, playerName, in this order.
    ///
    /// For live and linear streams length and playhead may be missing or -1 (Adobe VHL 1.3.1, VideoInfo). A kind,
    /// length or playhead that the player has not said yet is no error: many players find them out after the load.
    func check(at moment: KeptMoment) -> Outcome {
        guard isAnythingKnown else {
            return .invalid(InvalidInformation(object: "VideoInfo", property: "", reason: "is nil"))
        }
        if id.isEmpty { return .invalid(.text("VideoInfo", "id")) }
        if let streamType, !Self.streamTypes.contains(streamType) {
            let reason = "is none of \(Self.streamTypes.joined(separator: ", "))"
            return .invalid(InvalidInformation(object: "VideoInfo", property: "streamType", reason: reason))
        }
        if playerName.isEmpty { return .invalid(.text("VideoInfo", "playerName")) }
        guard let streamType else { return .notYet(.text("VideoInfo", "streamType")) }
        guard streamType == "vod" else { return .complete }
        if moment.lengthMilliseconds == nil { return .notYet(.number("VideoInfo", "length")) }
        if moment.playheadMilliseconds == nil { return .notYet(.number("VideoInfo", "playhead")) }
        return .complete
    }
}
