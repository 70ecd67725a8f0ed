import LoopbackServer
import PlaybackEngine
import TestFiles
import Testing
import XML

/// Documents of the web, from a real server.
struct HTTPFetchTests {
    private let folder = TemporaryFolder()

    /// Serves a document of 30,000 bytes.
    private func serve(_ faults: Faults? = nil) throws -> LoopbackServer {
        folder.write("list.json", bytes: [UInt8](repeating: 0, count: 30_000))
        var serving = ServerConfiguration(root: folder.path)
        serving.faults = faults.map { [FaultRule(PathPattern("*"), $0)] } ?? []
        return try LoopbackServer(serving)
    }

    private func failure(_ url: String, timeoutMs: Int64 = 20_000, limit: Int = 30_000) -> FetchFailure? {
        do throws(FetchFailure) {
            _ = try HTTPFetch.get(url, timeoutMs: timeoutMs, limit: limit)
            return nil
        } catch {
            return error
        }
    }

    @Test("A document comes whole, and one that is larger than the limit by a byte does not")
    func limit() throws {
        let server = try serve()
        defer { server.stop() }
        let url = server.url(of: "list.json")
        #expect(try HTTPFetch.get(url, timeoutMs: 20_000, limit: 30_000) == [UInt8](repeating: 0, count: 30_000))
        #expect(failure(url, limit: 29_999)?.reason == "the answer is larger than 29999 bytes")
        #expect(failure(server.url(of: "none"))?.status == 404)
        #expect(failure(server.url(of: "none"))?.reason == "the server answered with status 404")
    }

    @Test("What is late, or not all of it, is no document")
    func faults() throws {
        for faults in [Faults(latencyMilliseconds: 60_000), Faults(stallAfter: 100)] {
            let server = try serve(faults)
            #expect(failure(server.url(of: "list.json"), timeoutMs: 300)?.reason == "no answer within 300 ms")
            server.stop()
        }
        for faults in [Faults(cutAfter: 1000), Faults(refuses: true)] {
            let server = try serve(faults)
            let broken = try #require(failure(server.url(of: "list.json")))
            #expect(broken.status == nil && !broken.reason.isEmpty)
            server.stop()
        }
    }

    @Test("Only the web is asked", arguments: ["file:///etc/hostname", "ftp://127.0.0.1/a", "gopher://127.0.0.1/a"])
    func otherSchemes(url: String) {
        #expect(failure(url) != nil)
    }
}
