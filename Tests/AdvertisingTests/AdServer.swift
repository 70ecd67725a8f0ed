internal import AdDocuments
internal import Advertising
internal import XML

/// Answers with the documents that the tests have, and counts who asked.
enum AdServer {
    static let base = "http://ads.example/"

    static func resolver(maxBitrate: Int64? = nil) -> AdResolver {
        AdResolver(maxBitrate: maxBitrate) { location throws(FetchFailure) in
            guard let text = AdDocuments.all[String(location.dropFirst(base.count))] else {
                throw FetchFailure(status: 404, reason: "the server answered with status 404")
            }
            return Array(text.utf8)
        }
    }

    static func resolve(_ name: String, maxBitrate: Int64? = nil, isSingle: Bool = false) -> AdPod {
        resolver(maxBitrate: maxBitrate).resolve(.tag(base + name), isSingle: isSingle)
    }

    static func schedule(_ name: String) throws(AdFailure) -> AdSchedule {
        try AdSchedule(Array((AdDocuments.all[name] ?? "").utf8), from: base + name)
    }
}
