internal import EventModel
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
        var json: JSONObject = [
            "format": .int(format), "semantics": .int(semantics), "core": .string(core), "epoch_us": .int(epoch),
        ]
        if let longestSilence {
            json["longest_silence_us"] = .int(longestSilence)
        }
        json["trackers"] = .array(trackers)
        if isErased {
            json["erased"] = .bool(true)
        }
        if !erasedSessions.isEmpty {
            json["erased_sessions"] = .array(erasedSessions.map { .int(Int64($0)) })
        }
        return .object(json)
    }

    /// Bytes of a run's id.
    private static let longestRun = 64
    /// Wall clocks that can be written as a date.
    private static let epochs: ClosedRange<Int64> = -62_135_596_800_000_000...253_402_300_799_999_999

    private static func number(_ name: String, _ json: JSONValue) throws(ArchiveLineProblem) -> Int64 {
        guard let number = json.value(at: name)?.int else { throw .header("\(name) is missing or no whole number") }
        return number
    }

    /// Reads the member `tally` of a header line.
    init(run: String, json: JSONValue) throws(ArchiveLineProblem) {
        guard (1...Self.longestRun).contains(run.utf8.count) else {
            throw .header("the run's id is empty or longer than \(Self.longestRun) bytes")
        }
        let format = try Self.number("format", json)
        guard format <= ArchiveFormat.version else { throw .newerFormat(format) }
        guard format >= 1 else { throw .header("there is no format \(format)") }
        let semantics = try Self.number("semantics", json)
        let epoch = try Self.number("epoch_us", json)
        guard Self.epochs.contains(epoch) else { throw .header("epoch_us is not between the years 1 and 9999") }
        if let silence = json.value(at: "longest_silence_us") {
            guard let length = silence.int, (1...Limits.longestSilenceMicroseconds).contains(length) else {
                throw .header("longest_silence_us is not between 1 us and 31 days")
            }
            longestSilence = length
        }
        self.run = run
        self.format = format
        self.semantics = semantics
        core = json.value(at: "core")?.string ?? ""
        self.epoch = epoch
        isErased = json.value(at: "erased")?.bool ?? false
        erasedSessions = (json.value(at: "erased_sessions")?.array ?? []).compactMap { $0.int.flatMap(UInt32.init) }
        trackers = (json.value(at: "trackers")?.array ?? []).map { tracker in
            Tracker(
                name: tracker.value(at: "name")?.string ?? "",
                plugin: tracker.value(at: "plugin")?.string ?? "",
                version: tracker.value(at: "version")?.string ?? "",
                sha256: tracker.value(at: "sha256")?.string ?? "",
                enabled: tracker.value(at: "enabled")?.bool ?? true,
                configuration: tracker.value(at: "configuration") ?? .object([:]),
                stored: Dictionary(
                    (tracker.value(at: "stored")?.object ?? [:]).map { ($0.key, $0.value.string ?? "") }
                ) { first, _ in first }
            )
        }
    }
}
