import LoopbackServer
import Testing

struct ServingTests {
    private let folder: TemporaryFolder
    private let content: [UInt8]
    private let server: LoopbackServer

    init() throws {
        folder = TemporaryFolder()
        content = folder.write(count: 200_000, to: "clip.mp4")
        server = try LoopbackServer(ServerConfiguration(root: folder.path))
    }

    @Test func `a file comes whole with its type and length`() throws {
        let reply = try RawClient(port: server.port).request("GET", "/clip.mp4")
        #expect(reply.status == 200)
        #expect(reply.body == content)
        #expect(reply.headers["content-type"] == "video/mp4")
        #expect(reply.headers["content-length"] == "200000")
        #expect(reply.headers["accept-ranges"] == "bytes")
    }

    @Test func `HEAD has the head of GET and no body`() throws {
        let client = try RawClient(port: server.port)
        let head = try client.request("HEAD", "/clip.mp4")
        let whole = try client.request("GET", "/clip.mp4")
        #expect(head.headers == whole.headers)
        #expect(head.body.isEmpty)
        #expect(whole.body == content)
    }

    @Test(arguments: [
        ("bytes=0-0", 0..<1), ("bytes=100-199", 100..<200), ("bytes=199990-", 199_990..<200_000),
        ("bytes=-5", 199_995..<200_000), ("bytes=199999-300000", 199_999..<200_000), ("bytes=-900000", 0..<200_000),
    ])
    func `a range gives that part of the file`(header: String, range: Range<Int>) throws {
        let reply = try RawClient(port: server.port).request("GET", "/clip.mp4", "Range: \(header)")
        #expect(reply.status == 206)
        #expect(reply.body == Array(content[range]))
        #expect(reply.headers["content-range"] == "bytes \(range.lowerBound)-\(range.upperBound - 1)/200000")
    }

    @Test(arguments: ["bytes=200000-", "bytes=200000-200001", "bytes=-0"])
    func `a range beyond the file is refused with the file's size`(header: String) throws {
        let reply = try RawClient(port: server.port).request("GET", "/clip.mp4", "Range: \(header)")
        #expect(reply.status == 416)
        #expect(reply.headers["content-range"] == "bytes */200000")
    }

    @Test(arguments: ["bytes=5-2", "bytes=a-b", "bytes=0-1,4-5", "items=0-1", "bytes=-"])
    func `a range that is not understood gives the whole`(header: String) throws {
        let reply = try RawClient(port: server.port).request("GET", "/clip.mp4", "Range: \(header)")
        #expect(reply.status == 200)
        #expect(reply.body == content)
    }

    @Test(arguments: [
        ("a.m3u8", "application/vnd.apple.mpegurl"), ("a.m4s", "video/iso.segment"), ("a.ts", "video/mp2t"),
        ("a.HTML", "text/html; charset=utf-8"), ("a.b", "application/octet-stream"), ("a", "application/octet-stream"),
    ])
    func `the extension decides the content type`(name: String, type: String) throws {
        folder.write(name, bytes: [1])
        let reply = try RawClient(port: server.port).request("GET", "/\(name)")
        #expect(reply.headers["content-type"] == type)
    }

    @Test func `an empty file is an empty success`() throws {
        folder.write("empty.mp4", bytes: [])
        let reply = try RawClient(port: server.port).request("GET", "/empty.mp4")
        #expect(reply.status == 200)
        #expect(reply.headers["content-length"] == "0")
    }

    @Test func `escapes and a query are no part of the file's name`() throws {
        folder.write("a b.bin", bytes: [7])
        let reply = try RawClient(port: server.port).request("GET", "/a%20b.bin?token=1")
        #expect(reply.body == [7])
        let request = try #require(server.requests.first)
        #expect(request.path == "/a b.bin")
        #expect(request.target == "/a%20b.bin?token=1")
        #expect(request.query == "token=1")
    }

    @Test(arguments: [
        ("/none.mp4", 404), ("/", 404), ("/clip.mp4/x", 404), ("/..", 403), ("/../clip.mp4", 403),
        ("/a/../../etc/passwd", 403), ("/%2e%2e/etc/passwd", 403), ("/..%2fetc/passwd", 403), ("/a%0", 400),
        ("/a%00b", 400), ("//etc/passwd", 404),
    ])
    func `what is not a file of the folder is not served`(target: String, status: Int) throws {
        #expect(try RawClient(port: server.port).request("GET", target).status == status)
    }

    @Test func `a link out of the folder is refused and one inside is followed`() throws {
        let outside = TemporaryFolder()
        outside.write("secret", bytes: [1])
        folder.link("out", to: outside.path)
        folder.link("alias", to: "clip.mp4")
        let client = try RawClient(port: server.port)
        #expect(try client.request("GET", "/out/secret").status == 403)
        #expect(try client.request("GET", "/alias").body == content)
    }

    @Test func `a folder whose name begins like the root's is outside of it`() throws {
        folder.makeFolder("root")
        folder.makeFolder("root-not")
        folder.write("root-not/secret", bytes: [1])
        folder.link("root/out", to: "../root-not")
        let server = try LoopbackServer(ServerConfiguration(root: folder.path + "/root"))
        #expect(try RawClient(port: server.port).request("GET", "/out/secret").status == 403)
    }

    @Test func `a missing root is an error that names it`() throws {
        let missing = folder.path + "/missing"
        #expect(throws: ServerError.notADirectory(path: missing)) {
            try LoopbackServer(ServerConfiguration(root: missing))
        }
    }

    @Test func `a port that is taken is an error that names it`() throws {
        var configuration = ServerConfiguration()
        configuration.port = server.port
        let error = #expect(throws: ServerError.self) {
            try LoopbackServer(configuration)
        }
        #expect(error?.description.contains("127.0.0.1:\(server.port)") == true)
    }
}
