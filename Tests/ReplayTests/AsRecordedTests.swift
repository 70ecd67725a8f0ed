import ChildPrograms
import Testing
import TextEncoding

/// A replay with the trackers of the recorded run.
struct AsRecordedTests {
    private let files = TemporaryFolder()

    /// The plain archive, recorded with one tracker.
    private func archive(plugin: String, version: String = "1.0.0", enabled: Bool = true) throws -> String {
        let tracker = """
            {"name":"mine","plugin":"\(plugin)","version":"\(version)","sha256":"\(String(repeating: "a", count: 64))",\
            "enabled":\(enabled),"configuration":{"timers":0},"stored":{}}
            """
        let text = try TestFile.text(TestFile.archive("plain"))
        let empty = try #require(text.firstRange(of: #""trackers":[]"#))
        return files.write("recorded.tally", text.replacingSubrange(empty, with: #""trackers":[\#(tracker)]"#))
    }

    private func replay(_ arguments: [String], code: Int32 = 0) async throws -> ChildProgram.Outcome {
        let folder = try PluginFolder(fixtures: ["witness"], plugins: ["jsonlines"])
        let run = try await ChildProgram.replay(arguments + ["--plugin-dir", folder.path, "--json"])
        #expect(run.code == code, "\(run.errors)")
        return run
    }

    @Test("The recorded tracker is used under its recorded name; another file of its version with a warning")
    func version() async throws {
        let path = try archive(plugin: "org.tally.fixture.witness")
        let run = try await replay([path, "--as-recorded", "--plugins", "jsonlines"])
        #expect(run.lines.count > 10)
        #expect(run.lines.allSatisfy { $0.contains(#""mine""#) })
        #expect(run.errors.contains("has the recorded version 1.0.0, but is another file"))
    }

    @Test("Without plugins on the command line the recorded ones are found all the same, and counted")
    func alone() async throws {
        let path = try archive(plugin: "org.tally.fixture.witness")
        let run = try await replay([path, "--as-recorded"])
        #expect(try run.summary()["records"]?.int ?? 0 > 10)
    }

    @Test("A recorded tracker that is not there ends the replay with its id, version and what to do")
    func missing() async throws {
        let path = try archive(plugin: "org.example.lost", version: "2.1.0")
        let run = try await replay([path, "--as-recorded"], code: 75)
        #expect(run.errors.contains("mine: the run was recorded with org.example.lost 2.1.0"))
        #expect(run.errors.contains("--substitute"))
    }

    @Test("All recorded trackers that are not there are told at once")
    func severalMissing() async throws {
        let path = try archive(plugin: "org.example.lost", version: "2.1.0")
        let text = try TestFile.text(path)
        let tracker = try #require(text.firstMatch(of: /{"name":"mine".*?"stored":{}}/))
        let second = tracker.output.replacing("mine", with: "other").replacing("lost", with: "gone")
        let both = files.write("both.tally", text.replacingSubrange(tracker.range, with: "\(tracker.output),\(second)"))
        let run = try await replay([both, "--as-recorded"], code: 75)
        #expect(run.errors.contains("mine: the run was recorded with org.example.lost 2.1.0"))
        #expect(run.errors.contains("other: the run was recorded with org.example.gone 2.1.0"))
        let jobs = try await replay([both, both, both, "--as-recorded", "--jobs", "2"], code: 75)
        #expect(jobs.errors.ranges(of: "error: mine: the run").count == 1, "\(jobs.errors)")
    }

    @Test("A substitute stands for a recorded plugin", arguments: ["mine", "org.example.lost"])
    func substitute(recorded: String) async throws {
        let path = try archive(plugin: "org.example.lost", version: "2.1.0")
        let run = try await replay([path, "--as-recorded", "--substitute", "\(recorded)=witness"])
        #expect(try run.summary()["records"]?.int ?? 0 > 10)
        #expect(run.errors.contains("stands for org.example.lost 2.1.0"))
    }

    @Test("A substitute that there is not is refused before anything is replayed, and one for nothing at the end")
    func unknownSubstitute() async throws {
        let path = try archive(plugin: "org.tally.fixture.witness")
        let absent = try await replay([path, "--as-recorded", "--substitute", "mine=absent"], code: 75)
        #expect(absent.errors.contains("error: --substitute mine=absent: no plugin absent in"), "\(absent.errors)")
        #expect(!absent.errors.contains("\"events\""))
        for more in [[], ["--jobs", "2"]] {
            let names = ["--substitute", "mien=witness", "--substitute", "mine=witness"]
            let run = try await replay([path, "--as-recorded"] + names + more, code: 64)
            let text = "--substitute: no recorded plugin has the instance name or id mien; recorded are mine, org.tally"
            #expect(run.errors.contains(text) && run.errors.ranges(of: "--substitute: ").count == 2, "\(run.errors)")
        }
    }

    @Test("A tracker that was disabled in the recorded run says nothing")
    func disabled() async throws {
        let path = try archive(plugin: "org.tally.fixture.witness", enabled: false)
        #expect(try await replay([path, "--as-recorded"]).summary()["records"] == 0)
    }

    @Test("A substitute without a name for it, or without --as-recorded, is a wrong command line")
    func usage() async throws {
        for (arguments, message) in [
            (["--as-recorded", "--substitute", "mine="], "the option --substitute has the value \"mine=\""),
            (["--substitute", "mine=witness"], "--as-recorded is missing"),
        ] {
            let run = try await ChildProgram.replay(arguments + ["a.tally"])
            #expect(run.code == 64)
            #expect(run.errors.contains(message))
        }
    }

    @Test("A tracker that is chosen is left out, also one whose configuration would be refused")
    func leftOut() async throws {
        let path = try archive(plugin: "org.tally.fixture.witness")
        let others = try PluginFolder(plugins: ["mux-data"])
        let chosen = ["--plugins", "mux-data,jsonlines", "--plugin-dir", others.path]
        #expect(try await replay([path] + chosen, code: 78).errors.contains("environmentKey"))
        let run = try await replay([path, "--as-recorded"] + chosen)
        #expect(run.lines.count > 10)
        #expect(run.lines.allSatisfy { $0.contains(#""mine""#) })
    }
}

extension String {
    /// The text with a part of it replaced.
    fileprivate func replacingSubrange(_ range: Range<String.Index>, with other: String) -> String {
        String(self[..<range.lowerBound]) + other + String(self[range.upperBound...])
    }
}
