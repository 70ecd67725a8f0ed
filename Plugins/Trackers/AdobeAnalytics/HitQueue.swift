internal import AdobeShared
internal import PluginKit

/// Decides when hits go out: by the viewer's decision, and in batches when offline tracking is on.
struct HitQueue {
    /// The viewer's decision, or what the settings say as long as there is none.
    private(set) var privacy: SettingsBlock.Privacy
    private let keepsOffline: Bool
    private let batchLimit: Int
    private var waiting: [Hit] = []
    /// Hits that were dropped since they were too many, so far.
    private(set) var dropped = 0

    /// How many hits wait at most; the oldest is dropped then.
    static let mostWaiting = 1_000

    init(_ settings: SettingsBlock) {
        privacy = settings.privacy
        keepsOffline = settings.keepsOffline
        batchLimit = settings.keepsOffline ? Int(settings.batchLimit) : 0
    }

    /// Takes a hit, and gives those that go out now.
    ///
    /// Before the viewer has decided, hits are held when offline tracking is on, and discarded otherwise.
    mutating func add(_ hit: Hit) -> [Hit] {
        switch privacy {
        case .optedOut: return []
        case .unknown where !keepsOffline: return []
        case .optedIn, .unknown: break
        }
        waiting.append(hit)
        if waiting.count > Self.mostWaiting {
            waiting.removeFirst()
            dropped += 1
        }
        guard privacy == .optedIn, waiting.count >= batchLimit else { return [] }
        return removeAll()
    }

    /// Follows the viewer's decision, and gives the hits that go out now.
    mutating func follow(_ decision: SettingsBlock.Privacy) -> [Hit] {
        privacy = decision
        switch decision {
        case .optedIn: return waiting.count >= max(batchLimit, 1) ? removeAll() : []
        case .optedOut:
            waiting.removeAll()
            return []
        case .unknown: return []
        }
    }

    /// Gives what gathered for a batch, since there is no later; what waits for a decision goes on waiting.
    mutating func finish() -> [Hit] { privacy == .optedIn ? removeAll() : [] }

    private mutating func removeAll() -> [Hit] {
        defer { waiting.removeAll() }
        return waiting
    }
}

/// One call to the Analytics server: variables, and context data under `a.`.
struct Hit {
    /// What it opens.
    enum Kind {
        /// The viewing of a video.
        case videoStart
        /// The viewing of an ad.
        case adStart

        /// The record's kind.
        var name: StaticString { self == .videoStart ? "video_start" : "ad_start" }
        /// The variable `pe`.
        var event: StaticString { self == .videoStart ? "ms_s" : "msa_s" }
        /// The variable `pev3`, which is also `a.contentType`.
        var content: StaticString { self == .videoStart ? "video" : "videoAd" }
    }

    /// A value of the context data.
    enum Value {
        case text(String)
        case number(Int64)
    }

    let kind: Kind
    /// When it happened, s since 1970.
    let epochSeconds: Int64
    /// Who watches, as the application names them.
    let viewer: String
    /// Context data under `a.media.`.
    let media: [(name: String, value: Value)]
    /// Context data under `a.media.ad.`.
    let ad: [(name: String, value: Value)]
}
