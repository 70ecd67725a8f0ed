internal import PluginKit

/// Reads requests of the player: RequestBandwidthEvents with BandwidthMetricData.
enum RequestReading {
    static let fields = FieldSet(groups: [.request])

    /// Sets the fields to those of a request that ends now.
    static func read(
        _ attributes: AttributeList,
        at now: Int64,
        _ fields: inout FieldValues,
        _ data: inout DataObjects,
        _ player: PlayerData
    ) {
        var isManifest = false
        for attribute in attributes {
            switch attribute.key {
            case .requestURL: fields.set(.requestUrl, attribute)
            case .requestHost: fields.set(.requestHostname, attribute)
            case .requestID: fields.set(.requestId, attribute)
            case .requestType:
                isManifest = attribute.string.map { $0 == "manifest" } ?? false
                fields.set(.requestType, attribute)
            case .requestBytes: fields.set(.requestBytesLoaded, attribute)
            case .requestBitrateBps: fields.set(.requestLabeledBitrate, attribute)
            case .requestWidth: fields.set(.requestVideoWidth, attribute)
            case .requestHeight: fields.set(.requestVideoHeight, attribute)
            case .requestMediaDurationMs:
                if let number = attribute.int { fields.set(.requestMediaDuration, .seconds(milliseconds: number)) }
            case .requestMediaStartMs:
                if let number = attribute.int { fields.set(.requestMediaStartTime, .seconds(milliseconds: number)) }
            case .requestDurationMs:
                if let passed = time(attribute) { fields.set(.requestStart, now - passed) }
            case .none: data.readCustom(attribute, of: .request, &fields)
            default: break
            }
        }
        if !fields.present.contains(.requestHostname), let url = fields.text(.requestUrl) {
            fields.set(.requestHostname, SourceAddress.host(in: url).map(FieldValue.text) ?? .absent)
        }
        fields.set(.requestResponseEnd, now)
        if let start = fields.int(.requestStart), let waited = attributes[.requestFirstByteMs].flatMap(time) {
            fields.set(.requestResponseStart, min(start + waited, now))
        }
        if isManifest, !fields.present.contains(.requestRenditionLists), let list = player.renditionList {
            fields.set(.requestRenditionLists, .json(list))
        }
    }

    /// Sets why a request failed, unless the application has said it.
    static func readFailure(_ attributes: AttributeList, _ fields: inout FieldValues) {
        if !fields.present.contains(.requestError), let status = attributes[.requestStatus]?.int {
            fields.set(.requestError, "HTTP \(status)")
        }
        fields.set(.requestErrorCode, attributes[.requestStatus])
        if !fields.present.contains(.requestErrorText) { fields.set(.requestErrorText, attributes[.errorMessage]) }
    }

    /// A time that makes sense: not negative and below a day.
    private static func time(_ attribute: AttributeView) -> Int64? {
        guard let time = attribute.int, (0...86_400_000).contains(time) else { return nil }
        return time
    }
}
