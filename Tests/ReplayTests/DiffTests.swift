import ChildPrograms
import Testing
import TextEncoding

/// The comparison of two outputs: what it finds, what it leaves out, and how it says so.
struct DiffTests {
    private let files = TemporaryFolder()

    /// Lines of a tracker: each has the number, the time in seconds, the kind and its attributes.
    private func output(_ name: String, run: String = "r1", _ lines: [(Int, Int, String, String)]) -> String {
        files.write(name, lines.map { record(run, $0.0, $0.1, $0.2, $0.3) }.joined())
    }

    private func record(_ run: String, _ ordinal: Int, _ second: Int, _ kind: String, _ attributes: String) -> String {
        #"{"line":"record","run":"\#(run)","session":1,"instance":"t","plugin":"p","n":\#(ordinal),"#
            + #""t_us":\#(second * 1_000_000),"kind":"\#(kind)","attributes":{\#(attributes)}}"# + "\n"
    }

    private func beacon(_ body: String, url: String = "https://x.example/e?a=1&b=2") -> String {
        #"{"line":"beacon","run":"r1","session":1,"instance":"t","plugin":"p","n":1,"t_us":0,"#
            + #""destination":"events","method":"POST","url":"\#(url)","headers":[["Accept","a"]],"#
            + #""body":\#(JSONValue.string(body).canonicalText),"records":[1]}"# + "\n"
    }

    private func diff(_ arguments: [String], code: Int32) async throws -> ChildProgram.Outcome {
        let run = try await ChildProgram.replay(["diff"] + arguments)
        #expect(run.code == code, "\(run.output)\(run.errors)")
        return run
    }

