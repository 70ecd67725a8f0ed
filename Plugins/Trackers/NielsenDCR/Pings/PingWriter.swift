package import PluginKit

/// Writes GN pings: a record with the decoded parameters, and the beacon that carries it.
package final class PingWriter {
    let host: TrackerHost
    let configuration: PingConfiguration
    let application: ApplicationInformation?
    let isForKids: Bool
    private static let values = ThreadShared { ByteBuffer(capacity: 256) }
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
        let (record, beacon) = (CallBuilders.ofThread.record, CallBuilders.ofThread.beacon)
        let value = Self.values.value
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
            let source = parameter.value(self, ping)
            switch source {
            case .text(let text): value.append(text)
            case .word(let word): value.append(word)
            case .number(let number): value.append(decimal: number)
            case .sendTime: break
            }
            unsafe value.withBytes { bytes in
                unsafe PercentEncoding.append(bytes, to: beacon.url)
                unsafe record.set(UTF8Text(parameter.key), Self.text(bytes))
            }
            if case .sendTime = source { beacon.appendPatch(.sendEpochSeconds, to: .url) }
        }
        beacon.carry(host.emit(record))
        host.emit(beacon)
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> UTF8Text {
        guard let start = bytes.baseAddress else { return UTF8Text("") }
        return unsafe UTF8Text(start: start.assumingMemoryBound(to: UInt8.self), count: bytes.count)
    }
}
