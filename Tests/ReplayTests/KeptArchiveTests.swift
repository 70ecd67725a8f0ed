internal import ChildPrograms
import Testing

/// Archives that an earlier program wrote replay to what that program made of them, byte for byte.
struct KeptArchiveTests {
    private static let folder = "\(TestFile.repository)/Tests/ReplayTests/Archives/Kept"

    @Test(
        "An archive of an earlier program replays to the same bytes through all five trackers",
        arguments: ["playback", "sleep", "ads", "runs"],
        [[], ["--as-recorded"], ["--jobs", "2"]]
    )
    func sameBytes(name: String, options: [String]) async throws {
        let run = try await Self.replay("\(Self.folder)/\(name).tally.zst", options)
        // The runs have damaged lines among them.
        #expect(run.code == (name == "runs" ? 65 : 0), "\(run.errors)")
        let kept = options == ["--as-recorded"] ? "\(name).recorded" : name
        let expected = try TestFile.unpacked("\(Self.folder)/\(kept).jsonl.zst")
        if run.output != expected {
            let lines = zip(run.lines, expected.split(separator: "\n")).enumerated().first { $1.0 != $1.1 }
            Issue.record("line \(lines?.offset ?? -1): \(lines?.element.0 ?? "") instead of \(lines?.element.1 ?? "")")
        }
    }

    private static func replay(_ archive: String, _ options: [String]) async throws -> ChildProgram.Outcome {
        let plugins = try PluginFolder(plugins: [
            "new-relic-video", "nielsen-dcr", "mux-data", "adobe-analytics", "adobe-heartbeat", "jsonlines",
        ])
        return try await ChildProgram.replay(
            [archive, "-c", "\(folder)/replay.json5", "--plugin-dir", plugins.path, "--quiet"] + options
        )
    }

    @Test("By the rules 1 a sleep of the machine is told when it is over: Mux Data alone has words for it")
    func sleepByFirstRules() async throws {
        let archive = try TestFile.unpacked("\(Self.folder)/sleep.tally.zst")
        let awake = archive.split(separator: "\n").filter { !$0.contains("system_suspended") }
        let folder = TemporaryFolder()
        let paths = [
            folder.write("sleep.tally", archive), folder.write("awake.tally", awake.joined(separator: "\n") + "\n"),
        ]
        var said: [[Substring]] = []
        for path in paths {
            let run = try await Self.replay(path, [])
            #expect(path == paths[0] ? run.code == 0 : !run.lines.isEmpty, "\(run.errors)")
            said.append(run.lines)
        }
        let isMux = { (line: Substring) in line.contains(#""instance":"mux""#) }
        for (line, other) in zip(said[0].filter { !isMux($0) }, said[1].filter { !isMux($0) }) where line != other {
            Issue.record("\(line) instead of \(other)")
            break
        }
        let sleeps = said[0].filter { $0.contains(#""kind":"devicesleep""#) }
        #expect(sleeps.count == 2 && !said[1].contains { $0.contains("devicesleep") })
    }
}
