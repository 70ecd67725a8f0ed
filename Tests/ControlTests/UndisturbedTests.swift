import Glibc
import HostSupport
import Tally
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
        let folder = TestFolder.make()
        let server = try ControlServer(path: folder + "/socket", queue: queue, tap: tap)
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
        for _ in 0..<2_000 {
            results.append(run.trackSeekStart(from: 1, to: 2))
            results.append(run.trackSeekComplete())
            usleep(500)
        }
        isOver.with { $0 = true }
        for client in clients { client.join() }
        #expect(results.allSatisfy { $0 == .queued })
        #expect(server.statistics.messages > 20)
        // Whoever does not read gets what fits and is told of the rest; nothing grows without end.
        #expect(server.statistics.unreadBytes <= ControlLimits().allTapBytes + ControlLimits().unreadBytes * 200)
        #expect(tap.totals.sent > 0)
        queue.close()
        server.close()
        #expect(run.destroy().droppedEvents == 0)
        telemetry.close()
        _ = unsafe rmdir(folder)
    }
}
