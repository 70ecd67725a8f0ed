import ChildPrograms
import Glibc
import LoopbackServer
import PluginKit
import TallyTesting
import Testing

/// The reporter in a program of its own.
@Suite("The reporter http in tally-replay")
struct ProgramTests {
    private let replay: DeliveringProgram

    init() throws { replay = try DeliveringProgram() }

    @Test("A program that wants the spool of another one says so and sends nothing; when that has ended it can have it")
    func oneProgram() async throws {
        let server = try TestServer.start()
        let holder = try Delivery(["spool": .string(replay.spool)])
        let refused = try await replay.start(to: server.url(of: "x")).end()
        #expect(refused == 70 || refused == 73 || refused == 78, "\(refused)")
        #expect(replay.said.contains("another program uses it") && replay.said.contains("spool.db"), "\(replay.said)")
        #expect(server.requests.isEmpty)
        holder.end()
        #expect(try await replay.start(to: server.url(of: "x")).end() == 0, "\(replay.said)")
        #expect(server.requests.count == 3)
    }

    @Test("What servers refuse is told by reason, and the program ends with 74; not when that is tolerated")
    func refused() async throws {
        let server = try TestServer.start([FaultRule(PathPattern("*"), Faults(status: 403))])
        #expect(try await replay.start(to: server.url(of: "x")).end() == 74, "\(replay.said)")
        #expect(replay.said.contains("http gave up 3 outputs, by reason: refused 3"), "\(replay.said)")
        let tolerant = try DeliveringProgram()
        let program = try tolerant.start(to: server.url(of: "x"), ["tolerated": "[\"refused\"]"], ["--json"])
        #expect(try await program.end() == 0, "\(tolerant.said)")
        let totals: JSONValue = [
            "found": 0, "taken": 3, "resent": 0, "delivered": 0, "waiting": 0, "dead": 3, "given_up": ["refused": 3],
            "lost": 0,
        ]
        #expect(try tolerant.summary()["reporters"]?[0]?["totals"] == totals, "\(tolerant.said)")
    }

    @Test("What waits at the end is told, and is no failure")
    func waiting() async throws {
        let address = "http://127.0.0.1:\(try TestServer.freePort())/x"
        #expect(try await replay.start(to: address, ["drain_ms": "0"], ["--json"]).end() == 0, "\(replay.said)")
        let totals = try replay.summary()["reporters"]?[0]?["totals"]
        #expect(totals?["waiting"] == 3 && totals?["taken"] == 3 && totals?["lost"] == 0, "\(replay.said)")
    }

    @Test("When a signal ends the program, what it took is delivered or waits, in its summary and in the spool")
    func terminated() async throws {
        let long = try DeliveringProgram(sessions: 100)
        let server = try TestServer.start([FaultRule(PathPattern("*"), Faults(latencyMilliseconds: 20, status: 200))])
        let program = try long.start(to: server.url(of: "x"), ["drain_ms": "0"], ["--rate", "20", "--json"])
        #expect(server.waitForRequests { $0.count >= 10 })
        program.send(SIGTERM)
        #expect(try await program.end() == 130, "\(long.said)")
        let totals = try long.summary()["reporters"]?[0]?["totals"]
        let (taken, delivered) = (try long.count("taken"), try long.count("delivered"))
        #expect(delivered > 0 && totals?["delivered"] == .int(delivered), "\(long.said)")
        #expect(totals?["taken"] == .int(taken) && totals?["waiting"] == .int(taken - delivered), "\(long.said)")
    }

