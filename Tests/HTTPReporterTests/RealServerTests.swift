import ChildPrograms
import PluginKit
import RealServers
import Tally
import TestFiles
import Testing

/// TLS, HTTP/2 and proxies against nginx and squid.
@Suite(
    "The reporter http talks to real servers",
    .serialized,
    .enabled(if: RealServers.areInstalled, "run Scripts/bootstrap --tests")
)
struct RealServerTests {
    @Test("Over TLS HTTP/2 is used, with an authority that is configured")
    func secure() async throws {
        let authority = try await TestAuthority()
        let nginx = try await Nginx(authority)
        // What waits for its turn for long would be sent again.
        let delivery = try Delivery(["authority": .string(authority.certificate), "timeout_ms": 600_000])
        for number in 1...200 {
            delivery.say(number, to: "https://127.0.0.1:\(nginx.securePort)/n\(number)")
        }
        delivery.end()
        let entries = await eventually {
            nginx.entries
        } until: {
            $0.count >= 200
        }
        #expect(Set(entries.map(\.target)) == Set((1...200).map { "/n\($0)" }))
        #expect(entries.count == 200 && entries.allSatisfy { $0.version == 2 })
        #expect(Set(entries.map(\.connection)).count == 1)
    }

    @Test("Connections without TLS are kept and used again, with HTTP/1.1")
    func keptAlive() async throws {
        let nginx = try await Nginx(TestAuthority())
        let delivery = try Delivery(["concurrency": 3, "timeout_ms": 600_000])
        for number in 1...200 {
            delivery.say(number, to: "http://127.0.0.1:\(nginx.port)/n\(number)")
        }
        delivery.end()
        let entries = await eventually {
            nginx.entries
        } until: {
            $0.count >= 200
        }
        #expect(entries.count == 200 && entries.allSatisfy { $0.version == 1 })
        #expect(Set(entries.map(\.connection)).count <= 3)
    }

    @Test(
        "Nothing goes to a server whose authority is unknown, which is said; it goes when the authority is configured"
    )
    func untrusted() async throws {
        let authority = try await TestAuthority()
        let nginx = try await Nginx(authority)
        let folder = TemporaryFolder()
        let log = LogBook()
        let spool: JSONValue = .string(folder.file("spool.db"))
        let first = try Delivery(["spool": spool, "settled": "committed", "drain_ms": 100], log: log)
        first.say(1, to: "https://127.0.0.1:\(nginx.securePort)/trusted")
        let stats = try await eventually {
            try first.ask("stats")
        } until: {
            $0["destinations"]?["test"]?["last_failure"] != nil
        }
        #expect(stats["waiting"] == .int(1) && stats["destinations"]?["test"]?["delivered"] == nil)
        first.end()
        #expect(log.lines.contains { $0.contains("not trusted") && $0.contains("\"authority\"") })
        #expect(nginx.entries.isEmpty)
        let second = try Delivery(["spool": spool, "authority": .string(authority.certificate)])
        #expect(
            await eventually {
                nginx.entries
            } until: {
                !$0.isEmpty
            }.map(\.target) == ["/trusted"]
        )
        second.end()
    }

    @Test("A certificate for another name is not trusted, though its authority is")
    func otherName() async throws {
        let authority = try await TestAuthority()
        let nginx = try await Nginx(authority)
        let log = LogBook()
        let delivery = try Delivery(["authority": .string(authority.certificate), "drain_ms": 0], log: log)
        delivery.say(1, to: "https://127.0.0.2:\(nginx.securePort)/x")
        _ = await eventually {
            log.lines
        } until: {
            !$0.filter { $0.contains("not trusted") }.isEmpty
        }
        delivery.say(2, to: "https://127.0.0.1:\(nginx.securePort)/right") { $0.set("destination", "right") }
        #expect(
            await eventually {
                nginx.entries
            } until: {
                !$0.isEmpty
            }.map(\.target) == ["/right"]
        )
        delivery.end()
        #expect(nginx.entries.map(\.target) == ["/right"])
        #expect(log.lines.contains { $0.contains("not trusted") })
    }

    @Test("A configured proxy is used, plain and as a tunnel for TLS")
    func proxied() async throws {
        let authority = try await TestAuthority()
        let nginx = try await Nginx(authority)
        let squid = try await Squid()
        let delivery = try Delivery([
            "proxy": .string("http://127.0.0.1:\(squid.port)"), "authority": .string(authority.certificate),
        ])
        for number in 1...20 {
            delivery.say(number, to: "http://127.0.0.1:\(nginx.port)/plain\(number)")
            delivery.say(number, to: "https://127.0.0.1:\(nginx.securePort)/tunnel\(number)") {
                $0.set("destination", "secure")
            }
        }
        delivery.end()
        let entries = await eventually {
            nginx.entries
        } until: {
            $0.count >= 40
        }
        let plain = entries.filter { $0.target.hasPrefix("/plain") }
        let tunnelled = entries.filter { $0.target.hasPrefix("/tunnel") }
        #expect(plain.count == 20 && plain.allSatisfy { $0.via.contains("tally-test-proxy") })
        #expect(tunnelled.count == 20 && tunnelled.allSatisfy { $0.version == 2 && $0.via == "-" })
        let lines = await eventually {
            squid.lines
        } until: { lines in
            lines.filter { $0.contains(" POST ") }.count >= 20 && lines.contains { $0.contains(" CONNECT ") }
        }
        #expect(lines.filter { $0.contains(" POST ") }.count == 20)
        #expect(lines.contains { $0.contains(" CONNECT 127.0.0.1:\(nginx.securePort) ") })
    }

    @Test("A proxy that is not there is a failure like any other: beacons wait")
    func absentProxy() async throws {
        let nginx = try await Nginx(TestAuthority())
        let delivery = try Delivery(["proxy": "http://127.0.0.1:1", "drain_ms": 0, "settled": "committed"])
        delivery.say(1, to: "http://127.0.0.1:\(nginx.port)/x")
        let stats = try await eventually {
            try delivery.ask("stats")
        } until: {
            $0["destinations"]?["test"]?["tries"]?.int ?? 0 > 1
        }
        #expect(stats["waiting"] == .int(1))
        delivery.end()
        #expect(nginx.entries.isEmpty)
    }
}
