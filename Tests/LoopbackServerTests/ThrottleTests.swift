import LoopbackServer
import Testing

struct ThrottleTests {
    @Test func `a transfer's end follows the steps of the schedule`() throws {
        let schedule = try ThrottleSchedule(parsing: "0:1000,2:0,5:500,10:unlimited")
        #expect(schedule.end(ofBits: 1000, from: 0) == 1)
        #expect(schedule.end(ofBits: 2500, from: 0) == 6)
        #expect(schedule.end(ofBits: 100, from: 3) == 5.2)
        #expect(schedule.end(ofBits: 1_000_000, from: 0) == 10)
        #expect(schedule.end(ofBits: 1_000_000, from: 12) == 12)
    }

    @Test func `a transfer over a dead link never ends`() throws {
        let schedule = try ThrottleSchedule(parsing: "0:1M,2:0")
        #expect(schedule.end(ofBits: 3_000_000, from: 0) == .infinity)
        #expect(schedule.rate(at: 1.9) == 1_000_000)
        #expect(schedule.rate(at: 2) == 0)
    }

    @Test func `a file takes at least the time that the bandwidth gives`() throws {
        let folder = TemporaryFolder()
        let content = folder.write(count: 100_000, to: "a")
        var configuration = ServerConfiguration(root: folder.path)
        configuration.throttle = ThrottleSchedule(bitsPerSecond: 800_000)
        let server = try LoopbackServer(configuration)
        let start = ContinuousClock.now
        let reply = try RawClient(port: server.port).request("GET", "/a")
        let duration = ContinuousClock.now - start
        #expect(reply.body == content)
        #expect(duration > .milliseconds(700))
    }

    @Test func `connections share one link`() async throws {
        let folder = TemporaryFolder()
        folder.write("a", bytes: [UInt8](repeating: 1, count: 50_000))
        var configuration = ServerConfiguration(root: folder.path)
        configuration.throttle = ThrottleSchedule(bitsPerSecond: 800_000)
        let server = try LoopbackServer(configuration)
        let start = ContinuousClock.now
        let clients = try (0..<3).map { _ in try RawClient(port: server.port) }
        for client in clients {
            client.send("GET /a HTTP/1.1\r\n\r\n")
        }
        for client in clients {
            #expect(try client.reply().body.count == 50_000)
        }
        #expect(ContinuousClock.now - start > .milliseconds(1200))
    }

    @Test func `the clock starts with the first request that matches`() throws {
        let folder = TemporaryFolder()
        folder.write("list.m3u8", bytes: [1])
        folder.write("a.m4s", bytes: [2])
        var configuration = ServerConfiguration(root: folder.path)
        configuration.throttle = try ThrottleSchedule(parsing: "0:0")
        configuration.throttleStart = .firstRequest(PathPattern("*.m4s"))
        let server = try LoopbackServer(configuration)
        let client = try RawClient(port: server.port)
        #expect(try client.request("GET", "/list.m3u8").body == [1])
        client.send("GET /a.m4s HTTP/1.1\r\n\r\n")
        #expect(try client.reply(withBody: false).status == 200)
        #expect(!client.hasNews(withinMilliseconds: 300))
    }
}
