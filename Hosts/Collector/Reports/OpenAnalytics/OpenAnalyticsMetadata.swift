internal import EventModel
internal import TextEncoding

/// What a player said of what it plays.
struct OpenAnalyticsMetadata {
    private(set) var isLive: Bool?
    /// Whether the device is one with Android, as far as it says so.
    private(set) var isAndroid = false
    private var texts: [String: String] = [:]

    /// The members that become attributes, in their order.
    ///
    /// The device's id is not kept: it is personal, and an attribute of a player's own cannot be marked so.
    private static let attributes = [
        (member: "contentId", name: "video_id"), ("contentTitle", "video_name"), ("contentUrl", "video_url"),
        ("userId", "user_id"), ("drmType", "epas_drm_type"), ("deviceModel", "epas_device_model"),
        ("deviceType", "epas_device_type"),
    ]

    /// Adds what an event says; what was said before stays.
    mutating func merge(_ event: OpenAnalyticsEvent) {
        isLive = event.payload["live"]?.bool ?? isLive
        for (member, _) in Self.attributes {
            guard let text = event.text(member) else { continue }
            texts[member] = member == "contentUrl" ? RequestedAddress(text).text : text
        }
        isAndroid = ["deviceModel", "deviceType"].contains { texts[$0]?.lowercased().contains("android") == true }
    }

    /// What is known, as attributes.
    var attributes: [TrackedCall.Attribute] {
        var attributes = Self.attributes.compactMap { member, name in
            texts[member].map { TrackedCall.Attribute(name, .string($0)) }
        }
        if let isLive { attributes.append(TrackedCall.Attribute("stream_type", .string(isLive ? "live" : "vod"))) }
        return attributes
    }
}

extension OpenAnalyticsEvent {
    /// More than this is bit/s already, which one library sends: no stream has 200 Mbit/s.
    private static let mostKilobits = 200_000.0

    /// A bitrate of the payload in bit/s; nil when it is 0, which says that it is not known.
    func bitrate(_ name: String) -> Int64? {
        amount(name).map { Int64(($0 > Self.mostKilobits ? $0 : $0 * 1000).rounded()) }
    }

    /// An error or a warning, as attributes.
    func errorAttributes(isFatal: Bool) -> [TrackedCall.Attribute] {
        var attributes: [TrackedCall.Attribute] = []
        func add(_ name: String, _ value: PlainValue?) {
            if let value { attributes.append(TrackedCall.Attribute(name, value)) }
        }
        let code = text("code")
        if let code, code.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int64(code) {
            add("error_code", .int(number))
        } else {
            add("error_id", code.map { .string($0) })
        }
        add("error_message", text("message").map { .string($0) })
        add("error_domain", text("category").map { .string($0) })
        add("error_fatal", .bool(isFatal))
        if let data = payload["data"], !data.isNull, data != .object(JSONObject()) {
            add("error_context", .string(data.string ?? data.canonicalText))
        }
        return attributes
    }
}