    @Test("While no program runs its spool can be shown, sent and emptied, and its dead letters sent again")
    func asked() async throws {
        let port = try TestServer.freePort()
        let address = "http://127.0.0.1:\(port)/x"
        #expect(try await replay.start(to: address, ["drain_ms": "0"]).end() == 0, "\(replay.said)")
        let server = try TestServer.start([FaultRule(PathPattern("*"), Faults(status: 403), limit: 3)], port: port)
        #expect(try await replay.spool("ls").array?.compactMap { $0["n"]?.int } == [1, 2, 3])
        #expect(try await replay.spool("stats")["waiting"] == 3)
        #expect(server.requests.isEmpty, "only drain sends")
        // For people it is a table: names, then a row for each beacon.
        let table = try await ChildProgram.run(
            "tally-replay",
            ["spool", "ls", replay.spool, "--plugin-dir", PluginFiles.folder]
        )
        let rows = table.output.split(separator: "\n").map { $0.split(separator: " ") }
        let column = try #require(rows.first?.firstIndex(of: "n"))
        #expect(rows.dropFirst().map { $0[column] } == ["1", "2", "3"], "\(table.output)")
        let drained = try await replay.ask("drain")
        #expect(drained.code == 74 && drained.output.contains("{\"refused\":3}"), "\(drained)")
        #expect(drained.errors.contains("http gave up 3 outputs, by reason: refused 3"), "\(drained)")
        #expect(try await replay.spool("stats")["destinations"]?["example.watch-time"]?["last_failure"] == "status 403")
        #expect(try await replay.spool("dead").array?.count == 3)
        let unknown = try await replay.ask("resend", "nothing.such")
        #expect(unknown.code == 1 && unknown.errors.contains("name one of example.watch-time"), "\(unknown)")
        #expect(try await replay.spool("resend")["resent"] == 3)
        #expect(server.requests.count == 3)
        #expect(try await replay.spool("drain")["delivered"] == 3)
        #expect(server.requests.count == 6)

        let other = try DeliveringProgram()
        #expect(try await other.start(to: "http://127.0.0.1:1/x", ["drain_ms": "0"]).end() == 0, "\(other.said)")
        #expect(try await other.ask("purge", "nothing.such").code == 1)
        // Nobody is there: what still waits is told, and no failure.
        let undelivered = try await other.ask("drain", "--plugins", "http", "--set", "plugins.http.config.drain_ms=0")
        #expect(undelivered.code == 0 && undelivered.errors.contains("3 still wait"), "\(undelivered)")
        #expect(try await other.spool("purge")["erased"] == 3)
        #expect(try await other.spool("stats")["waiting"] == 0)
    }

    @Test("A spool that is not there, or that a program has open, is told, and no file is made")
    func notAsked() async throws {
        func code(_ words: String...) async throws -> Int32 {
            try await ChildProgram.run("tally-replay", ["spool"] + words + ["--plugin-dir", PluginFiles.folder]).code
        }
        #expect(try await code("stats", replay.spool) == 66)
        #expect(try await code("empty", replay.spool) == 64)
        let outcome = try await ChildProgram.run("tally-replay", ["spool", "ls"])
        #expect(outcome.code == 64 && outcome.errors.contains("the spool's file is missing"), "\(outcome)")
        let holder = try Delivery(["spool": .string(replay.spool)])
        #expect(try await code("stats", replay.spool) == 1)
        holder.end()
        #expect(try await code("stats", replay.spool) == 0)
        func text(_ command: String) async throws -> String {
            let words = ["spool", command, replay.spool, "--plugin-dir", PluginFiles.folder]
            return try await ChildProgram.run("tally-replay", words).output
        }
        #expect(try await text("ls") == "none\n")
        let stats = try await text("stats").split(separator: "\n")
        #expect(stats.contains { $0.hasPrefix("waiting ") && $0.hasSuffix(" 0") }, "\(stats)")
        let other = try await replay.ask("ls", "--plugins", "jsonlines")
        #expect(other.code == 64 && other.errors.contains("is no reporter with a spool"), "\(other)")
    }

    @Test("A reporter that still sends at the end is waited for, however short the host's patience is")
    func patience() async throws {
        let server = try TestServer.start([FaultRule(PathPattern("*"), Faults(latencyMilliseconds: 1_700, status: 200))]
        )
        let code = try await replay.start(to: server.url(of: "slow"), ["drain_ms": "60000"], ["--patience", "1"]).end()
        #expect(code == 0, "\(replay.said)")
        #expect(server.requests.count == 3)
    }
}
