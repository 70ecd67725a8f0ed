internal import TextEncoding

extension ArchiveHeader {
    /// The header as the member `tally` of its line.
    var json: JSONValue {
        let trackers = trackers.map { tracker in
            var stored = JSONObject()
            for (key, value) in tracker.stored.sorted(by: { $0.key < $1.key }) {
                stored[key] = .string(value)
            }
            return JSONValue.object([
                "name": .string(tracker.name), "plugin": .string(tracker.plugin), "version": .string(tracker.version),
                "sha256": .string(tracker.sha256), "enabled": .bool(tracker.enabled),
                "configuration": tracker.configuration, "stored": .object(stored),
            ])
        }
        return .object([
            "format": .int(format), "semantics": .int(semantics), "core": .string(core), "epoch_us": .int(epoch),
            "trackers": .array(trackers),
        ])
    }

    /// Reads the member `tally` of a header line.
    init(run: String, json: JSONValue) throws(ArchiveLineProblem) {
        guard let format = json.value(at: "format")?.int else { throw .header("format is missing") }
        guard format <= ArchiveFormat.version else { throw .newerFormat(format) }
        guard let semantics = json.value(at: "semantics")?.int else { throw .header("semantics is missing") }
        guard let epoch = json.value(at: "epoch_us")?.int else { throw .header("epoch_us is missing") }
        self.run = run
        self.format = format
        self.semantics = semantics
        core = json.value(at: "core")?.string ?? ""
        self.epoch = epoch
        trackers = (json.value(at: "trackers")?.array ?? []).map { tracker in
            Tracker(
                name: tracker.value(at: "name")?.string ?? "", plugin: tracker.value(at: "plugin")?.string ?? "",
                version: tracker.value(at: "version")?.string ?? "",
                sha256: tracker.value(at: "sha256")?.string ?? "",
                enabled: tracker.value(at: "enabled")?.bool ?? true,
                configuration: tracker.value(at: "configuration") ?? .object([:]),
                stored: Dictionary(
                    (tracker.value(at: "stored")?.object ?? [:]).map { ($0.key, $0.value.string ?? "") }
                ) { first, _ in first })
        }
    }
}
