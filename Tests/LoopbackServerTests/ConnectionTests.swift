import LoopbackServer
import Testing

struct ConnectionTests {
    private let folder: TemporaryFolder
    private let server: LoopbackServer

    init() throws {
        folder = TemporaryFolder()
        folder.write("a", bytes: [1, 2, 3])
        server = try LoopbackServer(ServerConfiguration(root: folder.path))
    }

    @Test func `a connection carries one request after another`() throws {
        let client = try RawClient(port: server.port)
        for _ in 0..<3 {
            let reply = try client.request("GET", "/a")
            #expect(reply.body == [1, 2, 3])
            #expect(reply.headers["connection"] == "keep-alive")
        }
        #expect(server.requests.map(\.connection) == [1, 1, 1])
    }

    @Test func `requests that come together are answered in order`() throws {
        let client = try RawClient(port: server.port)
        client.send("GET /a HTTP/1.1\r\n\r\nGET /none HTTP/1.1\r\n\r\n")
        #expect(try client.reply().status == 200)
        #expect(try client.reply().status == 404)
    }

    @Test(arguments: ["GET /a HTTP/1.1\r\nConnection: close\r\n\r\n", "GET /a HTTP/1.0\r\n\r\n"])
    func `the server closes when the client wants it or speaks HTTP 1.0`(text: String) throws {
        let client = try RawClient(port: server.port)
        client.send(text)
        let reply = try client.reply()
        #expect(reply.headers["connection"] == "close")
        #expect(client.waitForBytes(1).isEmpty)
    }

    @Test func `a request is recorded with its headers and its body`() throws {
        let client = try RawClient(port: server.port)
        client.send("POST /collect?v=1 HTTP/1.1\r\nX-Key:  abc \r\nx-key: second\r\nContent-Length: 5\r\n\r\nhello")
        #expect(try client.reply().status == 200)
        let request = try #require(server.requests.first)
        #expect(request.method == "POST")
        #expect(request.path == "/collect")
        #expect(request.text == "hello")
        #expect(request.header("X-KEY") == "abc")
        #expect(request.headers.map(\.name) == ["X-Key", "x-key", "Content-Length"])
    }

    @Test func `a client that asks before a large body is told to go on`() throws {
        let client = try RawClient(port: server.port)
        client.send("POST /c HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
        #expect(try client.reply().status == 100)
        client.send("abc")
        #expect(try client.reply().status == 200)
        #expect(server.requests.first?.text == "abc")
    }

    @Test(arguments: [
        ("nonsense\r\n\r\n", 400), ("GET a HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/2\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nno colon\r\n\r\n", 400), ("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 411),
        ("POST / HTTP/1.1\r\nContent-Length: 999999999999\r\n\r\n", 413),
        ("GET / HTTP/1.1\r\nA: " + String(repeating: "a", count: 70_000), 431),
    ])
    func `bytes that are no request end the connection with a status`(text: String, status: Int) throws {
        let client = try RawClient(port: server.port)
        client.send(text)
        #expect(try client.reply().status == status)
        #expect(server.requests.isEmpty)
    }

    @Test func `another method is refused with the list of the known ones`() throws {
        let reply = try RawClient(port: server.port).request("DELETE", "/a")
        #expect(reply.status == 405)
        #expect(reply.headers["allow"] == "GET, HEAD, POST")
    }

    @Test func `waiting for requests ends with the one that is awaited`() throws {
        #expect(!server.waitForRequests(seconds: 0.01) { !$0.isEmpty })
        let client = try RawClient(port: server.port)
        client.send("GET /a HTTP/1.1\r\n\r\n")
        #expect(server.waitForRequests { $0.contains { $0.path == "/a" } })
    }

    @Test func `stop ends open connections and refuses new ones`() throws {
        let client = try RawClient(port: server.port)
        _ = try client.request("GET", "/a")
        server.stop()
        #expect(client.waitForBytes(1).isEmpty)
        #expect(throws: RawClient.Failure.self) {
            try RawClient(port: server.port).request("GET", "/a")
        }
        #expect(server.requests.count == 1)
    }
}
