import TextEncoding

/// What one tracker said in a run, as the reporter `jsonlines` wrote it.
struct TrackerRecords {
    let all: [JSONValue]

    init(_ path: String, of instance: String) throws {
        all = try TestFile.text(path).split(separator: "\n").map { try JSONParser().parse(String($0)) }
            .filter { $0["line"] == "record" && $0["instance"]?.string == instance }
    }

    /// The records of some kinds, in order.
    func named(_ kinds: String...) -> [JSONValue] {
        all.filter { kinds.contains($0["kind"]?.string ?? "") }
    }
}
