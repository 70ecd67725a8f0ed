import Campaigns
import ChildPrograms
import TestFiles
import Testing
import TextEncoding

/// What players get wrong: it is refused or counted, told, and nothing else suffers.
@Suite struct SloppyInputTests {
    private let files = TemporaryFolder()

    private func start() async throws -> RunningCollector { try await RunningCollector(files.file("collected")) }

    private func reasons(_ answer: CollectorConnection.Answer?) -> [String] {
        (answer?.body["reasons"]?.array ?? []).map { "\($0["line"]?.int ?? 0) \($0["reason"]?.string ?? "")" }
    }

    @Test("A body that says it is an image is refused; the types of text that clients send are taken")
    func types() async throws {
        let collector = try await start()
        for type in ["image/png", "multipart/form-data; boundary=x", "video/mp4"] {
            let answer = collector.post("/runs/a", SampleRun.whole, headers: "Content-Type: \(type)\r\n")
            #expect(answer?.status == 415 && answer?.body["error"]?.string?.contains("text/plain") == true, "\(type)")
        }
        for (number, type) in [
            "text/plain;charset=UTF-8", "application/json", "application/x-ndjson", "Application/X-WWW-Form-Urlencoded",
        ].enumerated() {
            let answer = collector.post("/runs/\(number)", SampleRun.whole, headers: "Content-Type: \(type)\r\n")
            #expect(answer?.safe == 8, "\(type)")
        }
    }

    @Test("Lines with a time that is none, another run or an unknown end are refused, and are in no archive")
    func lines() async throws {
        let collector = try await start()
        let batch = """
            {"sent_us":1000000}
            {"n":1,"t_us":0,"event":"video_load","attributes":{"video_id":"film"}}
            {"n":2,"t_us":999999999999999,"event":"play"}
            {"run":"b","n":3,"t_us":1000,"event":"play"}
            {"run":"a","n":4,"t_us":2000,"event":"pause"}
            {"n":4,"t_us":2000,"event":"custom","attributes":{"custom_name":"twice"}}
            {"n":5,"t_us":3000,"end":"done","dropped":0}
            {"n":6,"t_us":4000,"event":"video_unload"}
            """
        let answer = collector.post("/runs/a", batch)
        #expect(answer?.status == 200 && answer?.safe == 6 && answer?.body["refused"] == 4)
        let reasons = reasons(answer)
        #expect(reasons.count == 4, "\(reasons)")
        #expect(reasons[0].hasPrefix("3 t_us is 999999999999999") && reasons[1].hasPrefix("4 run is b"))
        #expect(reasons[2].hasPrefix("6 n is 4") && reasons[3].hasPrefix("7 end is done: write \"drained\""))
        let end = "{\"sent_us\":5000}\n{\"n\":7,\"t_us\":5000,\"end\":\"cancelled\"}"
        #expect(collector.post("/runs/a", end)?.safe == 7)
        #expect(await collector.shelved(1))
        let archived = try await collector.archived()
        let events = try archived.compactMap { try JSONParser().parse($0)["event"]?.string }
        #expect(events == ["video_load", "pause", "video_unload"])
        #expect(archived.last?.contains("\"end\":\"cancelled\"") == true)
    }

    @Test("Lines that are refused at either end of a batch hold up none that follow")
    func ends() async throws {
        let collector = try await start()
        let bad = #"{"n":1,"t_us":0,"event":"plugin_disabled"}"#
        #expect(collector.post("/runs/a", "{\"sent_us\":0}\n\(bad)")?.safe == 1)
        #expect(collector.post("/runs/a", SampleRun.batch(2...3, sent: 500_000))?.safe == 3)
        // Its number can be read, though nothing else.
        #expect(collector.post("/runs/a", SampleRun.batch(4...5, sent: 1_000_000) + "\n{\"n\":6,\"t_us\"")?.safe == 6)
        #expect(collector.post("/runs/a", SampleRun.batch(7...8))?.safe == 8)
        #expect(collector.figure("refused_lines_total") == 2 && collector.figure("lines_total") == 6)
        #expect(collector.figure("left_out_lines_total") == 0)
    }

    @Test("Numbers that are left out within a batch are counted, and the answer says how many")
    func leftOut() async throws {
        let collector = try await start()
        let batch = SampleRun.whole.split(separator: "\n").filter { line in
            !["\"n\":3,", "\"n\":5,"].contains { line.contains($0) }
        }
        let answer = collector.post("/runs/a", batch.joined(separator: "\n"))
        #expect(answer?.safe == 8 && answer?.body["left_out"] == 2 && answer?.body["refused"] == nil)
        #expect(collector.figure("left_out_lines_total") == 2)
        #expect(collector.post("/runs/b", SampleRun.whole)?.body["left_out"] == nil)
    }

