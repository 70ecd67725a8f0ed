import ChildPrograms
import Testing
import TextEncoding

/// Lines that come twice in the input of one call.
struct RepeatedTests {
    private let files = TemporaryFolder()
    private let plugins: PluginFolder

    init() throws {
        plugins = try .witness()
    }

    private func lines() throws -> [Substring] {
        try TestFile.text(TestFile.archive("plain")).split(separator: "\n")
    }

    private func write(_ name: String, _ lines: some Sequence<Substring>) -> String {
        files.write(name, lines.map { $0 + "\n" }.joined())
    }

    @Test("A copy of an archive, or of a part of it, makes nothing again, and is counted")
    func copies() async throws {
        let lines = try lines()
        let (once, copy) = (TestFile.archive("plain"), write("copy.tally", lines))
        let part = write("part.tally", lines[..<9])
        let late = write("late.tally", lines[12...])
        let expected = try await plugins.replay([once])
        for (archives, repeated) in [([once, copy], 21), ([copy, once, part], 30), ([once, late], 9)] {
            for arguments in [["--jobs", "1"], ["--jobs", "2"], ["--strict"]] {
                let run = try await plugins.replay(archives + arguments)
                #expect(run.code == 0 && run.output == expected.output, "\(archives): \(run.errors)")
                #expect(try run.summary()["repeated"]?.int == Int64(repeated), "\(archives)")
            }
        }
        let kept = try await plugins.replay([once, copy, "--keep-repeated"])
        #expect(kept.output == expected.output + expected.output)
        #expect(try kept.summary()["repeated"] == 0)
        let shown = try await ChildProgram.replay([once, copy])
        #expect(shown.errors.contains("came again   21 lines, left out"), "\(shown.errors)")
    }

    @Test("Another run with the same id is another run, and nothing of it came before")
    func otherRun() async throws {
        let lines = try lines()
        let other = lines.map { Substring($0.replacing("\"epoch_us\":1750", with: "\"epoch_us\":1751")) }
        let path = write("a.tally", lines + other)
        let run = try await plugins.replay([path])
        #expect(run.code == 0, "\(run.errors)")
        #expect(try run.summary()["runs"] == 2)
        #expect(try run.summary()["repeated"] == 0)
    }

    @Test("A line that is missing where its run was read first is told when it comes, and is not one that came")
    func missing() async throws {
        var lines = try lines()
        let line = lines.remove(at: 6)
        let path = write("a.tally", lines)
        for archives in [[path, TestFile.archive("plain")], [write("b.tally", lines + [line, line])]] {
            // Within the window the copy would put it right.
            let run = try await plugins.replay(archives + ["--reorder", "0"])
            #expect(run.code == 65)
            #expect(run.errors.contains("7: 1 line of the run plain-run is missing before this one"), "\(run.errors)")
            #expect(run.errors.contains("line 6 of the run plain-run comes too late"), "\(run.errors)")
            #expect(try run.summary()["repeated"] == (archives.count == 2 ? 20 : 0))
        }
    }
}
