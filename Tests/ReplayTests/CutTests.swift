import ChildPrograms
import Testing
import TextEncoding

/// Sessions that are replayed by themselves.
struct CutTests {
    private let files = TemporaryFolder()
    private let plugins: PluginFolder

    init() throws {
        plugins = try PluginFolder(fixtures: ["witness"], plugins: ["jsonlines"])
    }

    /// A run of three sessions, with a control event between two of them.
    private var archive: String {
        var ordinal = 0
        var time = 0
        func line(_ rest: String) -> String {
            defer { ordinal += 1 }
            time += 500_000
            return #"{"run":"r","n":\#(ordinal),"t_us":\#(time),"# + rest + "}\n"
        }
        var text =
            #"{"run":"r","n":0,"tally":{"format":1,"semantics":1,"core":"0","epoch_us":1750000000000000,"trackers":[]}}"#
            + "\n"
        ordinal = 1
        for session in 1...3 {
            text += line(#""event":"video_load","attributes":{"video_id":"v\#(session)"}"#)
            text += line(#""event":"play""#)
            for second in 1...5 { text += line(#""event":"playhead_sample","state":{"playhead_ms":\#(second * 500)}"#) }
            if session == 2 { text += line(#""event":"player_error","attributes":{"error_code":"e"}"#) }
            text += line(#""event":"video_unload""#)
            text += line(#""mark":true"#)
        }
        text += line(#""end":"drained","dropped":0"#)
        return files.write("r.tally", text)
    }

    private func replay(_ arguments: [String]) async throws -> (run: ChildProgram.Outcome, byRun: [String: [JSONValue]])
    {
        let run = try await ChildProgram.replay(
            [
                archive, "--plugins", "witness,jsonlines", "--plugin-dir", plugins.path,
                "--set", "plugins.jsonlines.config.events=true",
            ] + arguments
        )
        #expect(run.code == 0, "\(run.errors)")
        let lines = try run.lines.map { try JSONParser().parse(String($0)) }
        return (run, Dictionary(grouping: lines) { $0["run"]?.string ?? "" })
    }

    @Test("Each session is a run of its own, in which nothing was before it, and the program says so")
    func alone() async throws {
        let (run, byRun) = try await replay(["--cut-sessions"])
        #expect(byRun.keys.sorted() == ["r#1", "r#2", "r#3"])
        #expect(run.errors.contains("sessions are replayed by themselves: ids"))
        for (name, lines) in byRun {
            let sessions = Set(lines.compactMap { $0["session"]?.int })
            #expect(sessions.isSubset(of: [0, 1]), "\(name)")
            #expect(lines.count(where: { $0["line"]?.string == "run_begin" }) == 1)
            #expect(lines.count(where: { $0["line"]?.string == "run_end" }) == 1)
        }
    }

    @Test("A session is chosen by its number, or by what happens in it; whole, the run comes with all of them")
    func chosen() async throws {
        #expect(try await replay(["--cut-sessions", "--session", "3"]).byRun.keys.sorted() == ["r#3"])
        #expect(
            try await replay(["--cut-sessions", "--where", #"event == "player_error""#]).byRun.keys.sorted() == ["r#2"]
        )
        #expect(try await replay(["--cut-sessions", "--asset", "v1"]).byRun.keys.sorted() == ["r#1"])
        #expect(try await replay(["--session", "3"]).byRun.keys.sorted() == ["r"])
        #expect(try await replay(["--session", "4"]).byRun.isEmpty)
        let both = ["--where", #"event == "player_error""#, "--session"]
        #expect(try await replay(both + ["2"]).byRun.keys.sorted() == ["r"])
        #expect(try await replay(both + ["1"]).byRun.isEmpty)
    }

    @Test("Cut sessions are the same for any number of coordinators")
    func jobs() async throws {
        #expect(
            try await replay(["--cut-sessions", "--jobs", "3"]).run.output == replay(["--cut-sessions"]).run.output
        )
    }
}
