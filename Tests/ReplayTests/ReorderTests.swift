import ChildPrograms
import Testing
import TextEncoding

/// Lines of a run that do not come in their order.
struct ReorderTests {
    private let files = TemporaryFolder()
    private let plugins: PluginFolder

    init() throws {
        plugins = try .witness()
    }

    private func replay(_ path: String, _ arguments: [String] = []) async throws -> ChildProgram.Outcome {
        try await plugins.replay([path] + arguments)
    }

    /// The lines behind the header, mixed among so many neighbours.
    private func shuffled(_ lines: [Substring], by window: Int, seed: UInt64) -> String {
        var random = SplitMix64(seed: seed)
        var rest = lines.dropFirst().enumerated().map { (Double($0.offset), $0.element) }
        rest = rest.map { ($0.0 + Double(random.next() % UInt64(window)), $0.1) }
        let mixed = rest.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
        return ([lines[0]] + mixed.map(\.element.1)).joined(separator: "\n") + "\n"
    }

    @Test("Lines that are mixed within the window make the same output as in order", arguments: 1...20)
    func same(seed: UInt64) async throws {
        let lines = try TestFile.text(TestFile.archive("plain")).split(separator: "\n")
        let expected = try await replay(TestFile.archive("plain"))
        let run = try await replay(files.write("a.tally", shuffled(lines, by: 12, seed: seed)))
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output == expected.output)
        #expect(try run.summary()["reordered"]?.int ?? 0 > 0)
        #expect(try expected.summary()["reordered"] == 0)
    }

    @Test("A line that is missing is told as a gap, where the next one stood, and all others are used")
    func gap() async throws {
        var lines = try TestFile.text(TestFile.archive("plain")).split(separator: "\n")
        lines.remove(at: 6)
        let path = files.write("a.tally", lines.joined(separator: "\n") + "\n")
        for arguments in [[], ["--reorder", "0"], ["--reorder", "3"]] {
            let run = try await replay(path, arguments)
            #expect(run.code == 65)
            let summary = try run.summary()
            #expect(
                summary["places"] == [.string("\(path):7: 1 line of the run plain-run is missing before this one")]
            )
            #expect(summary["events"] == 16)
            #expect(summary["open_runs"] == 0)
        }
    }

    @Test("A line that comes later than the window allows is told, and one that comes twice is left out")
    func late() async throws {
        var lines = try TestFile.text(TestFile.archive("plain")).split(separator: "\n")
        let line = lines.remove(at: 4)
        lines.insert(line, at: 15)
        let path = files.write("a.tally", lines.joined(separator: "\n") + "\n")
        let run = try await replay(path, ["--reorder", "5"])
        #expect(run.code == 65)
        #expect(run.errors.contains("\(path):5: 1 line of the run plain-run is missing before this one"))
        #expect(run.errors.contains("\(path):16: line 4 of the run plain-run comes too late"))
        #expect(try await replay(path).code == 0)
        lines.insert(lines[8], at: 9)
        let twice = files.write("b.tally", lines.joined(separator: "\n") + "\n")
        let once = try await replay(twice)
        let ordered = try await replay(path)
        #expect(once.code == 0 && once.output == ordered.output, "\(once.errors)")
        #expect(try once.summary()["repeated"] == 1)
        let kept = try await replay(twice, ["--keep-repeated"])
        #expect(kept.errors.contains("\(twice):10: line 9 of the run plain-run comes too late"), "\(kept.errors)")
    }

    @Test("A line that is dated before the one before it, or within a sleep, is told and counts as of then")
    func goesBack() async throws {
        let text = try TestFile.text(TestFile.archive("plain"))
        let fifth = "\"n\":5,\"t_us\":2400000"
        let back = files.write("back.tally", text.replacing(fifth, with: "\"n\":5,\"t_us\":1300000"))
        let same = files.write("same.tally", text.replacing(fifth, with: "\"n\":5,\"t_us\":1400000"))
        let place = "\(back):6: t_us goes back to 1300000, and the run had come to 1400000: the line counts as of then"
        let run = try await replay(back)
        #expect(run.code == 65)
        #expect(try run.summary()["places"] == [.string(place)])
        #expect(run.output == (try await replay(same)).output)
        #expect(try await replay(back, ["--strict"]).errors.contains(place))
        let asleep = files.write(
            "asleep.tally",
            text.replacing("\"semantics\":1", with: "\"semantics\":2").replacing(
                fifth + ",\"event\":\"playhead_sample\"",
                with: fifth + ",\"event\":\"system_suspended\",\"attributes\":{\"step_us\":1500000}"
            )
        )
        let within =
            "\(asleep):7: t_us goes back to 3400000, and the run had come to 3900000: the line counts as of then"
        #expect(try await replay(asleep).summary()["places"] == [.string(within)])
        for path in [back, asleep] {
            let verdict = try await ChildProgram.replay(["validate", path])
            #expect(verdict.code == 65)
            #expect(verdict.errors.contains(path == back ? place : within))
        }
    }

    @Test("A line that is dated more than 31 days after the one before it is told and not used, and gets no index")
    func tooLate() async throws {
        let text = try TestFile.text(TestFile.archive("plain"))
        let fifth = "\"n\":5,\"t_us\":2400000"
        let path = files.write("late.tally", text.replacing(fifth, with: "\"n\":5,\"t_us\":2678402400001"))
        let place = "\(path):6: event refused: t_us is more than 31 days after the line before"
        let run = try await replay(path)
        #expect(run.code == 65)
        #expect(try run.summary()["places"] == [.string(place)])
        for tool in ["validate", "index", "stats"] {
            let verdict = try await ChildProgram.replay([tool, path])
            #expect(verdict.code == 65)
            #expect(verdict.errors.contains(place))
        }
        let counted = try JSONParser().parse(try await ChildProgram.replay(["stats", "--json", path]).output)
        let whole = try JSONParser().parse(
            try await ChildProgram.replay(["stats", "--json", TestFile.archive("plain")]).output
        )
        #expect(counted["events"]?.int == whole["events"]?.int.map { $0 - 1 })
        #expect(counted["run_time_us"] == whole["run_time_us"])
    }

    @Test("Strict takes lines as they come, and stops at the first that is not the next")
    func strict() async throws {
        var lines = try TestFile.text(TestFile.archive("plain")).split(separator: "\n")
        lines.swapAt(5, 6)
        let path = files.write("a.tally", lines.joined(separator: "\n") + "\n")
        let run = try await replay(path, ["--strict"])
        #expect(run.code == 65)
        #expect(run.errors.contains("\(path):6: 1 line of the run plain-run is missing before this one"))
    }
}
