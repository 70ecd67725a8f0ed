internal import PluginKit

// The data objects and their events.
extension PlayerMonitor {
    // MARK: - Data events

    /// Says what changed since the last data event, and `forced` fields whether they changed or not.
    func sayChangedData(forced: FieldSet = []) {
        let all = fields.changedForData
        fields.changedForData = []
        guard isViewOpen else { return }
        let global = all.intersection(Self.globalFields)
        if !global.isEmpty { records.writeData("globaldata", global, fields) }
        let changed = all.intersection(Self.dataFields).union(forced.intersection(fields.present))
        if !changed.isEmpty { records.writeData("data", changed, fields) }
    }

    /// Says the global data: all of it once, later what changed.
    func sayGlobalData() {
        let fields = self.fields
        let said = isGlobalDataSaid ? fields.changedForData.intersection(Self.globalFields) : Self.firstGlobalFields
        isGlobalDataSaid = true
        let chosen = said.intersection(fields.present)
        if !chosen.isEmpty { records.writeData("globaldata", chosen, fields) }
    }

    /// Says the customer's data of a view that has just begun.
    func sayViewData(isVideoChange: Bool) {
        let decided = configured.union(applied).intersection([.videoSourceUrl])
        let customer = fields.present.intersection(Self.customerFields.union(decided))
        let changed = fields.changedForData.intersection(Self.dataFields)
        fields.changedForData = []
        records.writeData("data", customer.union(changed), fields, isVideoChange: isVideoChange)
    }

    /// What the guide has in customer data; the environment key is a part of it.
    private static let customerFields =
        FieldSet(groups: [.customerPlayer, .customerVideo, .customerView, .custom]).union([.envKey])
    private static let dataFields = customerFields.union(FieldSet(groups: [.videoSource]))
    private static let videoFields = FieldSet(groups: [.videoSource, .customerVideo, .customerView])
    private static let globalFields = FieldSet(groups: [.viewer]).union([.muxViewerId])
    private static let firstGlobalFields = FieldSet(groups: [.viewer, .environment]).subtracting([.envKey])

    // MARK: - What is known from the start

    /// Sets what the tracker itself knows of environment and player, and what is configured.
    func setPlayerData(initialisedAt initTime: Int64) {
        fields.set(.envKey, configuration.environmentKey)
        fields.set(.beaconDomain, configuration.beaconDomain ?? CollectorAddress.standardDomain)
        fields.set(.muxApiVersion, "2.1")
        fields.set(.muxEmbed, "tally")
        fields.set(.muxEmbedVersion, MuxDataTracker.version)
        fields.set(.playerInstanceId, IdentifierText.make(host.random(), at: now))
        fields.set(.playerMuxPluginName, "tally")
        fields.set(.playerMuxPluginVersion, MuxDataTracker.version)
        fields.set(.playerInitTime, initTime)
        let viewer = configuration.viewerID ?? session.viewerID ?? IdentifierText.make(host.random(), at: now)
        session.identify(viewer, host: host)
        fields.set(.muxViewerId, viewer)
        apply(configuration.values)
    }

    /// Takes over another configuration: what is configured no more is gone.
    func reconfigure(_ configuration: MuxConfiguration) {
        self.configuration = configuration
        fields.remove(configured)
        configured = []
        if let viewer = configuration.viewerID {
            session.identify(viewer, host: host)
            fields.set(.muxViewerId, viewer)
        }
        apply(configuration.values)
        sayChangedData()
    }

    private func apply(_ values: [(field: Field, value: FieldValue)]) {
        for (field, value) in values {
            configured.insert(field)
            if !applied.contains(field) { set(field, value) }
        }
    }

    /// Forgets what belongs to the video; what is configured holds for the next one, too.
    func forgetVideo() {
        let ofVideo = Self.videoFields
        fields.remove(ofVideo)
        applied = applied.subtracting(ofVideo)
        rendition = nil
        knownRenditions = []
        isLive = nil
        for (field, value) in configuration.values where ofVideo.contains(field) {
            set(field, value)
        }
    }