    @Test("A run that nobody knows is told so when it does not begin with its first line, and can be gone on with")
    func unknown() async throws {
        let collector = try await start()
        let answer = collector.post("/runs/a", SampleRun.batch(3...8))
        #expect(answer?.status == 410 && answer?.body["unknown"] == true && answer?.body["ended"] == nil)
        #expect(answer?.safe == 0 && answer?.body["error"]?.string?.contains("\"lost\":2") == true)
        let lost = SampleRun.batch(3...8).replacing("{\"sent_us\":36100000}", with: "{\"sent_us\":36100000,\"lost\":2}")
        #expect(collector.post("/runs/a", lost)?.safe == 8)
        let over = collector.post("/runs/a", SampleRun.batch(3...8))
        #expect(await collector.shelved(1))
        #expect(over?.safe == 8)
        let ended = collector.post("/runs/a", SampleRun.batch(3...8))
        #expect(ended?.status == 410 && ended?.body["ended"] == true && ended?.body["unknown"] == nil)
    }

    @Test("Words that mean nothing are counted, and logged once for each tenant, without what may be about a person")
    func words() async throws {
        let configuration = files.write(
            "tally.json5",
            "{ collector: { tenants: { web: { keys: [\"k1\"] }, app: { keys: [\"k2\"] } } } }"
        )
        let collector = try await RunningCollector(files.file("collected"), ["--config", configuration])
        let batch = """
            {"sent_us":1000000}
            {"n":1,"t_us":0,"event":"video_laod","attributes":{"my_own":1}}
            {"n":2,"t_us":1,"event":"play","color":"red","state":{"playhead":1}}
            {"n":3,"t_us":2,"event":"pause","state":{"playhead":1,"muted":true}}
            {"n":4,"t_us":3,"event":"seen by ann@example.org"}
            """
        #expect(collector.post("/runs/a?key=k1", batch)?.safe == 4)
        // What comes again is not counted again.
        #expect(collector.post("/runs/a?key=k1", batch)?.safe == 4)
        #expect(collector.post("/runs/b?key=k1", batch)?.safe == 4)
        #expect(collector.post("/runs/a?key=k2", batch)?.safe == 4)
        #expect(collector.figure("unknown_words_total{kind=\"event\"}") == 6)
        #expect(collector.figure("unknown_words_total{kind=\"member\"}") == 6)
        #expect(try await collector.end() == 0)
        let log = collector.program.errors
        #expect(log.components(of: "tenant web: ") == 4 && log.components(of: "tenant app: ") == 4, "\(log)")
        #expect(log.contains("an event video_laod (video_load?), which the data model does not have"))
        #expect(log.contains("a member state.playhead, which means nothing"))
        #expect(!log.contains("ann"))
        #expect(log.contains("an event of characters that no name of Tally has"))
    }

    @Test("The head of the page's script can be asked for")
    func head() async throws {
        let collector = try await start()
        for name in ["tally.js", "tally.mjs"] {
            #expect(collector.post("/\(name)", "", method: "HEAD")?.status == 200)
            #expect(collector.post("/\(name)", "", method: "PUT")?.status == 405)
        }
    }

    @Test("A run without a session that ends by silence says so at its end")
    func silence() async throws {
        let configuration = files.write("tally.json5", "{ collector: { silenceAfterEndSeconds: 1 } }")
        let collector = try await RunningCollector(files.file("collected"), ["--config", configuration])
        let text = "{\"sent_us\":5}\n{\"n\":1,\"t_us\":5,\"event\":\"application_background\"}"
        #expect(collector.post("/runs/a", text)?.safe == 1)
        #expect(await collector.shelved(1))
        let end = try await collector.archived().last
        #expect(end?.contains("\"end\":\"drained\",\"dropped\":0,\"cause\":\"silence\"") == true, "\(end ?? "")")
    }
}

extension String {
    /// How often a text is in it.
    fileprivate func components(of text: String) -> Int {
        split(separator: text, omittingEmptySubsequences: false).count - 1
    }

    @Test("What says that it is gzip and is none is no body that is too long, and a folder is no log")
    func damagedBody() async throws {
        let files = TemporaryFolder()
        let collector = try await RunningCollector(ofOneTenant: files)
        let answer = collector.post("/runs/r?key=k1", "no gzip at all", headers: "Content-Encoding: gzip\r\n")
        #expect(answer?.status == 400 && answer?.body["error"]?.string?.contains("no gzip") == true)
        #expect(try await collector.end() == 0)
        let run = try await ChildProgram.run(
            "tally-collector",
            ["import", "--folder", files.file("imported"), "--format", "nginx", files.path]
        )
        #expect(run.code == 66 && run.errors.contains("is a folder"), "\(run.code) \(run.errors)")
    }
}
