internal import PluginKit

/// What was viewed of one asset, and what pings said of it already.
struct AssetMeasurement: Sendable {
    /// The asset.
    let metadata: AssetMetadata
    /// Whether the view ping was made.
    var isViewed = false
    /// Viewed since the last ping.
    var segments: ViewedSegments
    /// Number of the next duration ping, from 1.
    var intervalNumber: Int64 = 1
    /// When its stream began, s since 1970; nil before its first playhead.
    var streamStart: Int64?
    /// Identifier of that stream's player load.
    var playerID = ""

    /// Begins with nothing viewed.
    init(_ metadata: AssetMetadata, _ configuration: PingConfiguration) {
        self.metadata = metadata
        segments = ViewedSegments(configuration)
    }
}

/// Viewed seconds of the segments that one ping covers.
///
/// What the digits of `cr` mean is inferred: one digit a segment, 1 when enough of it was viewed. In the guide's
/// sample, where nothing was viewed yet, all are 0.
struct ViewedSegments: Equatable, Sendable {
    /// Viewed seconds in all.
    var seconds: Int64 = 0
    private let segmentSeconds: Int64
    private let count: Int64
    private let creditSeconds: Int64

    /// Nothing was viewed yet.
    init(_ configuration: PingConfiguration) {
        segmentSeconds = configuration.segmentSeconds
        count = configuration.segmentsPerPing
        creditSeconds = configuration.creditSeconds
    }

    /// Whether as much was viewed as a ping covers.
    var isFull: Bool { seconds >= segmentSeconds * count }

    /// One digit a segment.
    var digits: String {
        (0..<count).map { segment in
            let viewed = min(max(seconds - segment * segmentSeconds, 0), segmentSeconds)
            return viewed >= min(creditSeconds, segmentSeconds) ? "1" : "0"
        }.joined()
    }
}
