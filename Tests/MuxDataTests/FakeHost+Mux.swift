import EventModel
import PluginKit
import TallyTesting

extension FakeHost {
    /// Sends an event at a time, ms.
    func send(_ type: EventType, _ attributes: [(String, PlainValue)] = [], at milliseconds: Int64) {
        advance(to: milliseconds * 1000)
        send(type, attributes)
    }

    /// The kinds of the records from an index on, without data.
    func events(from index: Int = 0) -> [String] {
        records[index...].map(\.kind).filter { !["globaldata", "data", "viewmetrics"].contains($0) }
    }

    /// What it said last of why something is refused.
    var error: String { faults.last?.text ?? "" }
}

extension FakeHost.Record {
    /// The number of an attribute, 0 when it has none.
    func int(_ name: String) -> Int64 {
        guard case .int(let number)? = self[name] else { return 0 }
        return number
    }
}
