internal import PluginKit

/// What the reporter is configured with.
struct SQLiteConfiguration {
    /// The database's file.
    let path: String
    /// Whether events are kept; the metric views are made from them.
    let events: Bool
    /// Whether events that say nothing but the playhead are kept too.
    let samples: Bool
    /// Whether records are kept.
    let records: Bool
    /// Whether beacons are kept.
    let beacons: Bool
    /// Whether each commit waits for the disk.
    let isSynchronous: Bool
    /// The largest size of the file, MiB; 0 for any.
    let largest: Int64
    /// How long what cannot be written is kept waiting before it is dropped, ms.
    let patience: Int64

    /// Reads a configuration that fits ``schema``.
    init(_ json: JSONValue) throws(ConfigurationError) {
        path = try json.text("path")
        guard !path.isEmpty, path != ":memory:" else {
            throw .unusable(key: "path", value: "\"\(path)\"", expected: "a file's path")
        }
        events = try json.flag("events", default: true)
        samples = try json.flag("playhead_samples", default: true)
        records = try json.flag("records", default: true)
        beacons = try json.flag("beacons", default: true)
        isSynchronous = try json.choice("synchronous", of: ["normal", "full"], default: "normal") == "full"
        largest = try json.integer("largest_mib", in: 0...1_048_576, default: 0)
        patience = try json.integer("patience_ms", in: 0...600_000, default: 10_000)
    }

    /// JSON Schema text of the configuration.
    static let schema = #"""
        {"type":"object","additionalProperties":false,"required":["path"],"properties":{
        "path":{"type":"string","minLength":1,"description":"file of the database"},
        "events":{"type":"boolean","default":true,"description":"keep player events, which the metrics are made from"},
        "playhead_samples":{"type":"boolean","default":true,"description":"keep events that say only the playhead"},
        "records":{"type":"boolean","default":true,"description":"keep records"},
        "beacons":{"type":"boolean","default":true,"description":"keep beacons"},
        "synchronous":{"type":"string","enum":["normal","full"],"default":"normal",
        "description":"full: each commit waits for the disk"},
        "largest_mib":{"type":"integer","minimum":0,"maximum":1048576,"default":0,
        "description":"largest size of the file, 0 for any"},
        "patience_ms":{"type":"integer","minimum":0,"maximum":600000,"default":10000,
        "description":"how long what cannot be written waits before it is dropped"}}}
        """#
}
