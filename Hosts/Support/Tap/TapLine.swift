internal import Coordinator
internal import EventModel
internal import PluginABI
internal import PluginKit
package import TextEncoding

/// Which outputs a tap shows.
package struct TapFilter: Equatable, Sendable {
    /// Kinds of outputs.
    package enum Kind: String, CaseIterable, Sendable {
        /// Player events.
        case events
        /// Records of trackers.
        case records
        /// Beacons of trackers.
        case beacons
    }

    /// The kinds that are shown.
    package var kinds = Set(Kind.allCases)
    /// Name of the instance, or id of the plugin; player events come from none, and only `*` shows them.
    package var plugin = Glob("*")
    /// Name of the event, kind of the record, destination of the beacon.
    package var name = Glob("*")
    /// Number of the session.
    package var session = Glob("*")
    /// How many are shown in a second at most; nil shows all.
    package var limit: Int?

    /// Shows everything.
    package init() {}
}

/// An output as a tap sees it: what filters ask for, and its line of JSON.
struct TapLine {
    let kind: TapFilter.Kind
    let instance: String
    let plugin: String
    let name: String
    let session: String
    let bytes: [UInt8]

    /// Whether a filter shows it.
    func passes(_ filter: TapFilter) -> Bool {
        guard filter.kinds.contains(kind) else { return false }
        guard filter.plugin.matchesAll || filter.plugin.matches(instance) || filter.plugin.matches(plugin) else {
            return false
        }
        return filter.name.matches(name) && filter.session.matches(session)
    }

    /// Reads an output; nil when it is of no kind that taps show.
    static func read(_ output: Output) -> TapLine? {
        unsafe output.withRaw { raw in
            let view = unsafe OutputView(raw)
            let found: (TapFilter.Kind, String)? =
                switch view.kind {
                case .event: view.event.map { (.events, $0.typeName.string) }
                case .record: view.record.map { (.records, $0.kind.string) }
                case .beacon: view.beacon.map { (.beacons, $0.destination.string) }
                default: nil
                }
            guard let (kind, name) = found else { return nil }
            let origin = view.origin
            let buffer = ByteBuffer(capacity: 1024)
            OutputLine.append(view, to: buffer)
            return TapLine(
                kind: kind,
                instance: origin.instance.string,
                plugin: origin.plugin.string,
                name: name,
                session: String(origin.session),
                bytes: unsafe buffer.withBytes { unsafe Array($0) }
            )
        }
    }
}