    private func set(_ field: Field, _ value: FieldValue) {
        guard field == .videoSourceUrl, case .text(let url) = value else { return fields.set(field, value) }
        let address = SourceAddress(url)
        fields.set(.videoSourceUrl, address.url)
        fields.set(.videoSourceHostname, address.host.map(FieldValue.text) ?? .absent)
        fields.set(.videoSourceDomain, address.domain.map(FieldValue.text) ?? .absent)
    }

    // MARK: - Attributes of events

    /// Takes what an event tells of the video, and what the application adds to it.
    func take(_ attributes: AttributeList) {
        for attribute in attributes {
            if attribute.key == .none {
                takeCustom(attribute)
            } else if let field = Self.field(for: attribute.key) {
                takePlayers(field, attribute)
            }
        }
    }

    /// Takes what the application adds to an event of any type, and the edge of a live stream.
    @inline(__always)
    func takeCustoms(_ attributes: AttributeList) {
        for attribute in attributes {
            if attribute.key == .none {
                takeCustom(attribute)
            } else if attribute.key == .liveEdgeWallMs, isLive == true {
                takePlayers(.playerLiveEdgeProgramTime, attribute)
            }
        }
    }

    /// Takes a value of the player's, unless the configuration or the application decides.
    private func takePlayers(_ field: Field, _ attribute: AttributeView) {
        guard !configured.contains(field), !applied.contains(field), let value = FieldValue(attribute.value) else {
            return
        }
        if field == .videoStreamType, case .text(let type) = value {
            fields.set(field, type == "vod" ? "on-demand" : "live")
        } else {
            set(field, value)
        }
    }

    /// Takes a field that the application sets under its own name.
    func takeCustom(_ attribute: AttributeView, of group: FieldGroup? = nil) {
        guard let field = FieldDefinition.field(named: attribute.name),
            let value = FieldValue(attribute.value)
        else { return }
        if Self.applicationFields.contains(field) {
            applied.insert(field)
            set(field, value)
        } else if let group, FieldDefinition.all[Int(field.rawValue)].group == group {
            setDetail(field, value)
        }
    }

    private func setDetail(_ field: Field, _ value: FieldValue) {
        guard field == .requestRenditionLists else { return fields.set(field, value) }
        guard case .text(let text) = value, (try? JSONParser().parse(text)) != nil else { return }
        fields.set(field, .json(text))
    }

    /// Sets a field to an attribute's value, if it has one.
    func take(_ field: Field, _ attribute: AttributeView?) {
        guard let attribute, let value = FieldValue(attribute.value) else { return }
        fields.set(field, value)
    }

    private static func field(for key: AttributeKey) -> Field? {
        switch key {
        case .videoID: .videoId
        case .videoName: .videoTitle
        case .videoURL: .videoSourceUrl
        case .playerName: .playerSoftwareName
        case .playerVersion: .playerSoftwareVersion
        case .streamType: .videoStreamType
        case .videoLanguage: .videoLanguageCode
        case .videoMimeType: .videoSourceMimeType
        case .videoCodec: .videoCodec
        case .audioCodec: .videoAudioCodec
        case .videoCDN: .videoCdn
        case .autoplay: .playerAutoplayOn
        case .liveEdgeWallMs: .playerLiveEdgeProgramTime
        case .applicationName: .viewerApplicationName
        case .applicationVersion: .viewerApplicationVersion
        case .userID: .viewerUserId
        case .playerLanguage: .playerLanguageCode
        default: nil
        }
    }

    /// The fields that an application may set.
    private static let applicationFields =
        FieldSet(groups: [.viewer, .customerPlayer, .customerVideo, .customerView, .custom])
        .union([.videoSourceUrl, .playerRemotePlayed, .playerLiveEdgeProgramTime, .playerPlaybackMode])
}
