internal import TextEncoding

/// The letter of Open Analytics' schema, which players' libraries do not keep to.
///
/// An `init` without a session is taken, although the schema wants one: the answer to it gives one.
enum OpenAnalyticsSchema {
    /// What a member of a payload has to be.
    private enum Form {
        case text
        case number
        case boolean
        /// An object without members.
        case nothing

        func fits(_ value: JSONValue) -> Bool {
            switch self {
            case .text: value.string != nil
            case .number: value.double != nil
            case .boolean: value.bool != nil
            case .nothing: value.object?.isEmpty == true
            }
        }

        var words: String {
            switch self {
            case .text: "a string"
            case .number: "a number"
            case .boolean: "true or false"
            case .nothing: "an object without members"
            }
        }
    }

    private static let members: Set<String> = ["event", "sessionId", "timestamp", "playhead", "duration", "payload"]
    /// What libraries send and the schema does not have.
    private static let otherEvents: Set<OpenAnalyticsEvent.Kind> = [.pause, .resume, .report]

    private static let metadata: [String: Form] = [
        "live": .boolean, "contentTitle": .text, "contentId": .text, "contentUrl": .text, "drmType": .text,
        "userId": .text, "deviceId": .text, "deviceModel": .text, "deviceType": .text,
    ]
    private static let bitrate: [String: Form] = [
        "bitrate": .number, "width": .number, "height": .number, "videoBitrate": .number, "audioBitrate": .number,
    ]
    private static let failure: [String: Form] = [
        "code": .text, "category": .text, "message": .text, "data": .nothing,
    ]

    /// What the payload of an event may have, and which of it has to be there.
    private static func payload(of kind: OpenAnalyticsEvent.Kind) -> (members: [String: Form], required: String?) {
        switch kind {
        case .metadata: (metadata, nil)
        case .bitrateChanged: (bitrate, "bitrate")
        case .error, .warning: (failure, "code")
        case .stopped: (["reason": .text], "reason")
        default: ([:], nil)
        }
    }

    /// Refuses what could be read as an event of a kind, and is not as the schema has it.
    static func check(_ event: JSONObject, _ kind: OpenAnalyticsEvent.Kind) throws(OpenAnalyticsEvent.Refusal) {
        guard !otherEvents.contains(kind) else { throw .notInSchema("the event \(kind.rawValue)") }
        let (forms, required) = payload(of: kind)
        for name in event.map(\.key) where !members.contains(name) || (name == "payload" && forms.isEmpty) {
            throw .notInSchema("\(name) of \(kind.rawValue)")
        }
        // That it is an object is known; in its place there may be null.
        if event["payload"] == .null { throw .wrongType("payload", wants: "an object") }
        let payload = event["payload"]?.object ?? JSONObject()
        if let required, payload[required] == nil { throw .missing("payload.\(required)") }
        for member in payload {
            guard let form = forms[member.key] else { throw .notInSchema("payload.\(member.key) of \(kind.rawValue)") }
            guard form.fits(member.value) else { throw .wrongType("payload.\(member.key)", wants: form.words) }
        }
    }
}
