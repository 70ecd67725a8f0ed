import ChildPrograms
import Metrics
import TestFiles
import Testing

/// Sets of metrics in parts.
@Suite("Merged metrics")
struct MergeTests {
    private static func metrics(_ arguments: [String]) async throws -> ChildProgram.Outcome {
        try await ChildProgram.run("tally-replay", ["metrics"] + arguments)
    }

    @Test("Shards that are merged in any order are the whole, to the byte")
    func shards() async throws {
        let folder = TemporaryFolder()
        let archive = folder.file("courses.tally")
        try Courses.write(60, to: archive)
        let split = try await ChildProgram.run(
            "tally-replay",
            ["split", archive, "--runs", "23", "--output", folder.file("part")]
        )
        try #require(split.code == 0, "\(split.errors)")
        func set(_ name: String, _ arguments: [String]) async throws -> [UInt8] {
            let run = try await Self.metrics(arguments + ["--shard-out", folder.file(name)])
            #expect(run.code == 0, "\(run.errors)")
            return try TestFile.bytes(folder.file(name))
        }
        let whole = try await set("whole", [archive, "--jobs", "1"])
        #expect(whole.count > 1_000)
        #expect(try await set("jobs", [archive, "--jobs", "4"]) == whole)
        for part in 1...3 { _ = try await set("\(part)", [folder.file("part-0000\(part).tally")]) }
        let files = ["3", "1", "2"].flatMap { ["--merge", folder.file($0)] }
        #expect(try await set("merged", files) == whole)
        // Files and archives together.
        let mixed = ["--merge", folder.file("2"), folder.file("part-00003.tally"), folder.file("part-00001.tally")]
        #expect(try await set("mixed", mixed) == whole)
        let set = try MetricSet(decoding: whole)
        #expect(set.encode() == whole)
        #expect(set.total.sessions > 60 && set.total.openSessions == 0)
        let told = try await Self.metrics(["--merge", folder.file("whole"), "--csv", "--groups", "1"])
        let rows = told.output.split(separator: "\n")
        #expect(rows[1].hasPrefix(",,\(set.total.sessions),0,"))
        // Of each dimension one group is told, and none is lost by that.
        #expect(rows.count == 2 + MetricSet.defaultDimensions.count - 1)
    }

    @Test("Groups of minutes and hours are left out where there are too many, whichever part has how many of them")
    func fineness() async throws {
        let folder = TemporaryFolder()
        Courses.writeShort(1_500, step: 3_660_000_000, to: folder.file("short.tally"))
        let lines = try TestFile.text(folder.file("short.tally")).split(separator: "\n")
        var parts: [MetricSet] = []
        // Of each part alone both are few, only the minutes, or none.
        for (number, runs) in [0..<300, 300..<1_400, 1_400..<1_500, 0..<1_500].enumerated() {
            let text = lines[runs.lowerBound * 4..<runs.upperBound * 4].map { $0 + "\n" }.joined()
            let part = folder.write("\(number).tally", text)
            let made = try await Self.metrics([part, "--shard-out", folder.file("set")])
            try #require(made.code == 0, "\(made.errors)")
            parts.append(try MetricSet(decoding: TestFile.bytes(folder.file("set"))))
        }
        let whole = parts.removeLast()
        func tooFine(_ set: MetricSet) -> [String] { zip(set.dimensions, set.isTooFine).filter(\.1).map(\.0) }
        #expect(parts.map(tooFine) == [[], ["loaded_hour"], []])
        #expect(tooFine(whole) == ["loaded_hour", "loaded_minute"])
        #expect(whole.total.sessions == 1_500)
        for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
            #expect(try MetricSet(merging: order.map { parts[$0] }).encode() == whole.encode())
        }
    }

    @Test("Whatever is cut off or damaged is refused, and nothing else happens")
    func damage() async throws {
        let folder = TemporaryFolder()
        try Courses.write(2, to: folder.file("courses.tally"))
        let made = try await Self.metrics([folder.file("courses.tally"), "--shard-out", folder.file("whole")])
        try #require(made.code == 0, "\(made.errors)")
        let whole = try TestFile.bytes(folder.file("whole"))
        for count in 0..<whole.count {
            #expect(throws: MetricSetError.self) { try MetricSet(decoding: Array(whole.prefix(count))) }
        }
        for place in stride(from: 0, to: whole.count, by: 7) {
            var damaged = whole
            damaged[place] ^= 0x10
            #expect(throws: MetricSetError.self) { try MetricSet(decoding: damaged) }
        }
        #expect(throws: MetricSetError.damaged) { try MetricSet(decoding: whole + [0]) }
    }

    @Test("A wrong input or command line has a code of its own and a word of what to do")
    func refusals() async throws {
        let folder = TemporaryFolder()
        try Courses.write(1, to: folder.file("course.tally"))
        let archive = folder.file("course.tally")
        for (name, options) in [("plain", []), ("grouped", ["--by", "title"])] as [(String, [String])] {
            let made = try await Self.metrics([archive, "--shard-out", folder.file(name)] + options)
            try #require(made.code == 0, "\(made.errors)")
        }
        let cases: [([String], Int32, String)] = [
            ([], 64, "ARCHIVE"), (["none.tally"], 66, "none.tally"), (["--merge", "none"], 66, "none"),
            (["--merge", archive], 65, "--shard-out"),
            (["--merge", folder.file("plain"), "--merge", folder.file("grouped")], 65, "same --by"),
            (["--merge", folder.file("plain"), "--by", "title"], 64, "grouped already"),
            (["--merge", folder.file("plain"), "--sessions", archive], 64, "sums alone"),
            ([archive, "--json", "--csv"], 64, "--csv"),
            ([archive, "--shard-out", archive], 73, "one of the archives"),
            (["--merge", folder.file("plain"), "--shard-out", folder.file("plain")], 73, "--merge"),
            ([archive, "--shard-out", "/nowhere/at-all"], 73, "/nowhere/at-all"),
            (["--merge", "/dev/null"], 65, "--shard-out"),
        ]
        for (arguments, code, word) in cases {
            let run = try await Self.metrics(arguments)
            #expect(run.code == code && run.errors.contains(word), "\(arguments): \(run.code) \(run.errors)")
            #expect(run.output.isEmpty, "\(arguments)")
        }
        #expect(try TestFile.text(archive).contains("course-0"))
        // A damaged line costs that line, and the code says that there was one.
        folder.write("damaged.tally", try TestFile.text(archive) + "{\n")
        let damaged = try await Self.metrics([folder.file("damaged.tally")])
        #expect(damaged.code == 65 && damaged.output.contains("sessions"))
    }
}
