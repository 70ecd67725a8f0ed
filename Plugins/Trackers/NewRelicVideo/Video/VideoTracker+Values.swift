package import PluginKit

/// What the standard attributes are at an instant: the vendor's getters.
extension VideoTracker {
    /// The value of an attribute on an event, nil when it is absent.
    func value(
        of attribute: StandardAttribute,
        _ action: Action,
        _ detail: EventDetail,
        at moment: Moment
    ) -> EventValue? {
        switch attribute {
        case .eventType: .text(UTF8Text(generation.eventType(of: action, isOwn: detail.isOwn)))
        case .actionName: .text(action.name)
        case .timestamp: .int(moment.epochMilliseconds)
        case .totalAdPlaytime: isTellingAdPlaytime(action) ? .int(totalAdPlaytime) : nil
        case .adPosition where isFirstBreak(action, at: moment): .text(UTF8Text("pre"))
        default: attribute.isOfDetail ? detail.value(of: attribute) : getter(attribute, at: moment)
        }
    }

    /// The value of an attribute that does not depend on the event, nil when it is not known.
    package func getter(_ attribute: StandardAttribute, at moment: Moment) -> EventValue? {
        switch attribute {
        case .trackerName: trackerName.text.map(EventValue.text)
        case .trackerVersion, .coreVersion, .instrumentationVersion: .text(UTF8Text(NewRelicVideoTracker.version))
        case .instrumentationProvider: .text(UTF8Text("newrelic"))
        case .instrumentationName: .text(UTF8Text(platform.instrumentation))
        case .src: .text(UTF8Text(platform.source))
        case .playerName: video[.playerName].map(EventValue.text)
        case .playerVersion: video[.playerVersion].map(EventValue.text)
        case .agentSession: identifiers.agentSession.map(EventValue.text)
        case .viewSession: identifiers.viewSession.map(EventValue.text)
        case .viewId: identifiers.viewID.map(EventValue.text)
        case .isAd: .flag(state.isAd)
        case .numberOfVideos: .int(numberOfVideos)
        case .numberOfAds: .int(numberOfAds)
        case .numberOfErrors: .int(numberOfErrors)
        case .playtimeSinceLastEvent: .int(playtime.sinceLastEvent)
        case .totalPlaytime: .int(playtime.total)
        case .totalAdPlaytime: .int(totalAdPlaytime)
        default: attribute.isOfAds == state.isAd ? mediaValue(of: attribute, moment.player) : nil
        }
    }

    /// A break while the content stands at its beginning comes before it, whatever is said of it.
    private func isFirstBreak(_ action: Action, at moment: Moment) -> Bool {
        guard linked != nil, action.standard == .adBreakStart || action.standard == .adBreakEnd else { return false }
        return moment.player.playheadMilliseconds ?? 0 < 100
    }

    /// The ad play time is told where it has been brought up to date.
    private func isTellingAdPlaytime(_ action: Action) -> Bool {
        guard let standard = action.standard else { return false }
        if standard == .contentStart { return !state.isAd }
        guard state.isAd else { return false }
        return generation == .a ? standard == .adBreakEnd : standard.isOfAds
    }

    /// The value of an attribute of the content or the ad, nil when the player has not told it.
    private func mediaValue(of attribute: StandardAttribute, _ player: PlayerState) -> EventValue? {
        // Before an ad is requested, what the player shows is the content's.
        let isShown = !state.isAd || state.isRequested
        switch attribute {
        case .contentTitle: return video[.videoName].map(EventValue.text)
        case .contentId: return video.identifier.map(EventValue.text)
        case .contentSrc: return video[.videoURL].map(EventValue.text)
        case .contentLanguage: return video[.videoLanguage].map(EventValue.text)
        case .contentIsLive: return (player.isLive ?? video.isLive).map(EventValue.flag)
        case .contentDuration: return player.durationMilliseconds.flatMap { $0 < 0 ? nil : .int($0) }
        case .contentPlayhead: return player.playheadMilliseconds.map(EventValue.int)
        case .contentManifestBitrate: return bitrate(rendition?.bitrate)
        case .contentNetworkDownloadBitrate: return bitrate(player.throughput)
        case .adTitle: return ad[.adName].map(EventValue.text)
        case .adId: return ad.identifier.map(EventValue.text)
        case .adSrc: return ad[.adURL].map(EventValue.text)
        case .adLanguage: return ad[.adLanguage].map(EventValue.text)
        case .adDuration: return ad.duration.map(EventValue.int)
        case .adPlayhead: return player.adPlayheadMilliseconds.map(EventValue.int)
        case .adCreativeId: return ad[.adCreativeID].map(EventValue.text)
        case .adPartner: return ad[.adPartner].map(EventValue.text)
        case .adBreakId: return identifiers.adBreakID.map(EventValue.text)
        case .adPosition: return ad.position(contentDuration: player.durationMilliseconds).map(EventValue.text)
        case .adQuartile: return adQuartile.map(EventValue.int)
        case .adSkipped: return .flag(isAdSkipped)
        case .contentPlayrate, .adPlayrate: return player.rateMilli.map(EventValue.thousandths)
        case .contentIsMuted, .adIsMuted: return player.isMuted.map(EventValue.flag)
        case .contentRenditionBitrate, .adRenditionBitrate: return bitrate(rendition?.bitrate)
        case .contentBitrate, .adBitrate: return isShown ? bitrate(picture(player).bitrate) : nil
        case .contentRenditionWidth, .adRenditionWidth: return isShown ? width(player).map(EventValue.int) : nil
        case .contentRenditionHeight, .adRenditionHeight: return isShown ? height(player).map(EventValue.int) : nil
        case .contentFps, .adFps:
            guard isShown else { return nil }
            let frames = rendition?.framesPerSecondMilli.map(Int32.init(clamping:))
            return (frames ?? picture(player).framesPerSecondMilli).map(EventValue.thousandths)
        // Whether an ad is live no player says; a custom tracker may know.
        default: return nil
        }
    }

    /// Generation B tells bitrates only of a stream that has started.
    private func bitrate(_ bitrate: Int64?) -> EventValue? {
        generation == .a || state.isStarted ? bitrate.map(EventValue.int) : nil
    }

    /// Width of the picture, px.
    func width(_ player: PlayerState) -> Int64? { rendition?.width ?? picture(player).width }

    /// Height of the picture, px.
    func height(_ player: PlayerState) -> Int64? { rendition?.height ?? picture(player).height }

    /// The picture that the tracker's events are about.
    private func picture(_ player: PlayerState) -> ShownPicture {
        let picture = heldPicture ?? ShownPicture(player)
        return state.isAd ? picture.withoutZeros : picture
    }

    /// The bitrate that counts for the figures: that of the rendition when it is all there is; 0 is none.
    func measuredBitrate(_ player: PlayerState) -> Int64? {
        let known = [picture(player).bitrate, rendition?.bitrate]
        return known.lazy.compactMap { $0 }.first { $0 > 0 }
    }
}

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
        case .decimal(let number): Self.shortest(number)
        case .text(let text): .string(text.string)
        }
    }
}
