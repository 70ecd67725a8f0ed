import Campaigns
import ChildPrograms
import Testing
import TextEncoding

/// Archives that a manifest deals out: what a shard reads, and what is refused.
struct ShardTests {
    private let files = TemporaryFolder()
    private let plugins: PluginFolder

    init() throws {
        plugins = try .witness()
    }

    private func outlines(_ paths: [String]) async throws -> [JSONValue] {
        let run = try await ChildProgram.replay(["outline"] + paths)
        #expect(run.code == 0, "\(run.errors)")
        return try run.lines.map { try JSONParser().parse(String($0)) }
    }

    private func archive(_ name: String, seed: UInt64, _ order: GeneratedArchive.Order = .separate) -> String {
        var random = SplitMix64(seed: seed)
        return files.write(name, GeneratedArchive.text(runs: 8, samples: 20, order: order, trouble: false, &random))
    }

    /// Writes a manifest of shards, each of archives, each of pieces.
    private func manifest(_ shards: [[[JSONValue]]]) -> String {
        let head = #"{"tally_manifest":1,"shards":\#(shards.count)}"#
        let lines = shards.enumerated().map { number, archives in
            let archives = archives.map { JSONValue.array($0) }
            return JSONValue.object(["shard": .int(Int64(number)), "archives": .array(archives)]).canonicalText
        }
        return files.write("manifest", ([head] + lines).map { $0 + "\n" }.joined())
    }

    private func piece(_ path: String, _ lines: JSONValue?) throws -> JSONValue {
        var piece: JSONObject = ["path": .string(path), "bytes": .int(Int64(try TestFile.bytes(path).count))]
        piece["lines"] = lines
        return .object(piece)
    }

    private func replay(_ manifest: String, _ shard: Int, _ more: [String] = []) async throws -> ChildProgram.Outcome {
        try await plugins.replay(["--manifest", manifest, "--shard", "\(shard)"] + more)
    }

    @Test("Shards of an archive's runs say together what it says, plain or compressed", arguments: [false, true])
    func runs(isPacked: Bool) async throws {
        let plain = archive("all.tally", seed: 41)
        var path = plain
        if isPacked {
            path = files.file("all.tally.zst")
            try await ChildProgram.compress("zstd -q", plain, to: path)
        }
        let whole = try await plugins.replay([plain])
        let outline = try #require(try await outlines([path]).first)
        let plainBytes = Int64(try TestFile.bytes(plain).count)
        #expect(outline["good"] == true && outline["plain_bytes"]?.int == plainBytes)
        let runs = try #require(outline["runs"]?.array)
        #expect(runs.count == 8 && Set(runs.compactMap { $0["run"]?.string }).count == 8)
        // Every second run, and the others backwards.
        let shards = try (0..<2).map { half in
            try stride(from: 6 + half, through: 0, by: -2).map { [try piece(path, runs[$0]["lines"])] }
        }
        let file = manifest(shards)
        var said: [Substring] = []
        var read: Int64 = 0
        for number in shards.indices {
            let run = try await replay(file, number, number == 0 ? [] : ["--jobs", "2"])
            #expect(run.code == 0, "\(run.errors)")
            said += run.lines
            #expect(try run.summary()["runs"] == 4)
            read += try run.summary()["bytes"]?.int ?? 0
        }
        #expect(said.count > 100 && said.sorted() == whole.lines.sorted())
        #expect(read == Int64(try TestFile.bytes(plain).count), "nothing is read twice")
    }

    @Test("A run whose lines lie in several archives is put together by a manifest, and chosen as ever")
    func joined() async throws {
        let path = archive("whole.tally", seed: 42, .interleaved)
        let all = try TestFile.text(path).split(separator: "\n").map { $0 + "\n" }
        let (third, rest) = (all.count / 3, all.count * 2 / 3)
        let hours = zip(["8.tally", "9.tally", "10.tally"], [all[..<third], all[third..<rest], all[rest...]]).map {
            files.write($0, $1.joined())
        }
        let outlines = try await outlines(hours)
        #expect(outlines.map { $0["good"] } == [true, true, true])
        let whole = try await plugins.replay([path])
        var shards: [[[JSONValue]]] = []
        var first: [String: [Int64]] = [:]
        for run in Set(outlines.flatMap { ($0["runs"]?.array ?? []).compactMap { $0["run"]?.string } }).sorted() {
            var pieces: [JSONValue] = []
            for (hour, outline) in zip(hours, outlines) {
                for own in outline["runs"]?.array ?? [] where own["run"]?.string == run {
                    pieces.append(try piece(hour, own["lines"]))
                    first[run, default: []].append(own["n"]?.int ?? -1)
                }
            }
            shards.append([pieces])
        }
        #expect(first.values.allSatisfy { $0 == $0.sorted() } && first.values.contains { $0.count == 3 })
        let file = manifest(shards)
        var said: [Substring] = []
        for number in shards.indices {
            let run = try await replay(file, number)
            let summary = try run.summary()
            #expect(run.code == 0 && summary["runs"] == 1, "\(run.errors)")
            said += run.lines
            let none = try await replay(file, number, ["--where", "event == 'nothing'"])
            #expect(try none.code == 0 && none.summary()["unselected_runs"] == 1, "\(none.errors)")
        }
        #expect(said.sorted() == whole.lines.sorted())
    }

