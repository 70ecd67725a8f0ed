internal import PluginKit

/// The vendor's getters, called from outside by their names.
extension VideoTracker {
    /// The attribute that a name means: its own, or that of a getter, as `duration` or `getDuration`.
    package func attribute(calledBy name: String) -> StandardAttribute? {
        let getters = StandardAttribute.allCases.filter { $0.isGetter && (!$0.isOfMedia || $0.isOfAds == state.isAd) }
        if let exact = getters.first(where: { "\($0.name)" == name }) { return exact }
        let stem = (name.hasPrefix("get") ? String(name.dropFirst(3)) : name).lowercased()
        let prefix = state.isAd ? "ad" : "content"
        return getters.first { "\($0.name)".lowercased() == stem }
            ?? getters.first { "\($0.name)".lowercased() == prefix + stem }
    }

    /// All attributes that a getter gives, as they are now; those that are not known are null.
    func getters(at moment: Moment) -> JSONValue {
        var members = JSONObject()
        for attribute in StandardAttribute.order(isAd: state.isAd, generation) where attribute.isGetter {
            members["\(attribute.name)"] = getter(attribute, at: moment).map(\.json) ?? .null
        }
        return .object(members)
    }
}

extension TrackerState {
    /// The flags by name.
    var json: JSONValue {
        .object([
            "isPlayerReady": .bool(isPlayerReady), "isRequested": .bool(isRequested), "isStarted": .bool(isStarted),
            "isPlaying": .bool(isPlaying), "isPaused": .bool(isPaused), "isSeeking": .bool(isSeeking),
            "isBuffering": .bool(isBuffering), "isAd": .bool(isAd), "isAdBreak": .bool(isAdBreak),
        ])
    }
}

extension EventValue {
    /// The value as JSON.
    var json: JSONValue {
        switch self {
        case .int(let number): .int(number)
        case .double(let number): .double(number)
        case .text(let text): .string(text.string)
        }
    }
}
