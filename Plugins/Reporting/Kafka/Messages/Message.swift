internal import EventModel
internal import PluginKit
internal import Spooling

/// A message that is made of one output after the other, in memory that is used again.
///
/// Its key is the run, so that a run lies in one partition, in order. Headers say which output it is, and of what kind.
final class Message {
    /// What lines of archives have in place of an instance: no instance is called so.
    private static let lineInstance = ":line"

    private let configuration: KafkaConfiguration
    let value = ByteBuffer(capacity: 4096)
    let headers = ByteBuffer(capacity: 256)
    private(set) var topic = ""

    init(_ configuration: KafkaConfiguration) { self.configuration = configuration }

    /// Becomes that of an output; false when that is none to be sent.
    func read(_ output: OutputView, _ origin: OriginView) -> Bool {
        value.removeAll()
        headers.removeAll()
        switch output.kind {
        case .event, .record, .beacon:
            topic = configuration.topic.name(for: output, origin)
            OutputLine.append(output, to: value, jsonBodies: configuration.jsonBodies)
        case .line:
            guard let line = output.line, let archive = configuration.archive else { return false }
            topic = archive.name(for: output, origin)
            unsafe value.append(line.bytes)
        default: return false
        }
        addHeaders(MessageKind(output), origin)
        return true
    }

    /// Lends the value without the break at its end, which a file would need.
    func withValue<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        unsafe value.withBytes { bytes in
            unsafe body(UnsafeRawBufferPointer(rebasing: bytes[..<max(0, bytes.count - 1)]))
        }
    }

    private func addHeaders(_ kind: MessageKind, _ origin: OriginView) {
        headers.append("id: ")
        unsafe headers.append(origin.playerRunID.bytes)
        headers.append("/")
        if kind == .line { headers.append(Self.lineInstance) } else { unsafe headers.append(origin.instance.bytes) }
        headers.append("/")
        headers.append(decimal: origin.ordinal)
        headers.append("\nkind: ")
        headers.append(kind.rawValue)
        headers.append("\nsession: ")
        headers.append(decimal: UInt64(origin.session))
        if origin.plugin.count > 0 {
            headers.append("\nplugin: ")
            unsafe headers.append(origin.plugin.bytes)
        }
        headers.append("\n")
    }

    /// The message as a spool keeps it.
    func content(_ output: OutputView, now: Int64) -> BeaconContent? {
        let origin = output.origin
        guard read(output, origin) else { return nil }
        let isLine = output.kind == .line
        let identity = StoredBeacon.Identity(
            run: origin.playerRunID.string,
            instance: isLine ? Self.lineInstance : origin.instance.string,
            // Lines are numbered from 0, and a spool's numbers are from 1.
            ordinal: isLine ? origin.ordinal + 1 : origin.ordinal
        )
        return BeaconContent(
            identity,
            session: origin.session,
            destination: topic,
            method: MessageKind(output).rawValue,
            url: Array(identity.run.utf8),
            headers: headers.bytes,
            body: unsafe withValue { unsafe Array($0) },
            expires: now + configuration.spooling.retry.age
        )
    }
}
