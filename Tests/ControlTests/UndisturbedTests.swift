import ChildPrograms
import HostSupport
import Tally
import TestFiles
import Testing
import TextEncoding

/// A run whose control socket is under load.
struct UndisturbedTests {
    @Test("No track call is refused while clients flood the socket, tap without reading, and switch plugins")
    func flood() throws {
        let tap = OutputTap()
        let telemetry = try Telemetry(
            plugins: [PluginSelection("example-c"), PluginSelection("discard")],
            catalog: Products.catalog(),
            options: Telemetry.Options(),
            extraConsumers: [tap]
        )
        let run = try telemetry.startRun()
        let queue = ControlQueue { command in
            if case .plugin(.disable(let name)) = command { run.disable(plugin: name) }
            if case .plugin(.enable(let name)) = command { run.enable(plugin: name) }
            return .success(.array(run.plugins().map { .string($0.name) }))
        }
        let folder = TemporaryFolder()
        let server = try ControlServer(path: folder.file("socket"), queue: queue, tap: tap)
        let deaf = try (0..<20).map { _ in try RawClient(server.path) }
        for client in deaf { client.send("{\"command\":[\"tap\"]}\n") }
        let isOver = Lock(false)
        let clients = try (0..<4).map { _ in try RawClient(server.path) }.map { client in
            nonisolated(unsafe) let client = client
            return Thread(name: "flood") {
                while !isOver.with({ $0 }) {
                    for word in ["disable", "enable"] {
                        unsafe client.send("{\"command\":[\"\(word)\",\"example-c\"]}\n")
                        _ = try? unsafe client.line()
                    }
                }
            }
        }
        run.trackVideoLoad()
        run.trackPlay()
        var results: [TrackResult] = []
        // Until the clients had their say too, however seldom they get a processor.
        let hadTheirSay = blocked(every: 500) {
            results.append(run.trackSeekStart(from: 1, to: 2))
            results.append(run.trackSeekComplete())
            return results.count >= 4_000 && server.statistics.messages > 20 && tap.totals.sent > 0
        }
        #expect(hadTheirSay)
        isOver.with { $0 = true }
        for client in clients { client.join() }
        #expect(results.allSatisfy { $0 == .queued })
        // Whoever does not read gets what fits and is told of the rest; nothing grows without end.
        #expect(server.statistics.unreadBytes <= ControlLimits().allTapBytes + ControlLimits().unreadBytes * 200)
        queue.close()
        server.close()
        #expect(run.destroy().droppedEvents == 0)
        telemetry.close()
    }
}
