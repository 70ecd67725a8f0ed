internal import PluginKit
internal import TextEncoding

/// What is told of a request that was answered, or got no answer (CTA-5004-B, event `rr`).
struct RequestReport {
    /// Object types by Tally's words.
    private static let objectTypes = [
        "manifest": "m", "video": "v", "audio": "a", "media": "av", "video_init": "i", "audio_init": "i",
        "subtitle": "c", "encryption": "k",
    ]

    /// When the request began, us since the run's start.
    let time: Int64
    /// The host that was asked.
    let host: String?
    /// Whether what was asked for is a part of the media.
    let isMedia: Bool
    private let kind: String?
    private let url: String
    private let status: Int64?
    private let firstByte: Int64?
    private let lastByte: Int64?
    private let duration: Int64?
    private let bitrate: Int64?

    /// Reads an event; nil for a request of the application's own, and for one without an address.
    init?(_ event: EventView, _ style: RequestAddressStyle) {
        let attributes = event.attributes
        let type = attributes[.requestType]?.string?.string
        guard type != "api", let url = attributes[.requestURL]?.string?.string else { return nil }
        kind = type.flatMap { Self.objectTypes[$0] }
        self.url = style.text(of: url)
        isMedia = ["v", "a", "av"].contains(kind)
        host = attributes[.requestHost]?.string?.string
        // Without an answer it is 0.
        status = attributes[.requestStatus]?.int ?? (event.type == .requestFailed ? 0 : nil)
        firstByte = attributes[.requestFirstByteMs]?.int
        lastByte = attributes[.requestDurationMs]?.int
        duration = attributes[.requestMediaDurationMs]?.int
        bitrate = attributes[.requestBitrateBps]?.int.flatMap(StructuredText.kilobits)
        time = event.time &- min(max(lastByte ?? 0, 0), 86_400_000) * 1000
    }

    /// Adds it to a report.
    func add(to report: inout Report) {
        report.add("url", text: url, longest: .max)
        report.add("rc", number: status)
        report.add("ttfb", number: firstByte)
        report.add("ttlb", number: lastByte)
        report.add("ot", kind)
        if isMedia || kind == "c" { report.add("d", number: duration) }
        report.add("br", list: [bitrate], kind: isMedia ? kind : nil)
    }
}

/// How much of requests' addresses is told.
enum RequestAddressStyle: String, Sendable, CaseIterable {
    /// All of them.
    case full
    /// Without what stands behind a question mark, where tokens are.
    case withoutQuery = "without_query"
    /// The host alone.
    case host

    fileprivate func text(of url: String) -> String {
        switch self {
        case .full: return url
        case .withoutQuery: return String(url.prefix { $0 != "?" && $0 != "#" })
        case .host:
            let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { return url }
            // Who asks may stand in front of the host.
            let host = parts[2].prefix { !"/?#".contains($0) }.split(separator: "@").last ?? ""
            return "\(parts[0])//\(host)/"
        }
    }
}
