internal import PluginKit

/// What was viewed of one asset, and what pings said of it already.
struct AssetMeasurement: Sendable {
    /// The asset.
    let metadata: AssetMetadata
    let configuration: PingConfiguration
    /// Whether a playhead has come.
    var isBegun = false
    /// Whether a view ping has announced its stream.
    var isAnnounced = false
    /// Viewed since the last ping, s.
    var seconds: Int64 = 0
    /// Number of the stream's next duration ping, from 1.
    var intervalNumber: Int64 = 1
    /// When its stream began, s since 1970; nil before its first playhead.
    var streamStart: Int64?
    /// Identifier of that stream's player load.
    var playerID = ""

    private static let dayInSeconds: Int64 = 86_400

    /// Whether its stream has lasted for a day, after which another one begins.
    func isStreamOver(at epochSeconds: Int64) -> Bool {
        guard let streamStart else { return false }
        return epochSeconds - streamStart >= Self.dayInSeconds
    }

    /// The stream is over: the next playhead begins another one, whose pings are numbered anew.
    mutating func endStream() {
        streamStart = nil
        isAnnounced = false
        intervalNumber = 1
    }

    /// Whether as much was viewed as a ping covers.
    var isFull: Bool { seconds >= configuration.segmentSeconds * configuration.segmentsPerPing }

    /// One digit a segment: what the digits of `cr` mean is inferred, 1 when enough of it was viewed.
    ///
    /// In the guide's sample, where nothing was viewed yet, all are 0.
    var digits: String {
        let length = configuration.segmentSeconds
        return (0..<configuration.segmentsPerPing).map { segment in
            let viewed = min(max(seconds - segment * length, 0), length)
            return viewed >= min(configuration.creditSeconds, length) ? "1" : "0"
        }.joined()
    }
}
