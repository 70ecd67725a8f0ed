import TextEncoding

/// An archive, read line by line.
struct RecordedRun {
    let lines: [JSONValue]

    /// A part of a run.
    init(lines: [JSONValue]) {
        self.lines = lines
    }

    init(_ path: String) throws {
        lines = try TestFile.text(path).split(separator: "\n").map { try JSONParser().parse(String($0)) }
    }

    /// The events without the regular samples, and without what depends on the machine's pace.
    var names: [String] {
        lines.compactMap { $0["event"]?.string }.filter { !["playhead_sample", "quality_sample"].contains($0) }
    }

    /// The first event of a name.
    func event(_ name: String) -> JSONValue? {
        lines.first { $0["event"]?.string == name }
    }

    /// All events of a name.
    func events(_ name: String) -> [JSONValue] {
        lines.filter { $0["event"]?.string == name }
    }

    /// Its sessions, each from its load to the next one's.
    var sessions: [RecordedRun] {
        let starts = lines.indices.filter { lines[$0]["event"] == "video_load" }
        return zip(starts, starts.dropFirst() + [lines.endIndex]).map { RecordedRun(lines: Array(lines[$0..<$1])) }
    }

    /// Why the run ended; nil when the archive is cut off.
    var end: String? { lines.last?["end"]?.string }
}

extension JSONValue {
    /// An attribute of an event.
    func attribute(_ name: String) -> JSONValue? { self["attributes"]?[name] }

    /// A member of the state at an event.
    func state(_ name: String) -> JSONValue? { self["state"]?[name] }
}

extension RecordedRun: CustomStringConvertible {
    var description: String { names.joined(separator: " ") }
}
