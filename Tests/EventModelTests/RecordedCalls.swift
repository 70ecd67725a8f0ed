import Archive
import EventModel
import Tally
import TestFiles

/// What a run's track calls became, read from its archive.
struct RecordedCalls {
    /// One event.
    struct Event {
        let name: String
        /// Each attribute's name with the type of its value, as the data model calls it.
        let types: [(String, String)]
        var attributes: [String] { types.map(\.0) }
    }

    let events: [Event]

    init(delegate: any PlayerDelegate, _ body: (PlayerRun) -> Void) throws {
        let folder = TemporaryFolder()
        let path = folder.file("run.tally")
        let run = try Telemetry().startRun(delegate: delegate, archive: path)
        body(run)
        run.destroy()
        let reader = ArchiveReader(try ArchiveSource(path: path))
        var events: [Event] = []
        while let line = try reader.next(damaged: { fatalError("\($0)") }) {
            guard case .event(let event) = line else { continue }
            events.append(
                Event(
                    name: event.typeName.string,
                    types: event.attributes.map { ($0.name.string, Self.type(PlainValue($0.value))) }
                )
            )
        }
        self.events = events
    }

    private static func type(_ value: PlainValue) -> String {
        switch value {
        case .string: "string"
        case .int: "int"
        case .bool: "bool"
        default: "\(value)"
        }
    }
}
