import ChildPrograms
import Testing
import TextEncoding

/// Lines of a run that do not come in their order.
struct ReorderTests {
    private let files = TemporaryFolder()
    private let plugins: PluginFolder

    init() throws {
        plugins = try PluginFolder(fixtures: ["witness"], plugins: ["jsonlines"])
    }

    private func replay(_ path: String, _ arguments: [String] = []) async throws -> ChildProgram.Outcome {
        try await ChildProgram.replay(
            [path, "--plugins", "witness,jsonlines", "--plugin-dir", plugins.path, "--json"] + arguments
        )
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

    @Test("A line that comes later than the window allows is told, and so is one that comes twice")
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
        #expect(try await replay(twice).errors.contains("\(twice):10: line 9 of the run plain-run comes too late"))
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