    private let steps = (1...200).map { ($0, $0, $0.isMultiple(of: 7) ? "BEAT" : "STEP", #""v":\#($0)"#) }

    @Test("Outputs that are alike to the last byte have no difference, however they end")
    func same() async throws {
        let left = output("a", steps)
        let right = files.write("b", String(try TestFile.text(left).dropLast()))
        #expect(try await diff([left, right], code: 0).output == "no difference in 200 lines\n")
    }

    @Test("What follows from other members, and a body's form, make no difference; another asset does")
    func derived() async throws {
        let old = files.write("old", record("r1", 1, 1, "STEP", "\"v\":1") + beacon(#"{"a":1}"#))
        let plain = try TestFile.text(old)
        let dated = plain.replacing("\"t_us\"", with: #""video_id":"film","time":"2026-03-01T12:00:00.250000Z","t_us""#)
        let new = files.write("new", dated.replacing(#""{\"a\":1}""#, with: #"{"a":1.0}"#))
        #expect(try TestFile.text(new) != dated)
        #expect(try await diff([old, new], code: 0).output == "no difference in 2 lines\n")
        let later = files.write("later", try TestFile.text(new).replacing("12:00", with: "13:00"))
        _ = try await diff([new, later], code: 0)
        let other = files.write("other", try TestFile.text(new).replacing("film", with: "song"))
        #expect(try await diff([new, other], code: 1).output.contains("video_id"))
    }

    @Test("One attribute of one record among a million is found and named, and nothing else is")
    func oneAttribute() async throws {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(160_000_000)
        var place = 0
        for number in 1...1_000_000 {
            if number == 777_777 { place = bytes.count }
            bytes += record("r1", number, number, "STEP", #""v":\#(number),"w":"x""#).utf8
        }
        let left = files.write("a", bytes: bytes)
        let old = Array(#""w":"x""#.utf8)
        let found = try #require((place..<bytes.count).first { bytes[$0...].starts(with: old) })
        bytes[found + 5] = UInt8(ascii: "y")
        let run = try await diff([left, files.write("b", bytes: bytes), "--json"], code: 1)
        #expect(run.lines.count == 2)
        let difference = try JSONParser().parse(String(run.lines[0]))
        #expect(difference["n"]?.int == 777_777)
        #expect(difference["changes"] == [["path": "attributes.w", "a": "x", "b": "y"]])
        #expect(try JSONParser().parse(String(run.lines[1]))["summary"]?["pairs"]?.int == 1_000_000)
    }

    @Test("Rules in a file count as those of the command line, and one that is wrong is told")
    func rulesFile() async throws {
        let left = output("a", [(1, 1, "STEP", #""v":100,"w":"x""#)])
        let right = output("b", [(1, 1, "STEP", #""v":103,"w":"y""#)])
        let rules = files.write(
            "rules.json5",
            "// what is meant to differ\n{ignore: ['STEP:attributes.w'], tolerance: {'attributes.v': '5%'}}"
        )
        _ = try await diff([left, right], code: 1)
        _ = try await diff([left, right, "--rules", rules], code: 0)
        let half = files.write("half.json5", "{tolerance: {'attributes.v': 3}}")
        let run = try await diff([left, right, "--rules", half], code: 1)
        #expect(run.output.contains("attributes.w"))
        #expect(!run.output.contains("attributes.v"))
        #expect(try await diff([left, right, "--rules", half, "--ignore", "attributes.w"], code: 0).errors.isEmpty)
        for (text, reason) in [
            ("{", "JSON5"), ("[]", "an object"), ("{ignored: []}", "found \"ignored\""),
            ("{ignore: [1]}", "texts in ignore"),
            ("{tolerance: {x: true}}", "numbers or texts"), ("{tolerance: {x: 'y'}}", "[KIND:]PATH=NUMBER"),
        ] {
            let run = try await diff([left, right, "--rules", files.write("wrong.json5", text)], code: 64)
            #expect(run.errors.contains(reason), "\(text): \(run.errors)")
        }
        #expect(try await diff([left, right, "--rules", files.path + "/no"], code: 66).errors.contains("No such file"))
    }

    @Test("A record that comes in shifts the numbers of all that follow, and is the only difference")
    func inserted() async throws {
        var more = steps
        more.insert((0, 20, "EXTRA", ""), at: 20)
        let renumbered = more.enumerated().map { ($0.offset + 1, $0.element.1, $0.element.2, $0.element.3) }
        let run = try await diff([output("a", steps), output("b", renumbered)], code: 1)
        #expect(run.output.contains("r1 t record 21 EXTRA at 20.000000 s is only in B (line 21)\n"))
        #expect(run.output.contains("0 of 200 lines that both have differ, 0 are only in A, 1 only in B"))
        let back = try await diff([output("c", renumbered), output("d", steps)], code: 1)
        #expect(back.output.contains("EXTRA at 20.000000 s is only in A"))
    }

    @Test("A record that comes at another time is shown as that, not as one that went and one that came")
    func moved() async throws {
        let before = steps.map { ($0.0, 10 * $0.1, $0.2, $0.3) }
        let after = before.map { ($0.0, $0.1 > 1_000 ? $0.1 + 1 : $0.1, $0.2, $0.3) }
        let paths = [output("a", before), output("b", after)]
        let run = try await diff(paths + ["--limit", "1000"], code: 1)
        #expect(run.output.contains("100 of 200 lines that both have differ, 0 are only in A, 0 only in B"))
        #expect(run.output.contains("t_us: 2000000000 became 2001000000"))
        _ = try await diff(paths + ["--tolerance", "t_us=1000000"], code: 0)
        _ = try await diff(paths + ["--ignore", "t_us"], code: 0)
    }

    @Test("Runs in another order are found all the same")
    func order() async throws {
        let one = try TestFile.text(output("one", run: "r1", steps))
        let two = try TestFile.text(output("two", run: "r2", steps))
        let left = files.write("a", one + two)
        let right = files.write("b", two + one)
        _ = try await diff([left, right], code: 0)
        let mixed = zip(one.split(separator: "\n"), two.split(separator: "\n")).map { "\($0)\n\($1)\n" }.joined()
        _ = try await diff([left, files.write("c", mixed)], code: 0)
    }

    @Test("A run that only one has is told line by line")
    func missingRun() async throws {
        let one = try TestFile.text(output("one", run: "r1", steps))
        let two = try TestFile.text(output("two", run: "r2", [(1, 1, "STEP", "")]))
        let run = try await diff([files.write("a", two + one), files.write("b", one)], code: 1)
        #expect(run.output.hasPrefix("r2 t record 1 STEP at 1.000000 s is only in A (line 1)\n"))
    }

    @Test("Rules leave out a path, all below it, or a path of one kind; a tolerance is an amount or a share")
    func rules() async throws {
        let left = output("a", [(1, 1, "STEP", #""v":100,"w":{"x":1}"#), (2, 2, "BEAT", #""v":100"#)])
        let right = output("b", [(1, 1, "STEP", #""v":104,"w":{"x":2}"#), (2, 2, "BEAT", #""v":104"#)])
        for rules in [
            ["--ignore", "attributes.*"], ["--ignore", "attributes"],
            ["--ignore", "attributes.v", "--ignore", "STEP:attributes.w.x"],
            ["--tolerance", "attributes.v=4", "--tolerance", "attributes.w=1"],
            ["--tolerance", "*.v=4%", "--ignore", "attributes.w"],
        ] {
            _ = try await diff([left, right] + rules, code: 0)
        }
        let run = try await diff(
            [left, right, "--ignore", "STEP:attributes.v", "--tolerance", "attributes.v=3"],
            code: 1
        )
        #expect(run.output.contains("attributes.w.x: 1 became 2"))
        #expect(run.output.contains("record 2 BEAT at 2.000000 s (lines 2 and 2)\n  attributes.v: 100 became 104"))
        #expect(!run.output.contains("STEP at 1.000000 s (lines 1 and 1)\n  attributes.v"))
    }

    @Test("A beacon's body and the parameters of its address are compared member by member")
    func beacons() async throws {
        let left = files.write("a", beacon(#"{"e":[{"k":1}]}"#))
        let right = files.write("b", beacon(#"{"e":[{"k":2}]}"#, url: "https://x.example/e?a=1&b=3"))
        let run = try await diff([left, right], code: 1)
        #expect(run.output.contains("r1 t beacon 1 POST events at 0.000000 s"))
        #expect(run.output.contains("  url.?b: \"2\" became \"3\"\n"))
        #expect(run.output.contains("  body.e.0.k: 1 became 2\n"))
    }

    @Test("The report for continuous integration has a failed case for each kind that differs")
    func junit() async throws {
        let left = output("a", [(1, 1, "STEP", #""v":"<&\"""#)])
        let right = output("b", [(1, 1, "STEP", #""v":"b""#)])
        let path = files.path + "/diff.xml"
        _ = try await diff([left, right, "--junit", path], code: 1)
        let text = try TestFile.text(path)
        #expect(text.contains(#"tests="2" failures="2""#))
        #expect(text.contains(#"<testcase classname="t" name="record STEP">"#))
        #expect(text.contains(#"attributes.v: &quot;&lt;&amp;\&quot;&quot; became &quot;b&quot;"#))
        _ = try await diff([left, left, "--junit", path], code: 0)
        #expect(try TestFile.text(path).contains(#"tests="1" failures="0""#))
    }

    @Test("Bad input is told with file and line, and a wrong command line with what was expected")
    func failures() async throws {
        let good = output("a", steps)
        let broken = files.write("broken", "{\"line\":\"record\",\"run\":\"r\"}\n{oops\n")
        #expect(try await diff([good, broken], code: 65).errors.contains("\(broken):2: "))
        #expect(try await diff([good, TestFile.archive("plain")], code: 65).errors.contains("no line of the reporter"))
        let missing = files.file("missing/b")
        #expect(try await diff([good, missing], code: 66).errors.contains("\(missing): cannot read it"))
        #expect(try await diff([good], code: 64).errors.contains("OUTPUT is missing"))
        #expect(
            try await diff([good, good, "--tolerance", "v"], code: 64).errors.contains("expected [KIND:]PATH=NUMBER")
        )
        #expect(try await diff([good, good, "--junit", missing], code: 73).errors.contains("cannot create"))
    }

    @Test("More that waits than the window takes ends in a warning, not in memory without end")
    func window() async throws {
        let long = #""v":"\#(String(repeating: "x", count: 2000))""#
        let many = (1...400).map { ($0, $0, "STEP", long) }
        let one = try TestFile.text(output("one", run: "r1", many))
        let two = try TestFile.text(output("two", run: "r2", many))
        let paths = [files.write("a", one + two), files.write("b", two + one)]
        _ = try await diff(paths, code: 0)
        #expect(try await diff(paths + ["--window", "1"], code: 1).errors.contains("give a larger --window"))
    }

    @Test("A replay is compared with an earlier output: the same ends with 0, another with 1 and the difference")
    func baseline() async throws {
        let plugins = try PluginFolder(fixtures: ["witness"], plugins: ["jsonlines"])
        let common = [TestFile.archive("plain"), "--plugin-dir", plugins.path, "--quiet"]
        let first = try await ChildProgram.replay(common + ["--plugins", "witness,jsonlines"])
        #expect(first.code == 0)
        let baseline = files.write("baseline.jsonl", first.output)
        let same = try await ChildProgram.replay(common + ["--plugins", "witness", "--baseline", baseline])
        #expect(same.code == 0, "\(same.errors)")
        #expect(same.output == "no difference in \(first.lines.count) lines\n")
        let shorter = files.write("shorter.jsonl", first.lines.dropLast().joined(separator: "\n") + "\n")
        let other = try await ChildProgram.replay(common + ["--plugins", "witness", "--baseline", shorter])
        #expect(other.code == 1)
        #expect(other.output.contains("is only in B"))
        #expect(try await ChildProgram.replay(common + ["--baseline", files.file("missing")]).code == 66)
        #expect(
            try await ChildProgram.replay(common + ["--ignore", "x"]).errors.contains("--baseline FILE is missing")
        )
    }
}
