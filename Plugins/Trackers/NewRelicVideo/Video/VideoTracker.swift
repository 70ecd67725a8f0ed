internal import PluginKit

/// The vendor's video tracker: a state machine, counters, and how an event is put together.
///
/// Time and the player's state are parameters, and events go to a recorder. The senders are in the other parts.
package final class VideoTracker {
    /// Where playback stands.
    package internal(set) var state: TrackerState
    /// What is known of player and video.
    package let video: MediaInformation
    /// What is known of the ad.
    package let ad: MediaInformation
    /// The content's rendition, nil when none was reported in this session; a tracker of ads has none.
    package var rendition: Rendition?
    /// Whether the stream has started and not ended, so that heartbeats are due.
    package internal(set) var wantsHeartbeat = false
    /// The partner: the ads' tracker of a content's and the other way round; nil without.
    package weak var linked: VideoTracker?
    /// What a custom tracker changes; nil for the tracker itself.
    package weak var customization: (any EventCustomization)?
    /// The attributes that this tracker alone gives its events.
    package let ownAttributes = AttributeStore()

    var playtime = PlaytimeClock()
    var totalAdPlaytime: Int64 = 0
    var numberOfVideos: Int64 = 0
    var numberOfAds: Int64 = 0
    var numberOfErrors: Int64 = 0
    var bufferType: StaticString?
    var adQuartile: Int64?
    var isAdSkipped = false
    /// When the ad started, ms.
    var adStartedAt: Int64?
    /// Played since the heartbeat before, ms.
    var playedSinceHeartbeat: Int64 = 0
    var isPausedForAd = false
    /// What is told of the picture instead of what the player reports; nil for just that.
    var heldPicture: ShownPicture?
    var quality: QualityAggregate
    var timeSince = TimeSinceTable.standard
    /// Who the agent, the tracker and the view are.
    package let identifiers: ViewIdentifiers
    let generation: Generation
    let platform: Platform
    let trackerName: KeptText
    /// Time between two heartbeats, us; nil for none.
    var heartbeatPeriod: Int64?

    private let shared: AttributeStore
    private let recorder: any EventRecorder
    private var rules: EventRules
    private let order: [StandardAttribute]
    private let qualityOrder: [StandardAttribute]
    private let texts = TextPool()
    private let rowTexts = TextPool()
    /// Rows of the time-since table that commands have added.
    private var commandedRows: [TimeSinceSetting] = []

    /// Makes a tracker that has said nothing yet.
    ///
    /// Trackers of one player share what is known of video and ad, and the `shared` attributes; without these, those of
    /// the configuration hold.
    package init(
        _ configuration: TrackerConfiguration,
        identifiers: ViewIdentifiers,
        isAd: Bool = false,
        video: MediaInformation = .ofVideo(),
        ad: MediaInformation = .ofAds(),
        shared: AttributeStore? = nil,
        recorder: any EventRecorder
    ) {
        self.identifiers = identifiers
        self.recorder = recorder
        self.video = video
        self.ad = ad
        self.shared = shared ?? AttributeStore(configuration.attributes)
        state = TrackerState(isAd: isAd)
        trackerName = KeptText(configuration.trackerName)
        generation = configuration.generation
        platform = configuration.platform
        quality = QualityAggregate(configuration.platform)
        heartbeatPeriod = configuration.heartbeatPeriod
        rules = EventRules(configuration.rules, obfuscation: configuration.obfuscation)
        order = StandardAttribute.order(isAd: isAd, configuration.generation)
        qualityOrder = StandardAttribute.order(isAd: isAd, configuration.generation, figures: true)
        configuration.timeSince.forEach(add)
    }

    /// Adds a row to the time-since table.
    package func addTimeSinceEntry(_ trigger: String, attribute: String, filter: ActionFilter) {
        let row = TimeSinceSetting(action: trigger, attribute: attribute, filter: filter)
        commandedRows.append(row)
        add(row)
    }

    private func add(_ row: TimeSinceSetting) {
        timeSince.add(trigger: rowTexts.keep(row.action), attribute: rowTexts.keep(row.attribute), filter: row.filter)
    }

    /// Follows another configuration of the same generation; what commands have set stays.
    func reconfigure(_ configuration: TrackerConfiguration) {
        trackerName.build { $0.append(configuration.trackerName) }
        rules = EventRules(configuration.rules, obfuscation: configuration.obfuscation)
        let before = timeSince
        timeSince = .standard
        configuration.timeSince.forEach(add)
        commandedRows.forEach(add)
        timeSince.copyStamps(of: before)
    }

    /// Puts an event together and records it.
    ///
    /// The order of the steps is part of the data model: what comes later wins.
    func event(_ action: Action, _ detail: EventDetail = .none, at moment: Moment) {
        playtime.read(at: moment.epochMilliseconds, playhead: moment.player.reportedPlayheadMilliseconds)
        if generation == .b { count(moment) }
        var attributes = EventAttributes.lend()
        let customization = customization
        let firstText = texts.count
        for attribute in action.standard == .qualityAggregate ? qualityOrder : order {
            var value = value(of: attribute, action, detail, at: moment)
            if let customization { value = customization.value(of: attribute, standard: value, in: texts) }
            if let value { attributes.append(UTF8Text(attribute.name), value) }
        }
        timeSince.apply(action, at: moment.epochMilliseconds, to: &attributes)
        append(detail, of: action, to: &attributes)
        if let customization {
            append(customization.attributes(of: action), of: action, to: &attributes, replacing: true)
        }
        for attribute in shared.attributes { attribute.apply(to: &attributes, of: action) }
        for attribute in ownAttributes.attributes { attribute.apply(to: &attributes, of: action) }
        if let delivery = preSend(action, &attributes, customization, moment) {
            recorder.record(action, attributes, delivery)
        }
        texts.release(to: firstText)
        attributes.rest()
    }

    /// The last step before an event is sent, which may change it; nil when it is not to be sent.
    private func preSend(
        _ action: Action,
        _ attributes: inout EventAttributes,
        _ customization: (any EventCustomization)?,
        _ moment: Moment
    ) -> DeliveryClass? {
        let isDelivered = rules.isEmpty ? true : rules.apply(action, to: &attributes, in: texts)
        guard let isDelivered else { return nil }
        if let customization, !customization.preSend(action, &attributes, in: texts) { return nil }
        guard isDelivered else { return DeliveryClass.none }
        return moment.player.isLive ?? video.isLive ?? false ? .live : .onDemand
    }

    /// What generation B counts with each event.
    private func count(_ moment: Moment) {
        let played = playtime.sinceLastEvent
        playedSinceHeartbeat += played
        if state.isAd {
            totalAdPlaytime += played
        } else {
            let player = moment.player
            var size: (Int64, Int64)?
            if let width = width(player), let height = height(player) { size = (width, height) }
            let bitrate = state.isStarted ? measuredBitrate(player) : nil
            quality.sample(played: played, bitrate: bitrate, downloadRate: player.throughput, size: size)
        }
    }

    private static let keysOfTheCore: [AttributeKey] = [.customName, .gapSamples, .gapQualitySamples, .gapEvents]

    /// Appends the attributes of an own event, which lose against all others.
    private func append(_ detail: EventDetail, of action: Action, to attributes: inout EventAttributes) {
        switch detail {
        case .custom(let own):
            for attribute in own where !Self.keysOfTheCore.contains(attribute.key) {
                guard let value = EventValue(attribute.value), isFree(attribute.name, on: action) else { continue }
                attributes.append(attribute.name, value)
            }
        case .given(let own): append(own, of: action, to: &attributes, replacing: false)
        default: break
        }
    }

    /// Adds attributes with storage of their own; they replace others or make way for them.
    private func append(
        _ own: [AttributeSetting],
        of action: Action,
        to attributes: inout EventAttributes,
        replacing: Bool
    ) {
        for attribute in own {
            guard let value = EventValue(attribute.value, in: texts) else { continue }
            let name = texts.keep(attribute.name)
            if replacing || isFree(name, on: action) { attributes.set(name, value) }
        }
    }

    /// Whether the tracker itself says nothing under a name on an action.
    private func isFree(_ name: UTF8Text, on action: Action) -> Bool {
        let isStandard = order.contains { !$0.isOfOneAction && name == $0.name }
        return !isStandard && !timeSince.decides(name, on: action)
    }
}

/// What a custom tracker changes of the events that its video tracker makes.
package protocol EventCustomization: AnyObject {
    /// The value of an attribute, instead of the one that the tracker itself has.
    func value(of attribute: StandardAttribute, standard: EventValue?, in texts: TextPool) -> EventValue?

    /// Attributes of its own for an event.
    func attributes(of action: Action) -> [AttributeSetting]

    /// Looks at a finished event, may change it, and says whether it is to be sent.
    func preSend(_ action: Action, _ attributes: inout EventAttributes, in texts: TextPool) -> Bool
}
