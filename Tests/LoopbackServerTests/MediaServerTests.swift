import ChildPrograms
import Glibc
import Testing

struct MediaServerTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func `it says where it listens, serves, and ends well on a signal`(signal: Int32) async throws {
        let folder = TemporaryFolder()
        folder.write("a", bytes: [1, 2])
        let program = try ChildProgram.mediaServer(["--root", folder.path, "--fault", "/b=status:418"])
        let line = await program.firstLine() ?? ""
        let prefix = "listening on http://127.0.0.1:"
        try #require(line.hasPrefix(prefix) && line.hasSuffix("/"), "the line is: \(line)")
        let port = try #require(UInt16(line.dropFirst(prefix.count).dropLast()))
        let client = try RawClient(port: port)
        #expect(try client.request("GET", "/a").body == [1, 2])
        #expect(try client.request("GET", "/b").status == 418)
        program.send(signal)
        #expect(try await program.end() == 0)
    }

    @Test(
        arguments: [
            (["--bogus"], 64, "--bogus"), (["--root", "/tmp", "--fault", "x"], 64, "GLOB=FAULT"),
            (["--root", "/proc/self/nowhere"], 66, "/proc/self/nowhere"),
        ] as [([String], Int32, String)]
    )
    func `wrong options end it with a message and a code`(arguments: [String], code: Int32, word: String) async throws {
        let program = try ChildProgram.mediaServer(arguments)
        let line = await program.firstLine() ?? ""
        #expect(line.hasPrefix("media-server: ") && line.contains(word), "the line is: \(line)")
        #expect(try await program.end() == code)
    }

    @Test func `a port that is taken ends it with a message and a code`() async throws {
        let first = try ChildProgram.mediaServer(["--root", "/tmp"])
        let port = try await #require(first.firstLine()?.split(separator: ":").last?.dropLast())
        let second = try ChildProgram.mediaServer(["--root", "/tmp", "--port", String(port)])
        #expect(await second.firstLine()?.contains("choose another port") == true)
        #expect(try await second.end() == 69)
    }

    @Test func `help goes to the output and is no error`() async throws {
        let program = try ChildProgram.mediaServer(["--help"])
        #expect(await program.firstLine()?.hasPrefix("usage: media-server") == true)
        #expect(try await program.end() == 0)
    }
}

extension ChildProgram {
    /// The media server that was built beside this test; ``firstLine()`` is what it says first, wherever it says it.
    fileprivate static func mediaServer(_ arguments: [String]) throws -> ChildProgram {
        try ChildProgram("media-server", arguments, joined: true)
    }
}
