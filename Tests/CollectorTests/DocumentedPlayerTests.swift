import Campaigns
import ChildPrograms
import TestFiles
import Testing
import TextEncoding

/// The players of docs/collector.md, and the schema of what they send.
@Suite struct DocumentedPlayerTests {
    private let files = TemporaryFolder()

    @Test("The page's player in Python reports a run, whole and once")
    func python() async throws { try await report("python", by: "python3") }

    @Test(
        "The page's player in JavaScript reports a run, whole and once",
        .enabled(
            if: CollectorPage.hasProgram("node"),
            "node is not installed: the page's player in JavaScript was not run"
        )
    )
    func javaScript() async throws { try await report("js", by: "node") }

    @Test("The page's player in a shell reports a run, whole and once")
    func shell() async throws { try await report("sh", by: "bash") }

    /// Runs the page's player in a language.
    private func report(_ language: String, by program: String) async throws {
        let collector = try await RunningCollector(ofOneTenant: files)
        let text = try CollectorPage.block(language, below: "## Your player in 50 lines")
        #expect(text.split(separator: "\n").count <= 50)
        let script = files.write("player.\(language == "js" ? "mjs" : language)", text)
        let made = try await ChildProgram.run(
            "/usr/bin/env",
            [program, script, "http://127.0.0.1:\(collector.port)", "k1"]
        )
        #expect(made.code == 0, "\(made.errors)")
        #expect(await collector.shelved(1))
        #expect(collector.figure("refused_lines_total") == 0)
        let archived = try await collector.archived(tenant: "web")
        for event in ["video_load", "play", "first_frame", "playhead_sample", "pause", "complete", "video_unload"] {
            #expect(archived.count(where: { $0.contains("\"event\":\"\(event)\"") }) >= 1, "\(event)")
        }
        #expect(archived.last?.contains("\"end\":\"drained\"") == true)
    }

    // MARK: - The schema

    /// Lines of batches with whether they are right.
    private static let lines: [(String, Bool)] =
        SampleRun.calls.map { ($0, true) } + [
            (#"{"sent_us":1200000}"#, true),
            (#"{"sent_us":0,"wall_us":1700000000000000,"lost":4,"form":1}"#, true),
            (#"{"n":1,"t_us":0,"mark":true}"#, true),
            (#"{"n":1,"t_us":0,"event":"system_suspended","attributes":{"step_us":5}}"#, true),
            (#"{"n":1,"t_us":0,"event":"custom","attributes":{"a":[1,[true,null],"x"],"b":{"$b":"AAEC"}}}"#, true),
            (#"{"n":1,"t_us":0,"event":"custom","attributes":{"c":{"$f":"nan"}}}"#, true),
            (#"{"n":1,"t_us":0,"event":"of_tomorrow"}"#, true),
            (#"{"sent_us":-1}"#, false),
            (#"{"sent_us":1.5}"#, false),
            (#"{"n":0,"t_us":0,"event":"play"}"#, false),
            (#"{"n":1,"event":"play"}"#, false),
            (#"{"n":1,"t_us":-1,"event":"play"}"#, false),
            (#"{"n":1,"t_us":0}"#, false),
            (#"{"n":1,"t_us":0,"event":""}"#, false),
            (#"{"n":1,"t_us":0,"event":"plugin_enabled"}"#, false),
            (#"{"n":1,"t_us":0,"event":"play","state":{"playhead_ms":1.5}}"#, false),
            (#"{"n":1,"t_us":0,"event":"play","state":{"live":1}}"#, false),
            (#"{"n":1,"t_us":0,"event":"play","attributes":{"a":{"b":1}}}"#, false),
            (#"{"n":1,"t_us":0,"tally":{}}"#, false),
            (#"[]"#, false),
        ]

    /// Says of each line whether it fits, as 0 and 1.
    private static let validation = """
        import json, jsonschema, sys
        schema = json.load(open(sys.argv[1]))
        jsonschema.Draft202012Validator.check_schema(schema)
        fits = jsonschema.Draft202012Validator(schema).is_valid
        print("".join(str(int(fits(json.loads(line)))) for line in open(sys.argv[2])))
        """

    @Test(
        "Lines of right batches fit the schema, and wrong ones do not",
        .enabled("python3-jsonschema is not installed: run Scripts/bootstrap --tests") {
            try await CollectorPage.hasModule("jsonschema")
        }
    )
    func schema() async throws {
        let lines = files.write("lines", Self.lines.map(\.0).joined(separator: "\n") + "\n")
        let path = Repository.path("Hosts/Collector/Deployment/batch-line.schema.json")
        let made = try await ChildProgram.run("/usr/bin/env", ["python3", "-c", Self.validation, path, lines])
        #expect(made.code == 0, "\(made.errors)")
        let answers = made.output.filter(\.isNumber)
        #expect(answers.count == Self.lines.count)
        for ((line, isRight), answer) in zip(Self.lines, answers) {
            #expect((answer == "1") == isRight, "\(line)")
        }
    }

    @Test("What fits the schema the collector takes, and what does not it leaves out or refuses")
    func taken() async throws {
        let collector = try await RunningCollector(files.file("collected"))
        for (number, (line, isRight)) in Self.lines.enumerated() where line.contains("\"t_us\"") {
            let renumbered = line.replacing(/^\{"n":[1-8],/, with: "{\"n\":1,")
            let answer = collector.post("/runs/run-\(number)", "{\"sent_us\":0}\n\(renumbered)\n")
            #expect((answer?.body["refused"] == nil) == isRight, "\(line)")
        }
    }
}
