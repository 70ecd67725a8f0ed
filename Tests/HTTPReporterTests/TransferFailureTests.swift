import CCurl
import HTTPTransfer
import LoopbackServer
import PluginKit
import Testing

/// What becomes of a beacon whose request had no answer.
@Suite("The reporter http tells failures of requests by libcurl's codes")
struct TransferFailureTests {
    /// The codes that do not mean `failed`, by class.
    private static let named: [TransferFailure: [String: CURLcode]] = [
        .unreachable: [
            "COULDNT_RESOLVE_PROXY": CURLE_COULDNT_RESOLVE_PROXY, "COULDNT_RESOLVE_HOST": CURLE_COULDNT_RESOLVE_HOST,
            "COULDNT_CONNECT": CURLE_COULDNT_CONNECT, "INTERFACE_FAILED": CURLE_INTERFACE_FAILED,
            "NO_CONNECTION_AVAILABLE": CURLE_NO_CONNECTION_AVAILABLE, "QUIC_CONNECT_ERROR": CURLE_QUIC_CONNECT_ERROR,
            "PROXY": CURLE_PROXY,
        ],
        .untrusted: [
            "PEER_FAILED_VERIFICATION": CURLE_PEER_FAILED_VERIFICATION, "SSL_CACERT_BADFILE": CURLE_SSL_CACERT_BADFILE,
            "SSL_CRL_BADFILE": CURLE_SSL_CRL_BADFILE, "SSL_ISSUER_ERROR": CURLE_SSL_ISSUER_ERROR,
            "SSL_PINNEDPUBKEYNOTMATCH": CURLE_SSL_PINNEDPUBKEYNOTMATCH,
            "SSL_INVALIDCERTSTATUS": CURLE_SSL_INVALIDCERTSTATUS,
        ],
        .late: ["OPERATION_TIMEDOUT": CURLE_OPERATION_TIMEDOUT],
        .malformed: ["URL_MALFORMAT": CURLE_URL_MALFORMAT],
    ]

    @Test("Each code of libcurl has the class that the page says, and one of a later libcurl means another try")
    func codes() throws {
        let classes = Self.named.flatMap { meaning, codes in codes.values.map { ($0.rawValue, meaning) } }
        let expected = Dictionary(uniqueKeysWithValues: classes)
        for code in 1..<CURL_LAST.rawValue + 100 {
            #expect(TransferFailure(code: code, wasSent: false) == expected[code] ?? .failed, "code \(code)")
        }
        #expect(TransferFailure(code: CURLE_OPERATION_TIMEDOUT.rawValue) == .failed)
        let page = try PageTests.page()
        for meaning in TransferFailure.allCases {
            let row = try #require(page.split(separator: "\n").first { $0.hasPrefix("| \(meaning.rawValue) |") })
            let cells = row.split(separator: "|")
            let names = cells[1].split(separator: "`").map(String.init).filter { $0.allSatisfy(Self.isOfName) }
            #expect(names.sorted() == (Self.named[meaning] ?? [:]).keys.sorted(), "\(meaning.rawValue)")
        }
    }

    private static func isOfName(_ character: Character) -> Bool { character.isUppercase || character == "_" }

    @Test(
        "An answer that is no HTTP is tried again until there is one",
        arguments: [
            "the proxy is out of order\r\n", "HTTP/7.3 200 OK\r\n\r\n", "HTTP/1.1 all is well\r\n\r\n",
            "\u{16}\u{3}\u{1}\u{2}\0\u{1}", "SSH-2.0-OpenSSH_9.2\r\n", "",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n",
        ]
    )
    func noHTTP(answer: String) throws {
        let server = try TestServer.start([FaultRule(PathPattern("*"), Faults(rawAnswer: answer), limit: 3)])
        let delivery = try Delivery()
        delivery.say(1, to: server.url(of: "x"))
        delivery.end()
        #expect(TestServer.numbers(server.requests) == [1, 1, 1, 1])
    }

    @Test(
        "Tries that reached no server use up none of a beacon's attempts; they are counted as tries",
        arguments: [true, false]
    )
    func unsent(isSilent: Bool) async throws {
        // Whoever listens and never answers has no connection with TLS come about.
        let silent = try TestServer.start([FaultRule(PathPattern("*"), Faults(stallAfter: 0))])
        let nowhere = try TestServer.freePort()
        let reporter = try HandFedReporter([
            "connect_timeout_ms": 100, "retry": ["first_ms": 1, "longest_ms": 1, "attempts": 2],
        ])
        reporter.deliver(1...1, to: isSilent ? "https://127.0.0.1:\(silent.port)/" : "http://127.0.0.1:\(nowhere)/")
        let stats = await eventually {
            reporter.ask("stats")
        } until: {
            $0["destinations"]?["test"]?["tries"]?.int ?? 0 > 4
        }
        #expect(stats["waiting"] == 1 && stats["dead"] == 0, "\(stats.canonicalText)")
        #expect(reporter.ask("waiting")[0]?["attempts"] == 0)
        reporter.end()
    }

    @Test("An address of another scheme than HTTP's is given up at once; one without a scheme is HTTP's")
    func schemes() async throws {
        let server = try TestServer.start()
        let delivery = try Delivery()
        let others = ["ftp://127.0.0.1:\(server.port)/x", "file:///etc/hostname", "gopher:/x", "://x"]
        for (index, address) in others.enumerated() { delivery.say(index + 1, to: address) }
        delivery.say(others.count + 1, to: "127.0.0.1:\(server.port)/x")
        delivery.say(others.count + 2, to: server.url(of: "x").replacing("http", with: "HTTP"))
        let stats = try await eventually {
            try delivery.ask("stats")["destinations"]?["test"]
        } until: {
            $0?["delivered"] == .int(2) && $0?["malformed"] != nil
        }
        #expect(stats?["malformed"] == .int(Int64(others.count)))
        #expect(stats?["tries"] == .int(2))
        delivery.end()
    }
}
