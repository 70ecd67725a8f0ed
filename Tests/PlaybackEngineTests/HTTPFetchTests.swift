import LoopbackServer
import PlaybackEngine
import RealServers
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

    /// The answer that sends a client to another address.
    private func redirect(to url: String) -> Faults {
        Faults(rawAnswer: "HTTP/1.1 302 Found\r\nLocation: \(url)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    }

    @Test("A request carries what is set, and after a redirect another server gets nothing secret")
    func carried() throws {
        let other = try serve()
        let own = try serve(redirect(to: other.url(of: "list.json")))
        var settings = RequestSettings()
        settings.userAgent = "Set-top box"
        settings.headers = [
            try RequestHeader("X-One: 1"), try RequestHeader("X-None:"), try RequestHeader("Authorization: Bearer abc"),
        ]
        settings.cookies = ["session=abc"]
        settings.source = own.url
        _ = try HTTPFetch.get(own.url(of: "a"), as: settings, timeoutMs: 20_000, limit: 30_000)
        let first = try #require(own.requests.first)
        #expect(first.header("user-agent") == "Set-top box" && first.header("x-one") == "1")
        #expect(first.header("x-none") == "" && first.header("authorization") == "Bearer abc")
        #expect(first.header("cookie") == "session=abc")
        let second = try #require(other.requests.first)
        #expect(second.header("user-agent") == "Set-top box" && second.header("x-one") == "1")
        #expect(second.header("authorization") == nil && second.header("cookie") == nil)
    }

    @Test(
        "A server is trusted that the given certificates vouch for, or any if nobody cares",
        .enabled(if: RealServers.areInstalled, "run Scripts/bootstrap --tests")
    )
    func certificates() async throws {
        let (authority, other) = (try await TestAuthority(), try await TestAuthority())
        let nginx = try await Nginx(authority)
        let url = "https://127.0.0.1:\(nginx.securePort)/a"
        var settings = RequestSettings()
        settings.certificatesPath = other.certificate
        #expect(throws: FetchFailure.self) { try HTTPFetch.get(url, as: settings, timeoutMs: 20_000, limit: 1000) }
        settings.certificatesPath = authority.certificate
        _ = try HTTPFetch.get(url, as: settings, timeoutMs: 20_000, limit: 1000)
        settings.certificatesPath = nil
        settings.isInsecure = true
        _ = try HTTPFetch.get(url, as: settings, timeoutMs: 20_000, limit: 1000)
    }

    @Test("Only the web is asked", arguments: ["file:///etc/hostname", "ftp://127.0.0.1/a", "gopher://127.0.0.1/a"])
    func otherSchemes(url: String) {
        #expect(failure(url) != nil)
    }
}
