import ChildPrograms
import TestFiles
import Testing
import TextEncoding

/// What is chosen by playhead samples, which most of an archive is made of and which are read in a way of their own.
struct SampleSelectionTests {
    private let files = TemporaryFolder()

    /// Two runs whose samples differ in their times, places and numbers; `sample` makes a line of its parts.
    private func archive(
        _ name: String,
        sample: (_ run: String, _ ordinal: Int, _ time: Int, _ state: String) -> String
    ) -> String {
        let text = ["a", "b"].map { run in
            let far = run == "b" ? 60_000 : 0
            let ad = run == "b" ? #","ad_playhead_ms":5"# : ""
            let samples = (2..<40).map { ordinal in
                sample(run, ordinal, ordinal * 1_000_000, #""playhead_ms":\#(far + ordinal * 1_000)\#(ad)"#)
            }
            return """
                {"run":"\(run)","n":0,"tally":{"format":1,"semantics":1,"core":"1.0.0","epoch_us":1750000000000000,"trackers":[]}}
                {"run":"\(run)","n":1,"t_us":0,"event":"video_load","session":1,"attributes":{"video_id":"v-\(run)"}}
                \(samples.joined(separator: "\n"))
                {"run":"\(run)","n":40,"t_us":40000000,"event":"video_unload","session":1}
                {"run":"\(run)","n":41,"t_us":40000000,"end":"drained","dropped":0}

                """
        }
        return files.write(name, text.joined())
    }

    @Test(
        "An expression is asked of each sample, in the form in which Tally writes it and in others",
        arguments: [
            ("event == 'playhead_sample' && state.playhead_ms > 60000", "b"),
            ("state.playhead_ms == 39000", "a"), ("state.playhead_ms == 99000 && t_us == 39000000 && n == 39", "b"),
            ("state.ad_playhead_ms == 5", "b"), ("event == 'playhead_sample' && !state.ad_playhead_ms", "a"),
            ("event == 'playhead_sample' && media.video_id == 'v-a'", "a"),
            ("event == 'playhead_sample' && video_id", ""), ("event == 'playhead_sample' && session == 1", ""),
            ("event == 'playhead_sample' && state.live_wall_ms", ""), ("n == 41", ""), ("t_us == 39000000", "ab"),
            ("event == 'playhead_sample' && state.playhead_age_us", ""),
            ("event == 'playhead_sample' && state.ad_playhead_ms != 5", "a"),
            ("event == 'playhead_sample' && state.live_wall_ms <= 5", ""), ("5 == n && event ~ 'play*'", "ab"),
            ("event ~ 'playhead*' && !(state.playhead_ms <= 39000)", "b"),
            ("!(event != 'playhead_sample' || run == 'a')", "b"), ("event < 'q' && n > 38 && n < 40", "ab"),
            ("!video_id && state.playhead_ms == 39000", "a"), ("'x' == null || n == 5 && t_us == 5000000", "ab"),
            ("state.rate_milli == null && n == 6 && media.video_id ~ '*-b'", "b"),
        ]
    )
    func samples(text: String, runs: String) async throws {
        let plain = archive("plain.tally") { run, ordinal, time, state in
            #"{"run":"\#(run)","n":\#(ordinal),"t_us":\#(time),"event":"playhead_sample","state":{\#(state)}}"#
        }
        let other = archive("other.tally") { run, ordinal, time, state in
            #"{ "event":"playhead_sample", "state":{\#(state)}, "t_us":\#(time), "n":\#(ordinal), "run":"\#(run)" }"#
        }
        for path in [plain, other] {
            let listing = try await ChildProgram.replay(["ls", path, "--where", text])
            #expect(listing.code == 0, "\(listing.errors)")
            #expect(listing.lines.compactMap { $0.first.map(String.init) }.joined() == runs, "\(path)")
        }
    }

    @Test("A session is chosen by the number that a replay gives it, also behind one that was erased")
    func erasedSession() async throws {
        let path = files.write(
            "erased.tally",
            """
            {"run":"r","n":0,"tally":{"format":1,"semantics":1,"core":"1.0.0","epoch_us":1750000000000000,"trackers":[],"erased_sessions":[1]}}
            {"run":"r","n":1,"t_us":0,"event":"video_load","session":2,"attributes":{"video_id":"two"}}
            {"run":"r","n":2,"t_us":1000000,"event":"video_unload","session":2}
            {"run":"r","n":3,"t_us":2000000,"end":"drained","dropped":0}

            """
        )
        for (session, sessions) in [("1", 0), ("2", 1)] as [(String, Int64)] {
            let run = try await ChildProgram.replay([path, "--cut-sessions", "--session", session, "--json"])
            #expect(try run.summary()["sessions"]?.int == sessions, "\(session): \(run.errors)")
        }
    }

    @Test("A session that begins in an open one, in which enough was found, is looked at too")
    func sessionInSession() async throws {
        let path = files.write(
            "two.tally",
            """
            {"run":"r","n":0,"tally":{"format":1,"semantics":1,"core":"1.0.0","epoch_us":1750000000000000,"trackers":[]}}
            {"run":"r","n":1,"t_us":0,"event":"video_load","session":1,"attributes":{"video_id":"one"}}
            {"run":"r","n":2,"t_us":1000000,"event":"video_load","session":2,"attributes":{"video_id":"two"}}
            {"run":"r","n":3,"t_us":2000000,"end":"drained","dropped":0}

            """
        )
        for condition in ["media.video_id", "video_id == 'one' || video_id == 'two'"] {
            let run = try await ChildProgram.replay([path, "--where", condition, "--session", "2", "--json"])
            #expect(try run.summary()["runs"] == 1, "\(condition) \(run.errors)")
        }
    }

    @Test("A line that the replay cannot use chooses nothing either")
    func unusableLine() async throws {
        let path = files.write(
            "cut.tally",
            """
            {"run":"r","n":0,"tally":{"format":1,"semantics":1,"core":"1.0.0","epoch_us":1750000000000000,"trackers":[]}}
            {"run":"r","n":1,"t_us":0,"event":"video_load","session":1,"attributes":{"video_id":"one"}}
            {"run":"r","n":2,"t_us":1000000,"event":"player_error","session":1}
            """
        )
        let run = try await ChildProgram.replay([path, "--where", "event == 'player_error'", "--json"])
        #expect(try run.summary()["runs"] == 0)
        #expect(run.code == 65)
    }
}