    @Test("What is not good is told by an outline, and a manifest reads it whole and puts its parts together")
    func damaged() async throws {
        let path = archive("whole.tally", seed: 43)
        let bytes = try TestFile.bytes(path)
        let cut = bytes.count / 2
        let parts = [
            files.write("b.tally", bytes: Array(bytes[..<cut])), files.write("a.tally", bytes: Array(bytes[cut...])),
        ]
        let empty = files.write("empty.tally", "")
        let newer = files.write(
            "newer.tally",
            try TestFile.text(path).replacing("\"format\":1", with: "\"format\":99")
        )
        let outlines = try await outlines(parts + [empty, newer])
        #expect(outlines.map { $0["good"] } == [false, false, false, false])
        #expect(outlines.map { $0["tail"] } == [true, false, false, false])
        #expect(outlines.map { $0["head"] } == [false, true, false, false])
        let run = try await replay(manifest([try parts.map { [try piece($0, nil)] }]), 0)
        let whole = try await plugins.replay([path])
        #expect(run.code == 0 && run.output == whole.output, "\(run.errors)")
        let missing = try await ChildProgram.replay(["outline", files.path + "/nothing.tally"])
        #expect(missing.code == 66)
    }

    @Test("A manifest that does not fit is refused with what to do")
    func refused() async throws {
        let path = archive("all.tally", seed: 44)
        let text = try TestFile.text(path)
        let line = try #require(text.firstIndex(of: "\n")).utf16Offset(in: text) + 1
        let good = manifest([[[try piece(path, [.int(0), .int(Int64(line))])]]])
        #expect(try await replay(good, 0, ["--leave-open"]).code == 0)
        let beyond = try await replay(good, 1)
        #expect(beyond.code == 64 && beyond.errors.contains("there is no shard 1"), "\(beyond.errors)")
        let both = try await plugins.replay([path, "--manifest", good, "--shard", "0"])
        #expect(both.code == 64)
        #expect(try await plugins.replay(["--manifest", good]).code == 64)
        // A line that is cut would be lost unseen.
        let within = try await replay(manifest([[[try piece(path, [.int(0), .int(Int64(line - 7))])]]]), 0)
        #expect(within.code == 65 && within.errors.contains("is within a line"), "\(within.errors)")
        let grown = manifest([[[try piece(path, nil)]]])
        files.write("all.tally", text + text.prefix(line))
        let stale = try await replay(grown, 0)
        #expect(stale.code == 65 && stale.errors.contains("make the manifest anew"), "\(stale.errors)")
        let head = #"{"tally_manifest":1,"shards":1}"#
        let contents: [([String], Int32)] = [
            ([], 65), (["{}"], 65), ([#"{"tally_manifest":2,"shards":1}"#], 76), ([head], 65), ([head, "{}"], 65),
            ([head, #"{"shard":0,"archives":[[]]}"#], 65), ([head, #"{"shard":1,"archives":[]}"#], 65),
            ([head, #"{"shard":0,"archives":[[{"path":"x","lines":[5,3]}]]}"#], 65),
            ([head, #"{"shard":0,"archives":[[{"path":"x"}]]}"#], 66),
        ]
        for (content, code) in contents {
            let run = try await replay(files.write("bad", content.map { $0 + "\n" }.joined()), 0)
            #expect(run.code == code, "\(content): \(run.errors)")
        }
        #expect(try await replay(files.file("nowhere"), 0).code == 66)
    }

    @Test("Metrics of shards are merged to the bytes of the whole")
    func metrics() async throws {
        let path = archive("all.tally", seed: 45)
        let runs = try #require(try await outlines([path]).first?["runs"]?.array)
        let file = manifest(try runs.map { [[try piece(path, $0["lines"])]] })
        let whole = files.file("whole.metrics")
        #expect(try await ChildProgram.replay(["metrics", path, "--shard-out", whole]).code == 0)
        var merging = ["metrics", "--shard-out", files.file("merged.metrics")]
        for number in runs.indices.reversed() {
            let part = files.file("\(number).metrics")
            let run = try await ChildProgram.replay(
                ["metrics", "--manifest", file, "--shard", "\(number)", "--shard-out", part]
            )
            #expect(run.code == 0, "\(run.errors)")
            merging += ["--merge", part]
        }
        #expect(try await ChildProgram.replay(merging).code == 0)
        #expect(try TestFile.bytes(files.file("merged.metrics")) == TestFile.bytes(whole))
    }
}
