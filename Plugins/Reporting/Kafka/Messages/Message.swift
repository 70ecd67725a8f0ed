internal import EventModel
internal import PluginKit
internal import Spooling

/// A message that is made of one output after the other, in memory that is used again.
///
/// Its key is the run, so that a run lies in one partition, in order. Headers say which output it is, and of what kind.
final class Message {
    private let configuration: KafkaConfiguration
    let value = ByteBuffer(capacity: 4096)
    let headers = ByteBuffer(capacity: 256)
    private(set) var topic = ""
    /// Whose numbers its output has.
    private var stream = Stream.events
    private var number: UInt64 = 0
    /// How many events without a number each run has had: those that a replay makes of its own plugins.
    private var unnumbered: [String: UInt64] = [:]

    /// What is numbered by itself within a run: records and beacons of one tracker are.
    private enum Stream {
        case events, records, beacons, lines
        /// Events without a number, which are counted here.
        case own

        /// What stands in an id in the place of an instance, or behind it: no instance is called so.
        var mark: StaticString {
            switch self {
            case .events, .records: ""
            case .beacons: ":beacon"
            case .lines: ":line"
            case .own: ":own"
            }
        }

        /// Whether it is one tracker's.
        var hasInstance: Bool { self == .records || self == .beacons }
    }

    init(_ configuration: KafkaConfiguration) { self.configuration = configuration }

    /// Becomes that of an output; false when that is none to be sent.
    func read(_ output: OutputView, _ origin: OriginView) -> Bool {
        value.removeAll()
        headers.removeAll()
        number = origin.ordinal
        switch output.kind {
        case .event, .record, .beacon:
            topic = configuration.topic.name(for: output, origin)
            OutputLine.append(output, to: value, jsonBodies: configuration.jsonBodies)
        case .line:
            guard let line = output.line, let archive = configuration.archive else { return false }
            topic = archive.name(for: output, origin)
            unsafe value.append(line.bytes)
        case .runEnd:
            unnumbered.removeValue(forKey: origin.playerRunID.string)
            return false
        default: return false
        }
        switch output.kind {
        case .record: stream = .records
        case .beacon: stream = .beacons
        case .line: stream = .lines
        default:
            stream = number > 0 ? .events : .own
            if stream == .own {
                unnumbered[origin.playerRunID.string, default: 0] += 1
                number = unnumbered[origin.playerRunID.string] ?? 0
            }
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
        if stream.hasInstance { unsafe headers.append(origin.instance.bytes) }
        headers.append(stream.mark)
        headers.append("/")
        headers.append(decimal: number)
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
        let identity = StoredBeacon.Identity(
            run: origin.playerRunID.string,
            instance: (stream.hasInstance ? origin.instance.string : "") + "\(stream.mark)",
            // Lines are numbered from 0, and a spool's numbers are from 1.
            ordinal: stream == .lines ? number + 1 : number
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
