internal import PluginKit

// Requests of the player: RequestBandwidthEvents with BandwidthMetricData.
extension PlayerMonitor {
    /// A request was answered.
    func requestCompleted(_ attributes: AttributeList) {
        guard isViewOpen else { return }
        takeRequest(attributes)
        metrics.requests.completed(
            start: fields.int(.requestStart),
            firstByte: fields.int(.requestResponseStart),
            end: now,
            bytes: attributes[.requestBytes]?.int
        )
        emit(.requestcompleted)
        fields.remove(Self.requestFields)
    }

    /// A request failed.
    func requestFailed(_ attributes: AttributeList) {
        guard isViewOpen else { return }
        takeRequest(attributes)
        metrics.requests.requestFailed()
        if !fields.present.contains(.requestError), let status = attributes[.requestStatus]?.int {
            fields.set(.requestError, "HTTP \(status)")
        }
        take(.requestErrorCode, attributes[.requestStatus])
        if !fields.present.contains(.requestErrorText) { take(.requestErrorText, attributes[.errorMessage]) }
        emit(.requestfailed)
        fields.remove(Self.requestFields)
    }

    /// A request was given up.
    func requestCancelled(_ attributes: AttributeList) {
        guard isViewOpen else { return }
        takeRequest(attributes)
        metrics.requests.requestCancelled()
        if !fields.present.contains(.requestCancel) { fields.set(.requestCancel, true) }
        emit(.requestcanceled)
        fields.remove(Self.requestFields)
    }

    private func takeRequest(_ attributes: AttributeList) {
        var type: UTF8Text?
        for attribute in attributes {
            switch attribute.key {
            case .requestURL: take(.requestUrl, attribute)
            case .requestHost: take(.requestHostname, attribute)
            case .requestID: take(.requestId, attribute)
            case .requestType:
                type = attribute.string
                take(.requestType, attribute)
            case .requestBytes: take(.requestBytesLoaded, attribute)
            case .requestBitrateBps: take(.requestLabeledBitrate, attribute)
            case .requestWidth: take(.requestVideoWidth, attribute)
            case .requestHeight: take(.requestVideoHeight, attribute)
            case .requestMediaDurationMs:
                if let number = attribute.int { fields.set(.requestMediaDuration, .seconds(milliseconds: number)) }
            case .requestMediaStartMs:
                if let number = attribute.int { fields.set(.requestMediaStartTime, .seconds(milliseconds: number)) }
            case .requestDurationMs:
                if let passed = Self.time(attribute) { fields.set(.requestStart, now - passed) }
            case .none: takeCustom(attribute, of: .request)
            default: break
            }
        }
        fields.set(.requestResponseEnd, now)
        if let start = fields.int(.requestStart), let waited = attributes[.requestFirstByteMs].flatMap(Self.time) {
            fields.set(.requestResponseStart, min(start + waited, now))
        }
        if let type, type == "manifest", !fields.present.contains(.requestRenditionLists), !knownRenditions.isEmpty {
            fields.set(.requestRenditionLists, .json(renditionList))
        }
    }

    /// The renditions of the stream that the player has told of, as a rendition list.
    private var renditionList: String {
        let buffer = ByteBuffer()
        var writer = JSONWriter(buffer)
        writer.beginArray()
        for rendition in knownRenditions {
            rendition.write(to: &writer)
        }
        writer.endArray()
        return buffer.string
    }

    /// A time that makes sense: not negative and below a day.
    private static func time(_ attribute: AttributeView) -> Int64? {
        guard let time = attribute.int, (0...86_400_000).contains(time) else { return nil }
        return time
    }

    private static let requestFields = FieldSet(groups: [.request])
}
