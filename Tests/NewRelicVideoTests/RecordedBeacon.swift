import PluginKit

/// A beacon that came out of a tracker.
struct RecordedBeacon {
    let destination: String
    let method: String
    let url: String
    let body: String
    let credential: String
    let headers: [(name: String, value: String)]
    let isGzipWanted: Bool
    let records: [UInt64]

    /// The events in its body.
    var events: [JSONValue] {
        (try? JSONParser().parse(body))?.array ?? []
    }
}
