package import PluginKit

/// Writes GN pings: a record with the decoded parameters, and the beacon that carries it.
package final class PingWriter {
    private let host: TrackerHost
    private let configuration: PingConfiguration
    private let application: ApplicationInformation?
    private let isForKids: Bool
    private let record = RecordBuilder()
    private let beacon = BeaconBuilder()
    private let value = ByteBuffer(capacity: 256)
    /// Identifier of the instance's life.
    var sessionID = ""

    /// The beacons' key for order and back-off.
    package static let destination = "nielsen.gn"
    /// The path of all pings.
    package static let path = "/cgi-bin/gn"

    /// Writes through a host.
    package init(_ configuration: TrackerConfiguration, host: TrackerHost) {
        self.host = host
        self.configuration = configuration.pings
        application = configuration.application
        isForKids = configuration.isForKids
    }

    /// Writes one ping.
    func write(_ ping: Ping) {
        record.begin("ping")
        record.set("url", configuration.origin + Self.path)
        beacon.begin(destination: Self.destination, method: "GET")
        beacon.url.append(configuration.origin)
        beacon.url.append(Self.path)
        var separator = UInt8(ascii: "?")
        for parameter in PingParameter.order {
            beacon.url.append(separator)
            separator = UInt8(ascii: "&")
            beacon.url.append(parameter.key)
            beacon.url.append(UInt8(ascii: "="))
            value.removeAll()
            value.append(parameter.label)
            append(parameter.source, of: ping)
            unsafe value.withBytes { bytes in
                unsafe PercentEncoding.append(bytes, to: beacon.url)
                unsafe record.set(UTF8Text(parameter.key), Self.text(bytes))
            }
            if case .sendTime = parameter.source {
                beacon.appendPatch(.sendEpochSeconds, to: .url)
            }
        }
        beacon.carry(host.emit(record))
        host.emit(beacon)
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> UTF8Text {
        guard let start = bytes.baseAddress else { return UTF8Text("") }
        return unsafe UTF8Text(start: start.assumingMemoryBound(to: UInt8.self), count: bytes.count)
    }

    // MARK: - Values

    private func append(_ source: PingSource, of ping: Ping) {
        switch source {
        case .empty, .sendTime: break
        case .constant(let text): value.append(text)
        case .clientID: value.append(configuration.clientID)
        case .sessionID: value.append(sessionID)
        case .appID: value.append(application?.appID ?? "")
        case .appName: value.append(application?.name ?? "")
        case .appVersion: value.append(application?.version ?? "")
        case .version: value.append(NielsenDCRTracker.version)
        case .nuid:
            if !ping.isOptedOut, !isForKids { value.append(configuration.nuid) }
        case .optOut:
            if ping.isOptedOut { value.append("true") }
        case .random: value.append(decimal: Int64(host.random() % 1_000_000))
        case .channel, .assetGroup, .contentAsset, .subbrand, .content, .contentOr, .mediaURL:
            appendContent(source, of: ping)
        default: appendMeasured(source, of: ping)
        }
    }

    /// What the metadata says; keys of the content alone are blank in a ping about static content.
    private func appendContent(_ source: PingSource, of ping: Ping) {
        let isStatic = ping.asset.metadata.kind == .staticContent
        switch source {
        case .subbrand: value.append(subbrand(ping))
        case .assetGroup: value.append(isStatic ? section(ping) : Self.assetGroup)
        case .channel:
            // Static content has the suffix S and its section, as pings of the vendor's browser SDK show.
            value.append("\(configuration.clientID)_\(subbrand(ping))_" + (isStatic ? "\(section(ping))_S" : "P"))
        case .contentAsset:
            value.append(isStatic ? "NA" : "\(configuration.clientID)_\(subbrand(ping))_\(ping.asset.metadata.assetID)")
        case .content(let key): value.append(key == "title" && isStatic ? "" : metadata(key, ping) ?? "")
        case .contentOr(let key, let fallback):
            if let text = metadata(key, ping) { value.append(text) } else { value.append(fallback) }
        case .mediaURL: PercentEncoding.append(metadata("mediaURL", ping) ?? ping.mediaURL, to: value)
        default: break
        }
    }

    private func appendMeasured(_ source: PingSource, of ping: Ping) {
        let kind = ping.asset.metadata.kind
        switch source {
        case .isAd: value.append(UInt8(ascii: kind.isAd ? "1" : "0"))
        case .credit: appendCredit(of: ping)
        case .moment: value.append(ping.moment.at)
        case .assetClass:
            value.append(kind == .staticContent ? "text" as StaticString : ping.isAudioOnly ? "audio" : "video")
        case .viewedSeconds: value.append(decimal: ping.asset.segments.seconds)
        case .adSeconds: value.append(decimal: ping.adSeconds)
        case .adCount: value.append(decimal: ping.adCount)
        case .playerID: value.append(ping.asset.playerID)
        case .assetID: value.append(ping.asset.metadata.assetID)
        // The letter of an ad is inferred: no sample of one was seen.
        case .assetLetter: value.append(UInt8(ascii: kind.isAd ? "a" : "c"))
        case .streamStart: value.append(decimal: ping.asset.streamStart ?? ping.created)
        case .created: value.append(decimal: ping.created)
        case .isLive: value.append(ping.isLive ? "true" as StaticString : "false")
        case .viewingSession: value.append(ping.viewingSession)
        case .davty: value.append(decimal: ping.moment.davty)
        default: break
        }
    }

    /// `4_00_99_V1_00000`: tag presence, breakout, flag, prefix and number of the ping, segments.
    private func appendCredit(of ping: Ping) {
        // Static content has the prefix alone, as pings of the vendor's browser SDK show.
        guard ping.asset.metadata.kind != .staticContent else { return value.append(ping.moment.prefix) }
        value.append("4_00_99_" as StaticString)
        value.append(ping.moment.prefix)
        value.append(decimal: ping.asset.intervalNumber)
        value.append(UInt8(ascii: "_"))
        ping.asset.segments.append(to: value)
    }

    private static let assetGroup = "defChnAsset"

    private func section(_ ping: Ping) -> String { ping.asset.metadata["section"] ?? "" }

    private func subbrand(_ ping: Ping) -> String {
        ping.asset.metadata["subbrand"] ?? ping.content?["subbrand"] ?? configuration.vcid
    }

    /// A key of the content, also in a ping about one of its ads.
    private func metadata(_ key: String, _ ping: Ping) -> String? {
        ping.asset.metadata.kind.isAd ? ping.content?[key] : ping.asset.metadata[key]
    }
}
