import ChildPrograms
import Glibc
import HostSupport
import Tally
import TallyTesting
import TestFiles
import Testing
import TextEncoding

/// What a reply says is so.
struct TruthTests {
    @Test("Replies come in the order of the messages, also where one is slow and the next ones are answered at once")
    func order() throws {
        let folder = TemporaryFolder()
        let gate = Lock(false)
        let queue = ControlQueue { _ in
            _ = blocked { gate.with { $0 } }
            return .success(["echo": "slow"])
        }
        let tap = OutputTap()
        let server = try ControlServer(path: folder.file("socket"), queue: queue, tap: tap)
        defer {
            queue.close()
            server.close()
        }
        let client = try RawClient(server.path)
        client.send(
            "{\"command\":[\"stats\"],\"request_id\":1}\n{\"command\":[\"nonsense\"],\"request_id\":2}\nno message\n"
                + "{\"command\":[\"tap\"],\"request_id\":4}\n{\"command\":[\"untap\"],\"request_id\":5}\n"
        )
        // All are read, and those that need no answer of the queue are answered, before the first one is.
        #expect(blocked { server.statistics.messages == 5 })
        gate.with { $0 = true }
        let replies = try (0..<5).map { _ in try client.line() }
        #expect(replies.map { $0["request_id"]?.int } == [1, 2, nil, 4, 5])
        #expect(
            replies.map { $0["error"]?.string }
                == ["success", "unknown_command", "invalid_message", "success", "success"]
        )
    }

    @Test("What a tracker whose thread does not answer was told is not confirmed, is withdrawn, and can be told again")
    func notConfirmed() throws {
        var ends: [Int32] = [0, 0]
        let isOpen = unsafe pipe(&ends) == 0
        try #require(isOpen)
        defer { for end in ends { close(end) } }
        var options = Telemetry.Options()
        options.answerLimit = 200
        let catalog = PluginCatalog()
        try catalog.add(PluginSource.file(PluginFiles.fixture("bad-neighbour")).library())
        let telemetry = try Telemetry(
            plugins: [
                PluginSelection(
                    "org.tally.fixture.bad-neighbour",
                    name: "hung",
                    configuration: ["do": 7, "pipe": .int(Int64(ends[0]))]
                )
            ],
            catalog: catalog,
            options: options
        )
        let run = try telemetry.startRun()
        let control = PluginControl(run: run, telemetry: telemetry) { preconditionFailure("nobody asks for the setup") }
        let queue = ControlQueue { command in
            guard case .plugin(let order) = command else { return .failure(.unavailable, "no order") }
            return control.perform(order)
        }
        let folder = TemporaryFolder()
        let server = try ControlServer(path: folder.file("socket"), queue: queue, tap: nil)
        let client = try RawClient(server.path)
        func ask(_ verb: String) throws -> JSONValue {
            client.send("{\"command\":[\"plugin\",\"\(verb)\",\"hung\"]}\n")
            return try client.line()
        }
        run.trackVideoLoad()
        run.trackPlay()
        // It is in the call, and stays there: an event behind it stays in the queue.
        #expect(blocked { run.currentTrackers(limit: 50) == nil })

        let unconfirmed = try ask("disable")
        #expect(unconfirmed["error"]?.string == "timed_out" && unconfirmed["data"] == nil)
        #expect(
            unconfirmed["message"]?.string
                == "hung: not confirmed: a plugin has held up the run's thread for 0.2 s; the change is withdrawn, and "
                + "nothing has changed"
        )
        let listed = try ask("stats")["data"]?["plugins"]?.array?.first
        #expect(listed?["state"]?.string == "enabled", "not as a file that nobody has configured")

        var byte: UInt8 = 1
        #expect(unsafe write(ends[1], &byte, 1) == 1)
        #expect(blocked { run.currentTrackers(limit: 50) != nil })
        #expect(run.currentTrackers(limit: 60_000)?.first?.enabled == true, "the change was withdrawn")
        // Now its thread answers, however long it takes a busy machine.
        #expect(blocked { (try? ask("disable"))?["data"]?["note"]?.string == "hung is disabled" })
        #expect(run.currentTrackers(limit: 60_000)?.first?.enabled == false)
        queue.close()
        server.close()
        run.destroy()
        telemetry.close()
    }
}
