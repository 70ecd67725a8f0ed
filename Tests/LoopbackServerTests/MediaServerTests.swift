import Glibc
import Testing

struct MediaServerTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func `it says where it listens, serves, and ends well on a signal`(signal: Int32) throws {
        let folder = TemporaryFolder()
        folder.write("a", bytes: [1, 2])
        let program = try MediaServerProgram(["--root", folder.path, "--fault", "/b=status:418"])
        let line = program.line()
        let prefix = "listening on http://127.0.0.1:"
        try #require(line.hasPrefix(prefix) && line.hasSuffix("/"), "the line is: \(line)")
        let port = try #require(UInt16(line.dropFirst(prefix.count).dropLast()))
        let client = try RawClient(port: port)
        #expect(try client.request("GET", "/a").body == [1, 2])
        #expect(try client.request("GET", "/b").status == 418)
        program.send(signal)
        #expect(program.wait() == 0)
    }

    @Test(
        arguments: [
            (["--bogus"], 64, "--bogus"), (["--root", "/tmp", "--fault", "x"], 64, "GLOB=FAULT"),
            (["--root", "/nonexistent"], 66, "/nonexistent"),
        ] as [([String], Int32, String)]
    )
    func `wrong options end it with a message and a code`(arguments: [String], code: Int32, word: String) throws {
        let program = try MediaServerProgram(arguments)
        let line = program.line()
        #expect(line.hasPrefix("media-server: ") && line.contains(word), "the line is: \(line)")
        #expect(program.wait() == code)
    }

    @Test func `a port that is taken ends it with a message and a code`() throws {
        let first = try MediaServerProgram(["--root", "/tmp"])
        let port = try #require(first.line().split(separator: ":").last?.dropLast())
        let second = try MediaServerProgram(["--root", "/tmp", "--port", String(port)])
        #expect(second.line().contains("choose another port"))
        #expect(second.wait() == 69)
    }

    @Test func `help goes to the output and is no error`() throws {
        let program = try MediaServerProgram(["--help"])
        #expect(program.line().hasPrefix("usage: media-server"))
        #expect(program.wait() == 0)
    }
}
