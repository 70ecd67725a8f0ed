internal import PluginKit

/// The data objects that the configuration and the application decide together with the player, and their events.
struct DataObjects {
    /// Fields that the configuration decides.
    private var configured = FieldSet()
    /// Fields that the application decides.
    private var applied = FieldSet()
    /// Whether the global data was said: it is said once, not for each player.
    private(set) var isGlobalDataSaid: Bool
    /// Fields that data events have: looked at with each event.
    private let toldFields = Self.globalFields.union(Self.dataFields)

    init(isGlobalDataSaid: Bool) { self.isGlobalDataSaid = isGlobalDataSaid }

    // MARK: - Data events

    /// Says what changed since the last data event, and `forced` fields whether they changed or not.
    func sayChanges(_ fields: inout FieldValues, forced: FieldSet, _ records: borrowing RecordWriter) {
        let all = fields.changedForData
        fields.changedForData = []
        guard !all.isDisjoint(with: toldFields) || !forced.isEmpty else { return }
        let global = all.intersection(Self.globalFields)
        if !global.isEmpty { records.writeData("globaldata", global, fields) }
        let changed = all.intersection(Self.dataFields).union(forced.intersection(fields.present))
        if !changed.isEmpty { records.writeData("data", changed, fields) }
    }

    /// Says the global data at a view's begin: all of it once, later what changed.
    mutating func sayGlobalData(_ fields: inout FieldValues, _ records: borrowing RecordWriter) {
        let said = isGlobalDataSaid ? fields.changedForData.intersection(Self.globalFields) : Self.firstGlobalFields
        isGlobalDataSaid = true
        fields.changedForData = []
        let chosen = said.intersection(fields.present)
        if !chosen.isEmpty { records.writeData("globaldata", chosen, fields) }
    }

    /// Says the customer's data of a view that has just begun.
    func sayViewData(_ fields: inout FieldValues, _ records: borrowing RecordWriter, isVideoChange: Bool) {
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

    // MARK: - The configuration

    /// Sets what is configured, in place of what was configured before.
    mutating func configure(_ configuration: MuxConfiguration, _ fields: inout FieldValues) {
        fields.remove(configured)
        configured = []
        for (field, value) in configuration.values {
            configured.insert(field)
            if !applied.contains(field) { Self.set(field, value, &fields) }
        }
    }

    /// Forgets what belongs to the video; what is configured holds for the next one, too.
    mutating func forgetVideo(_ configuration: MuxConfiguration, _ fields: inout FieldValues) {
        fields.remove(Self.videoFields)
        applied = applied.subtracting(Self.videoFields)
        for (field, value) in configuration.values where Self.videoFields.contains(field) {
            Self.set(field, value, &fields)
        }
    }

    private static func set(_ field: Field, _ value: FieldValue, _ fields: inout FieldValues) {
        guard field == .videoSourceUrl, case .text(let url) = value else { return fields.set(field, value) }
        let address = SourceAddress(url)
        fields.set(.videoSourceUrl, address.url)
        fields.set(.videoSourceHostname, address.host.map(FieldValue.text) ?? .absent)
        fields.set(.videoSourceDomain, address.domain.map(FieldValue.text) ?? .absent)
    }

    // MARK: - Attributes of events

    /// Whether the application decides a field.
    func isApplied(_ field: Field) -> Bool { applied.contains(field) }

    /// Reads what an event tells of the video, and what the application adds to it.
    mutating func read(_ attributes: AttributeList, _ fields: inout FieldValues) {
        for attribute in attributes {
            if attribute.key == .none {
                readCustom(attribute, &fields)
            } else if let field = Self.field(for: attribute.key) {
                readPlayers(field, attribute, &fields)
            }
        }
    }

    /// Reads what the application adds to an event of any type, and the edge of a live stream.
    @inline(__always)
    mutating func readCustoms(_ attributes: AttributeList, isLive: Bool, _ fields: inout FieldValues) {
        for attribute in attributes {
            if attribute.key == .none {
                readCustom(attribute, &fields)
            } else if isLive, attribute.key == .liveEdgeWallMs {
                readPlayers(.playerLiveEdgeProgramTime, attribute, &fields)
            }
        }
    }

    /// Reads a value of the player's, unless the configuration or the application decides.
    private func readPlayers(_ field: Field, _ attribute: AttributeView, _ fields: inout FieldValues) {
        guard !configured.contains(field), !applied.contains(field), let value = FieldValue(attribute.value) else {
            return
        }
        if field == .videoStreamType, case .text(let type) = value {
            fields.set(field, type == "vod" ? "on-demand" : "live")
        } else {
            Self.set(field, value, &fields)
        }
    }

    /// Reads a field that the application sets under its own name; `group` has fields that only this event can set.
    mutating func readCustom(_ attribute: AttributeView, of group: FieldGroup? = nil, _ fields: inout FieldValues) {
        guard let field = Field.named(attribute.name), let value = FieldValue(attribute.value) else { return }
        if Self.applicationFields.contains(field) {
            applied.insert(field)
            Self.set(field, value, &fields)
        } else if let group, field.group == group {
            Self.setDetail(field, value, &fields)
        }
    }

    private static func setDetail(_ field: Field, _ value: FieldValue, _ fields: inout FieldValues) {
        guard field == .requestRenditionLists else { return fields.set(field, value) }
        guard case .text(let text) = value, (try? JSONParser().parse(text)) != nil else { return }
        fields.set(field, .json(text))
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
