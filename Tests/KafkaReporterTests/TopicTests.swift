import ChildPrograms
import KafkaBrokers
import Tally
import TallyTesting
import TestFiles
import Testing
import TextEncoding

/// What comes to topics, and what is read back from them.
@Suite("The topics of the reporter kafka")
struct TopicTests {
    @Test(
        "kcat reads what jsonlines writes of the same run, keyed by the run, each with its id",
        .enabled(if: Kcat.isInstalled)
    )
    func kcat() async throws {
        let run = try KafkaRun()
        run.cluster.create(topic: "tally", partitions: 3)
        try run.record(["events": true])
        let lines = try await run.replay(
            run.archive,
            "--plugins",
            "example-swift,jsonlines",
            "--set",
            "plugins.jsonlines.config.events=true",
            "--quiet"
        )
        #expect(lines.code == 0, "\(lines)")
        let expected = lines.output.split(separator: "\n").filter { $0.contains("\"n\":") }.map(String.init)
        #expect(expected.count > 10)
        let read = try await Kcat.read("tally", of: run.cluster, "%k|%h|%s\n").split(separator: "\n").map(String.init)
        #expect(read.map { $0.split(separator: "|", maxSplits: 2).last.map(String.init) ?? "" } == expected)
        for line in read {
            let parts = line.split(separator: "|", maxSplits: 2).map(String.init)
            #expect(parts[0] == "virtualrun01")
            let value = try JSONParser().parse(parts[2])
            let (kind, number) = (value["line"]?.string ?? "", value["n"]?.int ?? -1)
            let instance = (value["instance"]?.string ?? "") + (kind == "beacon" ? ":beacon" : "")
            #expect(parts[1].hasPrefix("id=virtualrun01/\(instance)/\(number),kind=\(kind),"))
        }
        let ids = read.map { $0.split(separator: "|")[1].split(separator: ",")[0] }
        #expect(Set(ids).count == ids.count, "each has an id of its own")
    }

    @Test(
        "Records and beacons of one number, and events without any, are told apart by a spool",
        arguments: [false, true]
    )
    func numbers(spooled: Bool) async throws {
        let run = try KafkaRun()
        let tests = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        let settings = ["brokers=\"\(run.cluster.addresses)\"", "events=true", "topic=\"said\""]
        let spool = spooled ? ["spool=\"\(run.folder.file("own.db"))\""] : []
        let outcome = try await ChildProgram.run(
            "tally-replay",
            [
                "\(tests)/ReplayTests/Archives/Kept/playback.tally.zst", "--plugin-dir", PluginFiles.folder,
                "--plugins", "example-swift,example-c,jsonlines,kafka", "--quiet", "--set",
                "plugins.jsonlines.config.events=true",
            ] + (settings + spool).flatMap { ["--set", "plugins.kafka.config.\($0)"] }
        )
        #expect(outcome.code == 0, "\(outcome)")
        let written = outcome.output.split(separator: "\n").map(String.init).filter { $0.contains("\"n\":") }
        #expect(written.contains { $0.contains("\"line\":\"beacon\"") })
        #expect(written.contains { $0.contains("\"n\":0") }, "there are events without a number")
        #expect(try run.values(of: "said").sorted() == written.sorted())
    }

    @Test(
        "A topic of archive lines is the archive, byte for byte, and its replay says what the file's says",
        arguments: [false, true]
    )
    func archive(spooled: Bool) async throws {
        let run = try KafkaRun()
        var configuration: JSONObject = ["archive": "runs"]
        if spooled { configuration["spool"] = .string(run.folder.file("spool.db")) }
        try run.record(sessions: 20, configuration)
        let file = try TestFile.text(run.archive)
        let topic = try await run.tool("cat", run.address("runs"))
        #expect(topic.code == 0, "\(topic)")
        #expect(topic.output == file)
        let fromFile = try await run.replay(run.archive, "--plugins", "example-swift,jsonlines", "--quiet")
        let fromTopic = try await run.replay(run.address("runs"), "--plugins", "example-swift,jsonlines", "--quiet")
        #expect(fromTopic.code == 0, "\(fromTopic)")
        #expect(!fromTopic.output.isEmpty)
        #expect(fromTopic.output == fromFile.output)
    }

