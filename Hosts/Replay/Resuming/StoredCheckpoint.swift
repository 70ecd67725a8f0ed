internal import HostSupport
internal import Tally
internal import TextEncoding

/// What a checkpoint file says.
struct StoredCheckpoint {
    /// The form of the file.
    private static let format: Int64 = 1

    /// What tells whether a command line is the one that wrote it.
    var command: String
    var replay: ReplayCheckpoint
    /// What the reporters said of their outputs, by instance.
    var marks: [String: String]
    /// Runs that count for `--first`.
    var takenRuns: [String]

    /// The file's text.
    var text: String {
        var reporters = JSONObject()
        for (name, mark) in marks.sorted(by: { $0.key < $1.key }) {
            reporters[name] = (try? JSONParser().parse(mark)) ?? .null
        }
        let json: JSONValue = [
            "tally_checkpoint": .int(Self.format), "command": .string(command),
            "archive": .int(Int64(replay.archive)), "line": .int(Int64(replay.line)),
            "open_runs": .array(replay.openRuns.map { .string($0) }),
            "refused_runs": .array(replay.refusedRuns.map { .string($0) }),
            "passed_runs": .array(replay.passedRuns.sorted { $0.key < $1.key }.map(Self.json)),
            "taken_runs": .array(takenRuns.map { .string($0) }), "reporters": .object(reporters),
            "summary": replay.summary.checkpoint,
        ]
        return json.canonicalText + "\n"
    }

    /// A run that is over: its key, its epoch, the number behind its last line, and the bounds of its gaps.
    private static func json(_ key: UInt64, _ run: PassedRun) -> JSONValue {
        let gaps = run.missing.flatMap { [$0.lowerBound, $0.upperBound] }
        let numbers = [Int64(bitPattern: key), run.epoch] + ([run.next] + gaps).map { Int64(bitPattern: $0) }
        return .array(numbers.map { .int($0) })
    }

    private static func add(_ json: JSONValue, to replay: inout ReplayCheckpoint) {
        let numbers = (json.array ?? []).compactMap(\.int)
        guard numbers.count >= 3 else { return }
        let bounds = numbers[3...].map { UInt64(bitPattern: $0) }
        let gaps = stride(from: 0, to: bounds.count - 1, by: 2).compactMap { place in
            bounds[place] < bounds[place + 1] ? bounds[place]..<bounds[place + 1] : nil
        }
        replay.passedRuns[UInt64(bitPattern: numbers[0])] = PassedRun(
            epoch: numbers[1],
            next: UInt64(bitPattern: numbers[2]),
            missing: gaps
        )
    }

    private static func texts(_ json: JSONValue, _ key: String) -> [String] {
        (json.value(at: key)?.array ?? []).compactMap(\.string)
    }
}

extension StoredCheckpoint {
    /// Reads a file's text; nil when it is no checkpoint of this version.
    init?(_ text: String) {
        guard let json = try? JSONParser().parse(text), json.value(at: "tally_checkpoint")?.int == Self.format,
            let command = json.value(at: "command")?.string, let archive = json.value(at: "archive")?.int,
            let line = json.value(at: "line")?.int, let summary = json.value(at: "summary")
        else { return nil }
        var replay = ReplayCheckpoint(
            archive: Int(archive),
            line: Int(line),
            summary: ReplaySummary(checkpoint: summary)
        )
        replay.openRuns = Self.texts(json, "open_runs")
        replay.refusedRuns = Self.texts(json, "refused_runs")
        for run in json.value(at: "passed_runs")?.array ?? [] { Self.add(run, to: &replay) }
        let marks = Dictionary((json.value(at: "reporters")?.object ?? [:]).map { ($0.key, $0.value.canonicalText) }) {
            $1
        }
        self.init(command: command, replay: replay, marks: marks, takenRuns: Self.texts(json, "taken_runs"))
    }
}

extension ReplaySummary {
    /// The numbers by the names that a checkpoint has for them.
    private static var members: [(String, WritableKeyPath<ReplaySummary, Int>)] {
        [
            ("runs", \.runs), ("open_runs", \.openRuns), ("ended_runs", \.endedRuns), ("erased_runs", \.erasedRuns),
            ("closed_runs", \.closedRuns), ("left_out_lines", \.leftOutLines), ("unselected_runs", \.unselectedRuns),
            ("sessions", \.sessions), ("lines", \.lines), ("reordered", \.reordered), ("repeated", \.repeated),
            ("bytes", \.bytes), ("damaged", \.damaged),
        ]
    }
    private static var counts: [(String, WritableKeyPath<ReplaySummary, UInt64>)] {
        [("events", \.events), ("records", \.records), ("beacons", \.beacons), ("tracker_errors", \.trackerErrors)]
    }

    /// What a checkpoint keeps of it.
    var checkpoint: JSONValue {
        var json: JSONObject = ["run_time_us": .int(runTime), "places": .array(places.map { .string($0) })]
        for (name, path) in Self.members { json[name] = .int(Int64(self[keyPath: path])) }
        for (name, path) in Self.counts { json[name] = .int(Int64(clamping: self[keyPath: path])) }
        return .object(json)
    }

    /// Reads what a checkpoint kept.
    init(checkpoint json: JSONValue) {
        self.init()
        runTime = json.value(at: "run_time_us")?.int ?? 0
        places = (json.value(at: "places")?.array ?? []).compactMap(\.string)
        for (name, path) in Self.members { self[keyPath: path] = Int(json.value(at: name)?.int ?? 0) }
        for (name, path) in Self.counts { self[keyPath: path] = UInt64(json.value(at: name)?.int ?? 0) }
    }
}
