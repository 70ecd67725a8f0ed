import Campaigns
import ChildPrograms
import RealServers
import TestFiles
import Testing

/// How the collector is reached by browsers: through nginx as Tally's configuration has it, and by TLS of its own.
@Suite(.enabled(if: RealServers.areInstalled)) struct DeploymentTests {
    private let files = TemporaryFolder()

    private struct Answer {
        let status: Int
        let head: String
        let body: String
    }

    /// Asks by curl, as a browser of a page would.
    private func ask(
        _ url: String,
        _ authority: TestAuthority,
        _ options: String...
    ) async throws -> Answer {
        let fixed = ["-sS", "--cacert", authority.certificate, "-D", "-", "-w", "\n%{http_code}"]
        let made = try await ChildProgram.run("/usr/bin/curl", fixed + options + [url])
        guard made.code == 0 else { return Answer(status: 0, head: "", body: made.errors) }
        let parts = made.output.split(separator: "\r\n\r\n", omittingEmptySubsequences: false)
        let rest = (parts.last ?? "").split(separator: "\n", omittingEmptySubsequences: false)
        return Answer(
            status: Int(rest.last ?? "") ?? 0,
            head: parts.dropLast().joined(separator: "\r\n").lowercased(),
            body: rest.dropLast().joined(separator: "\n")
        )
    }

    /// The configuration that is installed, with this test's names.
    private func nginx(_ authority: TestAuthority, to port: UInt16) async throws -> Nginx {
        let text = try TestFile.text(Repository.path("Hosts/Collector/Deployment/nginx.conf"))
        return try await Nginx { folder, _, secure in
            text.replacing("listen 443", with: "listen 127.0.0.1:\(secure)")
                .replacing(/[ ]*listen \[::\]:443.*\n/, with: "")
                .replacing("127.0.0.1:8095", with: "127.0.0.1:\(port)")
                .replacing("/etc/ssl/collector.pem", with: authority.serverCertificate)
                .replacing("/etc/ssl/private/collector.key", with: authority.serverKey)
                .replacing("/var/log/nginx", with: folder.path)
        }
    }

    @Test("Browsers report through nginx by TLS and HTTP/2, and its log has no addresses, queries or names of runs")
    func throughNginx() async throws {
        let authority = try await TestAuthority()
        let configuration = """
            { collector: { behindProxy: true, tenants: { web: { keys: ["k1"], origins: ["https://tv.example"] } } } }
            """
        let collector = try await RunningCollector(
            files.file("collected"),
            ["--config", files.write("tally.json5", configuration)]
        )
        let nginx = try await nginx(authority, to: collector.port)
        let url = "https://localhost:\(nginx.securePort)/runs/my-run?key=k1"
        let origin = ["-H", "Origin: https://tv.example"]
        let asked = try await ask(
            url,
            authority,
            "--http2",
            "-X",
            "OPTIONS",
            origin[0],
            origin[1],
            "-H",
            "Access-Control-Request-Method: POST"
        )
        #expect(asked.status == 204 && asked.head.contains("http/2"))
        #expect(asked.head.contains("access-control-allow-origin: https://tv.example"))
        let batch = files.write("batch", SampleRun.whole)
        let sent = try await ask(url, authority, "--http2", origin[0], origin[1], "--data-binary", "@\(batch)")
        #expect(sent.status == 200 && sent.body == "{\"safe\":8}")
        #expect(sent.head.contains("access-control-allow-origin: https://tv.example"))
        // 1 MiB is taken, spaces at the end as well; more is refused by the collector's own words.
        let room = 1_048_576 - SampleRun.whole.utf8.count - 1
        let large = files.write("large", SampleRun.whole + "\n" + String(repeating: " ", count: room))
        let longest = try await ask(
            url.replacing("my-run", with: "long"),
            authority,
            "--data-binary",
            "@\(large)"
        )
        // A line of spaces is longer than a line may be: that is what the collector says, not nginx.
        #expect(longest.status == 400 && longest.body.contains("is longer than 65536 bytes"))
        let larger = files.write("larger", String(repeating: " ", count: 1_048_577))
        let tooLong = try await ask(url, authority, "--data-binary", "@\(larger)")
        #expect(tooLong.status == 413 && tooLong.body.contains("longer than 1048576 bytes"))
        #expect(await collector.shelved(1))
        // nginx keeps its one connection for the next request; the other one is that of the question.
        #expect(await eventually { collector.figure("connections") == 2 })
        #expect(await eventually { nginx.lines("tally-collector.log").count >= 4 })
        let log = nginx.lines("tally-collector.log").joined(separator: "\n")
        #expect(log.contains("HTTP/2.0 POST /runs 200"))
        for secret in ["127.0.0.1", "my-run", "k1", "tv.example"] { #expect(!log.contains(secret), "\(secret)") }
        #expect(nginx.lines("tally-collector.error.log").isEmpty)
    }

    @Test("Behind nginx each client has a limit of its own, by its address and not by what it says of it")
    func clientAddresses() async throws {
        let authority = try await TestAuthority()
        let configuration = """
            { collector: { behindProxy: true, addressRequestsPerSecond: 0.5, tenants: { web: { keys: ["k1"] } } } }
            """
        let collector = try await RunningCollector(
            files.file("collected"),
            ["--config", files.write("tally.json5", configuration)]
        )
        let nginx = try await nginx(authority, to: collector.port)
        let url = "https://localhost:\(nginx.securePort)/runs/a?key=k1"
        var refused = false
        for number in 0..<40 where !refused {
            let answer = try await ask(
                url,
                authority,
                "--interface",
                "127.0.0.1",
                "-H",
                "X-Forwarded-For: 10.0.0.\(number)",
                "-d",
                "{\"sent_us\":0}"
            )
            refused = answer.status == 429 && answer.head.contains("retry-after: 10")
        }
        #expect(refused)
        let other = try await ask(url, authority, "--interface", "127.0.0.3", "-d", "{\"sent_us\":0}")
        #expect(other.status == 200)
    }

    @Test("With a certificate and its key the collector speaks TLS itself; with one of them alone it does not start")
    func ownTLS() async throws {
        let authority = try await TestAuthority()
        let certificate = ["--set", "collector.tlsCertificate=\"\(authority.serverCertificate)\""]
        let collector = try await RunningCollector(
            files.file("collected"),
            certificate + ["--set", "collector.tlsKey=\"\(authority.serverKey)\""]
        )
        let url = "https://localhost:\(collector.port)/runs/a"
        let batch = files.write("batch", SampleRun.whole)
        let sent = try await ask(url, authority, "--ipv4", "--data-binary", "@\(batch)")
        #expect(sent.status == 200 && sent.body == "{\"safe\":8}", "\(sent.body)")
        let plain = try await ask("http://127.0.0.1:\(collector.port)/healthz", authority)
        #expect(plain.status != 200)
        #expect(try await collector.end() == 0)
        let half = try await ChildProgram.run(
            "tally-collector",
            ["--folder", files.file("x"), "--listen", "127.0.0.1:0"] + certificate
        )
        #expect(half.code == 78 && half.errors.contains("a certificate needs its key"))
        let wrong = try await ChildProgram.run(
            "tally-collector",
            ["--folder", files.file("x"), "--listen", "127.0.0.1:0"] + certificate
                + ["--set", "collector.tlsKey=\"\(authority.certificate)\""]
        )
        #expect(wrong.code == 78 && wrong.errors.contains("the key or certificate cannot be used"))
    }
}
