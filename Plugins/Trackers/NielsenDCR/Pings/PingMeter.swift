package import PluginKit

/// Counts what is viewed and makes pings of it.
///
/// - A view ping at the first playhead of each asset, content or ad, and of each further stream of it.
/// - A duration ping whenever as many seconds were viewed as a ping covers.
/// - A final ping at stop, end, another asset, or the end of a stream, when anything was viewed since the last one.
package final class PingMeter {
    /// Whether the content has ended.
    private var isEnded = false
    /// The last position of this viewing session, s.
    private(set) var lastPosition: Int64?
    /// Whether the user is opted out.
    var isOptedOut = false
    /// Address of the media, for what the metadata does not say.
    var mediaURL = ""

    private let configuration: PingConfiguration
    private let host: TrackerHost
    private let writer: PingWriter
    private var contentMeasurement: AssetMeasurement?
    /// The content that ads belong to, also when it has ended.
    private var contentMetadata: AssetMetadata?
    private var adMeasurement: AssetMeasurement?
    private var isInAd = false
    private var hasAsset = false
    private var adSeconds: Int64 = 0
    private var adCount: Int64 = 0
    private var viewingSession = ""
    private var stoppedAt: Int64?

    /// Begins with nothing to measure.
    package init(_ configuration: TrackerConfiguration, host: TrackerHost) {
        self.configuration = configuration.pings
        self.host = host
        writer = PingWriter(configuration, host: host)
    }

    /// What playheads belong to now.
    var asset: AssetMetadata? {
        guard hasAsset else { return nil }
        return isInAd ? adMeasurement?.metadata : contentMeasurement?.metadata
    }

    /// The instance's life begins.
    func begin(at moment: Moment) {
        writer.sessionID = Identifiers.session(epochSeconds: moment.epochSeconds) { host.random() }
    }

    /// Another asset begins; gives the keys that differ although the asset is the same.
    func load(_ metadata: AssetMetadata, at moment: Moment) -> [String] {
        var changes: [String] = []
        if metadata.kind.isAd {
            finish(&adMeasurement, moment)
            adMeasurement = AssetMeasurement(metadata: metadata, configuration: configuration)
        } else if let known = contentMeasurement?.metadata, known.assetID == metadata.assetID, !isEnded {
            finish(&adMeasurement, moment)
            adMeasurement = nil
            changes = metadata.differences(from: known)
        } else {
            finishContent(moment)
            contentMeasurement = AssetMeasurement(metadata: metadata, configuration: configuration)
            contentMetadata = metadata
            isEnded = false
        }
        isInAd = metadata.kind.isAd
        hasAsset = true
        lastPosition = nil
        return changes
    }

    /// What plays now is not measured.
    func leaveAsset() {
        hasAsset = false
        lastPosition = nil
    }

    /// Everything that is not sent is dropped.
    func drop() {
        contentMeasurement = nil
        contentMetadata = nil
        adMeasurement = nil
        adSeconds = 0
        adCount = 0
        isEnded = false
        stoppedAt = nil
        viewingSession = ""
        leaveAsset()
    }

    /// A playhead of the asset.
    func playhead(_ position: Int64, isCredited: Bool, at moment: Moment) {
        lastPosition = position
        resumeViewing(at: moment)
        if isInAd {
            guard var ad = adMeasurement else { return }
            if !ad.isBegun { adCount += 1 }
            count(&ad, isCredited, moment)
            if isCredited { adSeconds += 1 }
            adMeasurement = ad
        } else {
            guard var content = contentMeasurement else { return }
            count(&content, isCredited, moment)
            contentMeasurement = content
        }
    }

    /// Measurement pauses.
    func stop(at moment: Moment) {
        if isInAd { finish(&adMeasurement, moment) } else { finish(&contentMeasurement, moment) }
        lastPosition = nil
        stoppedAt = moment.time
    }

    /// The content is over.
    func end(at moment: Moment) {
        finishContent(moment)
        isEnded = true
        leaveAsset()
        stoppedAt = nil
        viewingSession = ""
    }

    /// Static content was shown: one view ping (inferred, as the guide names no ping of it).
    func viewStatic(_ metadata: AssetMetadata, at moment: Moment) {
        var asset = AssetMeasurement(metadata: metadata, configuration: configuration)
        asset.streamStart = moment.epochSeconds
        asset.playerID = Identifiers.playerLoad(epochSeconds: moment.epochSeconds) { host.random() }
        write(.view, asset, moment)
    }

    // MARK: - Steps

    /// A playhead after a stop begins a new viewing session; after a long one, a new stream.
    private func resumeViewing(at moment: Moment) {
        if let stoppedAt, moment.time - stoppedAt > configuration.pauseTimeoutSeconds * 1_000_000 {
            // A suspension in an ad finds seconds of the content that no ping has told yet: they are the old stream's.
            finish(&contentMeasurement, moment)
            contentMeasurement?.endStream()
            adMeasurement?.endStream()
        }
        if stoppedAt != nil || viewingSession.isEmpty {
            viewingSession = Identifiers.session(epochSeconds: moment.epochSeconds) { host.random() }
        }
        stoppedAt = nil
    }

    private func count(_ asset: inout AssetMeasurement, _ isCredited: Bool, _ moment: Moment) {
        asset.isBegun = true
        if isCredited { asset.seconds += 1 }
        if asset.isStreamOver(at: moment.epochSeconds) {
            // The second that led here was played in the old stream, as all that no ping has told yet.
            if asset.seconds > 0 { send(asset.isFull ? .duration : .final, &asset, moment) }
            asset.endStream()
        }
        if asset.streamStart == nil {
            asset.streamStart = moment.epochSeconds
            asset.playerID = Identifiers.playerLoad(epochSeconds: moment.epochSeconds) { host.random() }
        }
        if !asset.isAnnounced {
            asset.isAnnounced = true
            write(.view, asset, moment)
        }
        if asset.isFull { send(.duration, &asset, moment) }
    }

    private func finishContent(_ moment: Moment) {
        finish(&adMeasurement, moment)
        adMeasurement = nil
        finish(&contentMeasurement, moment)
        contentMeasurement = nil
        adSeconds = 0
        adCount = 0
    }

    private func finish(_ asset: inout AssetMeasurement?, _ moment: Moment) {
        guard var measured = asset, measured.seconds > 0 else { return }
        send(.final, &measured, moment)
        asset = measured
    }

    /// Sends what was viewed and begins the next interval.
    private func send(_ pingMoment: PingMoment, _ asset: inout AssetMeasurement, _ moment: Moment) {
        write(pingMoment, asset, moment)
        asset.seconds = 0
        asset.intervalNumber += 1
    }

    private func write(_ pingMoment: PingMoment, _ asset: AssetMeasurement, _ moment: Moment) {
        let isContent = asset.metadata.kind == .content
        writer.write(
            Ping(
                moment: pingMoment,
                asset: asset,
                content: contentMetadata,
                adSeconds: isContent ? adSeconds : 0,
                adCount: isContent ? adCount : 0,
                viewingSession: viewingSession,
                isLive: moment.player.isLive ?? false,
                isAudioOnly: moment.player.isAudioOnly,
                isOptedOut: isOptedOut,
                mediaURL: mediaURL,
                created: moment.epochSeconds
            )
        )
        if isContent {
            adSeconds = 0
            adCount = 0
        }
    }
}

/// Identifiers in the forms of the guide's sample, made of the host's random numbers: a replay gives the same ones.
enum Identifiers {
    private static let characters = 29

    /// 29 letters and digits, then the time, as `sessionId` and `sesid` have it.
    static func session(epochSeconds: Int64, random: () -> UInt64) -> String {
        let buffer = ByteBuffer(capacity: 48)
        var rest: UInt64 = 0
        for index in 0..<characters {
            // 12 digits of base 36 fit into 64 bits.
            if index % 12 == 0 { rest = random() }
            let digit = UInt8(rest % 36)
            rest /= 36
            buffer.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
        buffer.append(decimal: epochSeconds)
        return buffer.string
    }

    /// The time and seven digits, as `plid` has it.
    static func playerLoad(epochSeconds: Int64, random: () -> UInt64) -> String {
        let buffer = ByteBuffer(capacity: 24)
        buffer.append(decimal: epochSeconds)
        buffer.append(paddedDecimal: Int64(random() % 10_000_000), width: 7)
        return buffer.string
    }
}
