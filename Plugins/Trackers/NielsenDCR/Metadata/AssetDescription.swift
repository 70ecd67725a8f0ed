package import PluginKit

/// What the player and the application tell of the video, from which the metadata of `play` and `loadMetadata` are
/// made.
///
/// Weakest first: the player's own information, the configuration, attributes named `nielsen.` and a key, and the
/// object in the attribute `nielsen.metadata`.
package struct AssetDescription {
    private let configuration: TrackerConfiguration
    private var videoID: String?
    private var videoName: String?
    private var streamType: String?
    private var overrides = JSONObject()
    private var channelOverride: String?

    /// Address of the media without query and fragment, which may hold secrets.
    package private(set) var mediaURL = ""

    /// Begins with what is configured.
    package init(_ configuration: TrackerConfiguration) { self.configuration = configuration }

    /// The channel; the name of the video when nothing else is known.
    package var channelName: String? { channelOverride ?? configuration.channelName ?? videoName }

    /// Whether the stream goes on round the clock.
    package var isLinear: Bool { streamType == "linear" }

    /// Reads what the attributes of an event say of the video.
    package mutating func read(_ attributes: AttributeList, _ extra: MetadataAttributes) {
        for attribute in attributes {
            switch attribute.key {
            case .videoID: videoID = attribute.string?.string
            case .videoName: videoName = attribute.string?.string
            case .videoURL: mediaURL = Self.withoutQuery(attribute.string?.string ?? "")
            case .streamType: streamType = attribute.string?.string
            default: break
            }
        }
        if let channel = extra.channelName { channelOverride = channel }
        Self.merge(extra.members, into: &overrides)
    }

    /// The content's metadata as an argument of `loadMetadata`.
    package func content(_ player: PlayerState) -> JSONValue {
        var members: JSONObject = ["type": "content"]
        if let videoID { members["assetid"] = .string(videoID) }
        // A video without a programme of its own is its own programme.
        if let videoName {
            members["program"] = .string(videoName)
            members["title"] = .string(videoName)
        }
        if let length = length(player) { members["length"] = .string(length) }
        members["airdate"] = .string(AirDate.unknown)
        members["isfullepisode"] = "n"
        members["adloadtype"] = "2"
        Self.merge(configuration.content, into: &members)
        Self.merge(overrides, into: &members)
        return .object(members)
    }

    /// An ad's metadata as an argument of `loadMetadata`.
    package func ad(_ attributes: AttributeList, _ extra: MetadataAttributes) -> JSONValue {
        var members: JSONObject = ["type": .string(Self.adType(attributes[.adBreakType]?.string))]
        if let id = attributes[.adID]?.string { members["assetid"] = .string(id.string) }
        Self.merge(configuration.ad, into: &members)
        Self.merge(extra.members, into: &members)
        return .object(members)
    }

    /// Length: on demand that of the video, round the clock 86400, of a live event what was planned.
    private func length(_ player: PlayerState) -> String? {
        if isLinear { return "86400" }
        guard let duration = player.durationMilliseconds, duration >= 0 else { return nil }
        return "\((duration + 500) / 1000)"
    }

    private static func adType(_ place: UTF8Text?) -> String {
        guard let place else { return "ad" }
        if place == "pre" { return "preroll" }
        if place == "mid" { return "midroll" }
        return place == "post" ? "postroll" : "ad"
    }

    private static func withoutQuery(_ url: String) -> String { String(url.prefix { $0 != "?" && $0 != "#" }) }

    /// Sets members; null takes one away.
    private static func merge(_ source: JSONObject, into target: inout JSONObject) {
        for member in source { target[member.key] = member.value.isNull ? nil : member.value }
    }
}
