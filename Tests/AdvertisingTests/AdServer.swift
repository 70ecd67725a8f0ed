internal import AdDocuments
internal import Advertising
internal import Synchronization
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

    /// What becomes of documents by their names: the first one asked for is `main.xml`; and what was asked for.
    static func resolve(
        _ documents: [String: String],
        maxBitrate: Int64? = nil,
        isSingle: Bool = false,
        followsRedirects: Bool = true,
        moment: AdMoment = AdMoment(.request)
    ) -> (pod: AdPod, asked: [String]) {
        let asked = Mutex<[String]>([])
        let fetch: DocumentFetch = { location throws(FetchFailure) in
            asked.withLock { $0.append(location) }
            let name = location.dropFirst(base.count).prefix { $0 != "?" }
            guard let text = documents[String(name)] ?? AdDocuments.all[String(name)] else {
                throw FetchFailure(status: 404, reason: "the server answered with status 404")
            }
            return Array(text.utf8)
        }
        let resolver = AdResolver(maxBitrate: maxBitrate, moment: { moment }, fetch: fetch)
        let source = AdSource.tag(base + "main.xml")
        let pod = resolver.resolve(source, isSingle: isSingle, followsRedirects: followsRedirects)
        return (pod, asked.withLock { $0 })
    }

    /// What becomes of the ads of one document.
    static func ads(_ content: String, version: String = "4.2") -> AdPod {
        resolve(["main.xml": AdDocuments.vast(content, version: version)]).pod
    }
}
