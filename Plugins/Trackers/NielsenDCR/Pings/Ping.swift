/// What one ping says, apart from what all pings of an instance share.
struct Ping {
    /// When it is made.
    let moment: PingMoment
    /// The asset that it is about.
    let asset: AssetMeasurement
    /// The content that the asset belongs to; nil when there is none.
    let content: AssetMetadata?
    /// Viewed seconds of ads since the content's last ping; 0 when it is about an ad.
    let adSeconds: Int64
    /// Ads viewed since the content's last ping; 0 when it is about an ad.
    let adCount: Int64
    /// Identifier of the viewing session.
    let viewingSession: String
    /// Whether the stream is live.
    let isLive: Bool
    /// Whether there is no picture.
    let isAudioOnly: Bool
    /// Whether the user is opted out.
    let isOptedOut: Bool
    /// Address of the media, when the metadata does not say it.
    let mediaURL: String
    /// When it is made, s since 1970.
    let created: Int64

    /// The kind of the asset.
    var kind: AssetMetadata.Kind { asset.metadata.kind }

    /// The section of static content; nil in a ping about anything else.
    var section: String? { kind == .staticContent ? asset.metadata["section"] ?? "" : nil }

    /// A key of the content, also in a ping about one of its ads.
    func metadata(_ key: String) -> String? { kind.isAd ? content?[key] : asset.metadata[key] }

    func subbrand(of writer: PingWriter) -> String {
        asset.metadata["subbrand"] ?? content?["subbrand"] ?? writer.configuration.vcid
    }

    /// Client id, sub-brand and the suffix of what is measured.
    ///
    /// Static content has the suffix S and its section, as pings of the vendor's browser SDK show.
    func channel(of writer: PingWriter) -> String {
        "\(writer.configuration.clientID)_\(subbrand(of: writer))_" + (section.map { "\($0)_S" } ?? "P")
    }

    func contentAsset(of writer: PingWriter) -> String {
        guard section == nil else { return "NA" }
        return "\(writer.configuration.clientID)_\(subbrand(of: writer))_\(asset.metadata.assetID)"
    }

    /// `4_00_99_V1_00000`: tag presence, breakout, flag, prefix and number of the ping, segments.
    ///
    /// Static content has the prefix alone, as pings of the vendor's browser SDK show.
    var credit: String {
        section != nil ? "\(moment.prefix)" : "4_00_99_\(moment.prefix)\(asset.intervalNumber)_\(asset.digits)"
    }
}

/// The moments at which a ping of DCR video is made (vendor's published configurations, tags of product 8).
package enum PingMoment: Int64, Sendable {
    /// At the first playhead of an asset, once for each of its streams.
    case view
    /// Each time that as many seconds were viewed as a ping covers.
    case duration
    /// When measurement stops or ends, or the stream does, for what was viewed since the last ping.
    case final

    /// The value of `at`.
    var at: StaticString { self == .view ? "view" : "timer" }

    /// What the segment number of `cr` begins with.
    var prefix: StaticString { self == .view ? "V" : "D" }

    /// The value of `davty`; 2 is inferred.
    var davty: Int64 { rawValue }
}
