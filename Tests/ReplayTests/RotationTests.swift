import Campaigns
import ChildPrograms
import Testing
import TextEncoding

/// Runs whose lines go on in other archives of one call.
struct RotationTests {
    private let files = TemporaryFolder()
    private let plugins: PluginFolder

    init() throws {
        plugins = try .witness()
    }

    private static let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]

    /// Replays parts in each order, and expects what the whole archive makes.
    private func check(_ parts: [String], _ whole: ChildProgram.Outcome, repeated: Int64 = 0) async throws {
        for (number, order) in Self.orders.enumerated() {
            let run = try await plugins.replay(order.map { parts[$0] } + ["--jobs", "\(1 + number % 2)"])
            #expect(run.code == 0 && run.output == whole.output, "\(order): \(run.errors)")
            let summary = try run.summary()
            #expect(try summary["runs"] == whole.summary()["runs"])
            #expect(summary["open_runs"] == 0 && summary["archives"] == 3)
            #expect(summary["repeated"]?.int == repeated)
            #expect(run.errors.contains("in this order: \(parts.joined(separator: ", "))"), "\(run.errors)")
        }
    }

    @Test("A run whose lines go on in other archives is one run, in whatever order those are named")
    func parts() async throws {
        let path = TestFile.archive("plain")
        let lines = try TestFile.text(path).split(separator: "\n").map { $0 + "\n" }
        let whole = try await plugins.replay([path])
        let cuts = [lines[..<7].joined(), lines[7..<14].joined(), lines[14...].joined()]
        let names = ["c.tally", "a.tally", "b.tally"]
        try await check(zip(names, cuts).map { files.write("lines/" + $0, $1) }, whole)
        // With the header in each, and with lines that the part before has too.
        let headed = [cuts[0], lines[0] + cuts[1], lines[0] + lines[12] + lines[13] + cuts[2]]
        try await check(zip(names, headed).map { files.write("headed/" + $0, $1) }, whole, repeated: 4)
        let packed = files.file("b.tally.gz")
        try await ChildProgram.compress("gzip", files.path + "/lines/a.tally", to: packed)
        try await check([files.path + "/lines/c.tally", packed, files.path + "/lines/b.tally"], whole)
        let chosen = try await plugins.replay([
            packed, files.path + "/lines", "--where", "event == 'video_unload'", "--first", "1",
        ])
        #expect(chosen.code == 0 && chosen.output == whole.output, "\(chosen.errors)")
    }

    @Test("Parts of an archive of many runs are one archive, and so are those that end within a line")
    func manyRuns() async throws {
        var random = SplitMix64(seed: 31)
        // All of them began at once.
        let text = GeneratedArchive.text(runs: 12, samples: 20, order: .interleaved, trouble: false, &random)
            .replacing(/"epoch_us":[0-9]+/, with: "\"epoch_us\":1750000000000000")
        let whole = try await plugins.replay([files.write("whole.tally", text)])
        let lines = text.split(separator: "\n").map { $0 + "\n" }
        let (third, rest) = (lines.count / 3, lines.count * 2 / 3)
        let cuts = [lines[..<third].joined(), lines[third..<rest].joined(), lines[rest...].joined()]
        try await check(zip("bca", cuts).map { files.write("\($0).tally", $1) }, whole)
        let bytes = Array(text.utf8)
        let (first, second) = (cuts[0].utf8.count + 20, cuts[0].utf8.count + cuts[1].utf8.count + 9)
        let pieces = [bytes[..<first], bytes[first..<second], bytes[second...]]
        try await check(zip("yzx", pieces).map { files.write("\($0).tally", bytes: Array($1)) }, whole)
    }

    @Test("An archive that was cut off goes on in a copy that was not, and with the option in none")
    func cutOff() async throws {
        let path = TestFile.archive("plain")
        let text = try TestFile.text(path)
        let cut = files.write("cut.tally", String(text.prefix(700)))
        let run = try await plugins.replay([cut, path])
        #expect(run.code == 65, "the line that was cut off is damaged")
        #expect(run.output == (try await plugins.replay([path])).output)
        #expect(try run.summary()["runs"] == 1)
        let lines = text.split(separator: "\n").map { $0 + "\n" }
        let first = files.write("1.tally", lines[..<9].joined() + lines[9].prefix(30))
        let second = files.write("2.tally", lines[9...].joined())
        let two = try await plugins.replay([second, first])
        #expect(two.output == run.output, "\(two.errors)")
        #expect(try two.summary()["damaged"] == 1)
        let twice = try await plugins.replay([cut, path, "--keep-repeated"])
        #expect(try twice.summary()["runs"] == 2)
        #expect(try twice.summary()["open_runs"] == 1)
    }

    @Test("Parts between which a line was cut are one archive, also when only that line joins them")
    func cutLines() async throws {
        let text = try TestFile.text(TestFile.archive("plain"))
        let bytes = Array(text.utf8)
        let lines = text.split(separator: "\n").map { String($0) + "\n" }
        let whole = try await plugins.replay([TestFile.archive("plain")])
        // Within the header, before its objects, within the last line, and before its end.
        let state = try #require(text.firstRange(of: "{\"playhead_ms"))
        let within = text.utf8.distance(from: text.startIndex, to: state.lowerBound)
        for cut in [
            42, lines[0].utf8.count - 60, within, bytes.count - lines[lines.count - 1].utf8.count + 9, bytes.count - 3,
        ] {
            let first = files.write("first.tally", bytes: Array(bytes[..<cut]))
            let second = files.write("second.tally", bytes: Array(bytes[cut...]))
            for parts in [[first, second], [second, first]] {
                let run = try await plugins.replay(parts)
                #expect(run.code == 0 && run.output == whole.output, "\(cut): \(run.errors)")
            }
        }
        // The id of two runs says of neither that it goes on.
        let other = files.write("other.tally", lines[0].replacing(/"epoch_us":[0-9]+/, with: "\"epoch_us\":17"))
        let begin = files.write("begin.tally", lines[..<5].joined())
        let rest = files.write("rest.tally", lines[5...].joined())
        let unsure = try await plugins.replay([begin, other, rest])
        #expect(unsure.code == 65 && !unsure.errors.contains("read as one"), "\(unsure.errors)")
    }

    @Test("An archive of a newer Tally is no part of another one, though they have a run in common")
    func newer() async throws {
        let path = TestFile.archive("plain")
        let newer = try TestFile.text(path).replacing("\"format\":1", with: "\"format\":99")
        let run = try await plugins.replay([path, files.write("newer.tally", newer)])
        #expect(run.code == 76 && !run.errors.contains("read as one"), "\(run.errors)")
        #expect(run.output == (try await plugins.replay([path])).output)
    }

    @Test("A part that begins with the header of another run goes on behind the one where its other runs began")
    func headerInFront() async throws {
        func line(_ run: String, _ number: Int, _ rest: String) -> String {
            #"{"run":"\#(run)","n":\#(number),"# + rest + "}\n"
        }
        func header(_ run: String, epoch: Int64) -> String {
            line(run, 0, #""tally":{"format":1,"semantics":2,"epoch_us":\#(epoch),"trackers":[]}"#)
        }
        func event(_ run: String, _ number: Int) -> String {
            line(
                run,
                number,
                #""t_us":\#(number * 1000),"event":"seek_start","attributes":{"n":\#(number)},"state":{}"#
            )
        }
        func end(_ run: String, _ number: Int) -> String {
            line(run, number, #""t_us":\#(number * 1000),"end":"drained","dropped":0"#)
        }
        // The run that began later has the earlier wall clock, as on another machine.
        let parts = [
            header("a", epoch: 1_750_000_000_000_000) + event("a", 1) + event("a", 2),
            header("b", epoch: 1_740_000_000_000_000) + event("a", 3) + event("b", 1) + event("a", 4)
                + header("c", epoch: 1_730_000_000_000_000) + end("a", 5) + event("b", 2),
            header("d", epoch: 1_745_000_000_000_000) + event("c", 1) + end("b", 3) + end("d", 1) + end("c", 2),
        ]
        let whole = try await plugins.replay([files.write("whole.tally", parts.joined())])
        #expect(whole.code == 0 && !whole.output.isEmpty, "\(whole.errors)")
        try await check(zip("bca", parts).map { files.write("\($0).tally", $1) }, whole)
        // As other programs write it: spaces, and the members in another order.
        let foreign = parts.map { part in
            part.replacing(/{"run":"(.)","n":([0-9]+),/) { #"{ "n": \#($0.2), "run": "\#($0.1)", "# }
        }
        try await check(zip("xzy", foreign).map { files.write("\($0).tally", $1) }, whole)
        // Another archive with nothing of theirs stays alone, and one whose header is nowhere.
        let other = files.write("other.tally", header("e", epoch: 0) + end("e", 1))
        let lost = files.write("lost.tally", event("f", 3) + header("g", epoch: 0) + end("g", 1))
        let mixed = try await plugins.replay([
            files.path + "/c.tally", other, files.path + "/a.tally", lost, files.path + "/b.tally",
        ])
        #expect(mixed.code == 65 && mixed.errors.contains("lost.tally:1: "), "\(mixed.errors)")
        #expect(try mixed.summary()["archives"] == 5 && mixed.summary()["runs"] == 6)
        #expect(try mixed.summary()["damaged"] == 1, "\(mixed.errors)")
    }
}
