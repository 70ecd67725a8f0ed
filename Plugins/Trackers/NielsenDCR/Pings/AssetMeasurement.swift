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