    @Test("It writes from a process of its own, with its spool, what it writes without one")
    func isolated() throws {
        let run = try KafkaRun()
        try run.record(
            ["archive": "runs", "spool": .string(run.folder.file("spool.db"))],
            isolation: .process
        )
        #expect(try run.values(of: "runs").joined(separator: "\n") + "\n" == TestFile.text(run.archive))
        #expect(try run.values(of: "tally").count > 3)
    }

    @Test("One run of a topic with several is read by its id")
    func oneRun() async throws {
        let run = try KafkaRun()
        for id in ["first", "second", "third"] { try run.record(id: id) }
        let cat = try await run.tool("cat", run.address("runs") + "?run=third")
        #expect(cat.code == 0, "\(cat)")
        #expect(cat.output == (try TestFile.text(run.archive)))
        let all = try await run.tool("stats", run.address("runs"), "--json")
        #expect(try JSONParser().parse(all.output)["runs"]?.int == 3, "\(all.output)")
    }

    @Test("A replay puts an archive into a topic as it is", arguments: [[], ["--jobs", "2"]])
    func replayed(options: [String]) async throws {
        let run = try KafkaRun()
        try run.record(sessions: 20, ["archive": "live"])
        let outcome = try await ChildProgram.run(
            "tally-replay",
            [
                run.archive, "--plugins", "example-swift,example-c,kafka", "--plugin-dir", PluginFiles.folder,
                // Its timers say something where the archive has no line.
                "--quiet", "--set", "plugins.example-c.config.interval_seconds=1",
                "--set", "plugins.kafka.config.brokers=\"\(run.cluster.addresses)\"",
                "--set", "plugins.kafka.config.archive=\"copied\"",
            ] + options
        )
        #expect(outcome.code == 0, "\(outcome)")
        #expect(try run.values(of: "copied") == run.values(of: "live"))
        #expect(try !run.values(of: "copied").isEmpty)
    }

    @Test("Topics are named by what outputs say; what a name may not have is an underline")
    func names() throws {
        let run = try KafkaRun()
        try run.record(["topic": "t.{kind}.{instance}.{name}"])
        #expect(try run.values(of: "t.beacon.example-swift.example.watch-time").count == 3)
        try run.record(["topic": "by.{attribute:no such}", "beacons": false], id: "other")
        #expect(try !run.values(of: "by.none").isEmpty)
    }

    @Test("A broker that is not there, and an address that is none, end a replay with a reason and 66")
    func unreadable() async throws {
        let run = try KafkaRun()
        let closed = try await run.replay("kafka://127.0.0.1:1/runs?socket.connection.setup.timeout.ms=1000")
        #expect(closed.code == 66)
        #expect(closed.errors.contains("no broker answers"), "\(closed.errors)")
        let wrong = try await run.tool("cat", "kafka://localhost:9092")
        #expect(wrong.code == 66)
        #expect(wrong.errors.contains("kafka://HOST:PORT"), "\(wrong.errors)")
    }

    @Test("What needs a file that lasts refuses a topic", arguments: [["--follow"], ["--checkpoint", "checkpoint"]])
    func files(options: [String]) async throws {
        let run = try KafkaRun()
        let options = options.map { $0.hasPrefix("-") ? $0 : run.folder.file($0) }
        let outcome = try await ChildProgram.run(
            "tally-replay",
            [run.address("runs"), "--plugins", "discard", "--plugin-dir", PluginFiles.folder] + options
        )
        #expect([64, 65, 66].contains(outcome.code), "\(outcome)")
        let index = try await run.tool("index", run.address("runs"))
        #expect(index.code == 64, "\(index)")
    }

    @Test("A rule that takes something out of outputs, and archive lines, which are whole, do not go together")
    func privacy() async throws {
        let run = try KafkaRun()
        try run.record()
        let configuration = run.folder.write(
            "tally.json5",
            """
            { plugins: [{ plugin: "example-swift" },
                { plugin: "kafka", config: { brokers: "\(run.cluster.addresses)", archive: "private" } }],
              delivery: { privacy: [{ personal: true, action: "drop" }] } }
            """
        )
        let outcome = try await run.replay(run.archive, "--config", configuration)
        #expect(outcome.code != 0)
        #expect(outcome.errors.contains("archive lines, which are whole"), "\(outcome.errors)")
    }
}
