package import PluginKit

/// The vendor's video tracker: a state machine, counters, and how an event is put together.
///
/// Time and the player's state are parameters, and events go to a recorder. The senders are in the other part.
package final class VideoTracker {
    /// Where playback stands.
    package internal(set) var state: TrackerState
    /// What is known of player and video.
    package let video = VideoInformation()
    /// The rendition on screen, nil when none was reported in this session.
    package var rendition: Rendition?
    /// Whether the stream has started and not ended, so that heartbeats are due.
    package internal(set) var wantsHeartbeat = false

    var playtime = PlaytimeClock()
    var totalAdPlaytime: Int64 = 0
    var numberOfVideos: Int64 = 0
    var numberOfAds: Int64 = 0
    var numberOfErrors: Int64 = 0
    var bufferType: BufferType?
    let identifiers: ViewIdentifiers

    private let trackerName: KeptText
    private let configured: [ConfiguredAttribute]
    private let recorder: any EventRecorder
    private var timeSince = TimeSinceTable.standard
    private var attributes = EventAttributes()

    /// Makes a tracker that has said nothing yet.
    package init(
        _ configuration: TrackerConfiguration,
        identifiers: ViewIdentifiers,
        isAd: Bool = false,
        recorder: any EventRecorder
    ) {
        self.identifiers = identifiers
        self.recorder = recorder
        state = TrackerState(isAd: isAd)
        trackerName = KeptText(configuration.trackerName)
        configured = configuration.attributes.compactMap { ConfiguredAttribute($0.name, $0.value) }
    }

    /// Adds a row to the time-since table; the texts outlive the tracker.
    package func addTimeSince(_ trigger: UTF8Text, attribute: UTF8Text, filter: ActionFilter) {
        timeSince.add(trigger: trigger, attribute: attribute, filter: filter)
    }

    /// Puts an event together and records it.
    ///
    /// The order of the steps is part of the data model: what comes later wins.
    func event(_ action: Action, _ detail: EventDetail = .none, at moment: Moment) {
        playtime.read(at: moment.epochMilliseconds)
        // Taken out of the object while it is filled: changing a property costs a check of exclusive access each time.
        var attributes = EventAttributes.none
        swap(&attributes, &self.attributes)
        attributes.removeAll()
        for attribute in StandardAttribute.order {
            if let value = value(of: attribute, action, detail, at: moment) {
                attributes.append(UTF8Text(attribute.name), value)
            }
        }
        timeSince.apply(action, at: moment.epochMilliseconds, to: &attributes)
        if case .custom(let own) = detail {
            append(own, of: action, to: &attributes)
        }
        for attribute in configured {
            attribute.apply(to: &attributes)
        }
        recorder.record(action, attributes)
        swap(&attributes, &self.attributes)
    }

    /// Appends the application's own attributes, which lose against all others.
    private func append(_ own: AttributeList, of action: Action, to attributes: inout EventAttributes) {
        for attribute in own where !Self.isOfTheCore(attribute.key) {
            guard let value = EventValue(attribute.value) else { continue }
            let name = attribute.name
            let isStandard = StandardAttribute.order.contains { !$0.isOfOneAction && name == $0.name }
            if !isStandard, !timeSince.decides(name, on: action) {
                attributes.append(name, value)
            }
        }
    }

    private static func isOfTheCore(_ key: AttributeKey) -> Bool {
        switch key {
        case .customName, .gapSamples, .gapQualitySamples, .gapEvents: true
        default: false
        }
    }

    /// The value of an attribute, nil when it is absent.
    private func value(
        of attribute: StandardAttribute,
        _ action: Action,
        _ detail: EventDetail,
        at moment: Moment
    ) -> EventValue? {
        switch attribute {
        case .eventType: .text(UTF8Text("MobileVideo"))
        case .actionName: .text(action.name)
        case .timestamp: .int(moment.epochMilliseconds)
        case .trackerName: trackerName.text.map(EventValue.text)
        case .trackerVersion, .coreVersion: .text(UTF8Text(NewRelicVideoTracker.version))
        case .playerName: video.playerName.map(EventValue.text)
        case .playerVersion: video.playerVersion.map(EventValue.text)
        case .agentSession: identifiers.agentSession.map(EventValue.text)
        case .viewSession: identifiers.viewSession.map(EventValue.text)
        case .viewId: identifiers.viewID.map(EventValue.text)
        case .isAd: .flag(state.isAd)
        case .numberOfVideos: .int(numberOfVideos)
        case .numberOfAds: .int(numberOfAds)
        case .numberOfErrors: .int(numberOfErrors)
        case .playtimeSinceLastEvent: .int(playtime.sinceLastEvent)
        case .totalPlaytime: .int(playtime.total)
        case .totalAdPlaytime: action.standard == .contentStart ? .int(totalAdPlaytime) : nil
        case .bufferType, .shift, .errorMessage, .errorDomain, .errorCode: detail.value(of: attribute)
        default: state.isAd ? nil : contentValue(of: attribute, moment.player)
        }
    }

    /// The value of an attribute of the content, nil when the player has not told it.
    private func contentValue(of attribute: StandardAttribute, _ player: PlayerState) -> EventValue? {
        switch attribute {
        case .contentTitle: video.title.map(EventValue.text)
        case .contentId: video.identifier.map(EventValue.text)
        case .contentSrc: video.source.map(EventValue.text)
        case .contentLanguage: video.language.map(EventValue.text)
        case .contentIsLive: (player.isLive ?? video.isLive).map(EventValue.flag)
        case .contentDuration: player.durationMilliseconds.flatMap { $0 < 0 ? nil : .int($0) }
        case .contentPlayhead: player.playheadMilliseconds.map(EventValue.int)
        case .contentPlayrate: player.rateMilli.map(EventValue.thousandths)
        case .contentIsMuted: player.isMuted.map(EventValue.flag)
        case .contentBitrate: player.bitrate.map(EventValue.int)
        case .contentRenditionBitrate: rendition?.bitrate.map(EventValue.int)
        case .contentRenditionWidth: (rendition?.width ?? player.width.map(Int64.init)).map(EventValue.int)
        case .contentRenditionHeight: (rendition?.height ?? player.height.map(Int64.init)).map(EventValue.int)
        case .contentFps:
            (rendition?.framesPerSecondMilli.map(Int32.init(clamping:)) ?? player.framesPerSecondMilli)
                .map(EventValue.thousandths)
        default: nil
        }
    }
}
