import LoopbackServer
import Synchronization
import Testing

struct FaultTests {
    private let folder: TemporaryFolder
    private let content: [UInt8]

    init() throws {
        folder = TemporaryFolder()
        content = folder.write(count: 100_000, to: "a.m4s")
        folder.write("b.mp4", bytes: [9])
    }

    private func makeServer(_ rules: String...) throws -> LoopbackServer {
        var configuration = ServerConfiguration(root: folder.path)
        configuration.faults = try rules.map { rule in try FaultRule(parsing: rule) }
        return try LoopbackServer(configuration)
    }

    @Test func `a status replaces the resource for paths that match`() throws {
        let server = try makeServer("*.m4s=status:503")
        let client = try RawClient(port: server.port)
        #expect(try client.request("GET", "/a.m4s").status == 503)
        #expect(try client.request("POST", "/a.m4s").status == 503)
        #expect(try client.request("GET", "/b.mp4").body == [9])
    }

    @Test func `a status without a body has none`() throws {
        let server = try makeServer("/a.m4s=status:204")
        let client = try RawClient(port: server.port)
        let reply = try client.request("GET", "/a.m4s")
        #expect(reply.status == 204)
        #expect(reply.headers["content-length"] == nil)
        #expect(try client.request("GET", "/b.mp4").body == [9])
    }

    @Test func `a cut closes early under a head that promises the whole`() throws {
        let server = try makeServer("*.m4s=cut:10000")
        let reply = try RawClient(port: server.port).request("GET", "/a.m4s")
        #expect(reply.status == 200)
        #expect(reply.headers["content-length"] == "100000")
        #expect(reply.isCut)
        #expect(reply.body == Array(content.prefix(10_000)))
    }

    @Test func `a cut is at an offset of the file, however ranges divide it`() throws {
        let server = try makeServer("*.m4s=cut:10000")
        let before = try RawClient(port: server.port).request("GET", "/a.m4s", "Range: bytes=0-9999")
        #expect(!before.isCut)
        let across = try RawClient(port: server.port).request("GET", "/a.m4s", "Range: bytes=9000-")
        #expect(across.isCut)
        #expect(across.body == Array(content[9000..<10_000]))
        let after = try RawClient(port: server.port).request("GET", "/a.m4s", "Range: bytes=10000-")
        #expect(after.status == 206)
        #expect(after.body.isEmpty)
        #expect(after.isCut)
    }

    @Test func `a stall keeps the connection open without more bytes`() throws {
        let server = try makeServer("*.m4s=stall:5000")
        let client = try RawClient(port: server.port)
        client.send("GET /a.m4s HTTP/1.1\r\n\r\n")
        #expect(try client.reply(withBody: false).headers["content-length"] == "100000")
        #expect(client.waitForBytes(5000) == Array(content.prefix(5000)))
        #expect(!client.hasNews(withinMilliseconds: 300))
        server.stop()
        #expect(client.hasNews(withinMilliseconds: 60_000))
    }

    @Test func `an answer says another type and length than the resource has, and the connection is closed behind it`()
        throws
    {
        var configuration = ServerConfiguration(root: folder.path)
        configuration.faults = [
            FaultRule(PathPattern("/a.m4s"), Faults(contentType: "text/html", contentLength: 200_000)),
            FaultRule(PathPattern("/b.mp4"), Faults(contentLength: 0)),
        ]
        let server = try LoopbackServer(configuration)
        let longer = try RawClient(port: server.port).request("GET", "/a.m4s")
        #expect(longer.headers["content-type"] == "text/html")
        #expect(longer.headers["content-length"] == "200000")
        #expect(longer.isCut)
        #expect(longer.body == content)
        let client = try RawClient(port: server.port)
        #expect(try client.request("GET", "/b.mp4").headers["content-length"] == "0")
        #expect(client.waitForBytes(1) == [9])
    }

    @Test func `a redirect names another address in place of the resource`() throws {
        var configuration = ServerConfiguration(root: folder.path)
        configuration.faults = [
            FaultRule(PathPattern("/a.m4s"), Faults(redirectsTo: "b.mp4")),
            FaultRule(PathPattern("/b.mp4"), Faults(status: 307, redirectsTo: "/b.mp4"), limit: 1),
        ]
        let server = try LoopbackServer(configuration)
        let client = try RawClient(port: server.port)
        let first = try client.request("GET", "/a.m4s")
        #expect(first.status == 302)
        #expect(first.headers["location"] == "b.mp4")
        #expect(try client.request("GET", "/b.mp4").status == 307)
        #expect(try client.request("GET", "/b.mp4").body == [9])
    }

    @Test func `refusal gives no byte of an answer`() throws {
        let server = try makeServer("/b.mp4=refuse")
        let client = try RawClient(port: server.port)
        #expect(throws: RawClient.Failure.self) {
            try client.request("GET", "/b.mp4")
        }
        #expect(server.requests.map(\.path) == ["/b.mp4"])
    }

    @Test func `latency delays the first byte`() throws {
        let server = try makeServer("/b.mp4=latency:300")
        let client = try RawClient(port: server.port)
        let start = ContinuousClock.now
        #expect(try client.request("GET", "/b.mp4").body == [9])
        #expect(ContinuousClock.now - start >= .milliseconds(300))
    }

    @Test func `a limited fault ends after so many requests`() throws {
        let server = try makeServer("/b.mp4=status:503,first:2")
        let client = try RawClient(port: server.port)
        #expect(try (0..<4).map { _ in try client.request("GET", "/b.mp4").status } == [503, 503, 200, 200])
    }

    @Test func `a later rule wins and the others' faults stay`() throws {
        let server = try makeServer("*=status:500", "*=cut:3", "/b.mp4=status:404")
        let reply = try RawClient(port: server.port).request("GET", "/b.mp4")
        #expect(reply.status == 404)
        #expect(reply.body.count == 3)
        #expect(try RawClient(port: server.port).request("GET", "/a.m4s").status == 500)
    }

    @Test func `each answer is reported with what was sent of it`() throws {
        let reported = Atomic(0)
        var configuration = ServerConfiguration(root: folder.path)
        configuration.faults = [FaultRule(PathPattern("*.m4s"), Faults(cutAfter: 10))]
        configuration.onAnswer = { answer in
            if answer.bytesSent == 10 && answer.bytesPromised == 100_000 && answer.status == 200 {
                reported.add(1, ordering: .relaxed)
            }
        }
        let server = try LoopbackServer(configuration)
        _ = try RawClient(port: server.port).request("GET", "/a.m4s")
        server.stop()
        #expect(reported.load(ordering: .relaxed) == 1)
    }
}
