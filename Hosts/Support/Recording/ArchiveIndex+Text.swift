package import TextEncoding

// The form of an index: a line of JSON that says of which archive it is, and one for each run.
extension ArchiveIndex {
    private static let format: Int64 = 1

    /// The text, with what tells its archive.
    package func text(of archive: JSONValue) -> String {
        let lines = runs.map { $0.json.canonicalText + "\n" }.joined()
        let head: JSONValue = [
            "tally_index": .int(Self.format), "archive": archive, "sha256": .string(SHA256.hex(of: lines)),
        ]
        return head.canonicalText + "\n" + lines
    }

    /// Reads an index, and what it says of its archive; nil when it is damaged.
    package static func parse(_ bytes: [UInt8]) -> (archive: JSONValue, index: ArchiveIndex)? {
        let lines = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
        guard lines.count == 2, let head = try? JSONParser().parse(Array(lines[0])),
            head["tally_index"]?.int == format, let archive = head["archive"],
            unsafe head["sha256"]?.string == lines[1].withUnsafeBytes({ unsafe SHA256.hex(of: $0) })
        else { return nil }
        var runs: [Run] = []
        for line in lines[1].split(separator: 0x0A) {
            guard let json = try? JSONParser().parse(Array(line)), let run = Run(json) else { return nil }
            runs.append(run)
        }
        return (archive, ArchiveIndex(runs: runs))
    }
}

extension ArchiveIndex.Run {
    fileprivate var json: JSONValue {
        var assets = JSONObject()
        for (session, own) in self.assets.sorted(by: { $0.key < $1.key }) {
            assets["\(session)"] = .array(own.sorted().map { .string($0) })
        }
        let lines = stretches.map { stretches in
            JSONValue.array(stretches.flatMap { [.int(Int64($0.lowerBound)), .int(Int64($0.upperBound))] })
        }
        return [
            "run": .string(id), "epoch_us": .int(epoch), "erased": .bool(isErased), "run_time_us": .int(time),
            "assets": .object(assets), "lines": lines ?? .null,
        ]
    }

    fileprivate init?(_ json: JSONValue) {
        guard let id = json["run"]?.string, let epoch = json["epoch_us"]?.int, let time = json["run_time_us"]?.int,
            let isErased = json["erased"]?.bool, let assets = json["assets"]?.object, let lines = json["lines"],
            time >= 0
        else { return nil }
        var sessions: [Int: Set<String>] = [:]
        for member in assets {
            guard let number = Int(member.key), let own = member.value.array else { return nil }
            sessions[number] = Set(own.compactMap(\.string))
        }
        var stretches: [Range<Int>]?
        if lines != .null {
            let bounds = (lines.array ?? []).map { Int($0.int ?? -1) }
            guard lines.array != nil, bounds.count.isMultiple(of: 2), bounds.allSatisfy({ $0 >= 0 }),
                zip(bounds, bounds.dropFirst()).allSatisfy(<)
            else { return nil }
            stretches = stride(from: 0, to: bounds.count, by: 2).map { bounds[$0]..<bounds[$0 + 1] }
        }
        self.init(id: id, epoch: epoch, isErased: isErased, time: time, assets: sessions, stretches: stretches)
    }
}
