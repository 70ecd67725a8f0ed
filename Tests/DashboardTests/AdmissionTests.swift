import TallyTesting
import TestFiles
import Testing
import TextEncoding

/// Who gets in, and what may be asked.
@Suite("The dashboard lets in who knows the token, and nobody else")
struct AdmissionTests {
    private static let paths = [
        "/", "/pages.js", "/overview.json", "/sessions.json", "/session/run-1/1.json", "/events",
    ]

    @Test("Without the token there is nothing, not even a script")
    func refused() throws {
        let dashboard = try ShownDashboard()
        dashboard.deliver(ToldSession().outputs)
        for path in Self.paths {
            let wrong = [
                "Authorization: Bearer \(dashboard.token.dropLast())", "Authorization: Bearer \(dashboard.token)0",
                "Authorization: Basic \(dashboard.token)",
                "Cookie: tally_dashboard_\(dashboard.port)=\(dashboard.token)",
            ]
            for headers in [[]] + wrong.map({ [$0] }) {
                let answer = dashboard.ask(path, headers: headers)
                #expect(answer.status == 401 && answer.headers["www-authenticate"]?.hasPrefix("Bearer") == true)
                #expect(!answer.text.contains("film") && !answer.text.contains("import"))
            }
            #expect(dashboard.ask(path + "?token=0123456789abcdef0123456789abcdef", headers: []).status == 401)
        }
        #expect(dashboard.statistic("refused") == Int64(Self.paths.count * 6))
        #expect(dashboard.host.logLines.filter { $0.message.contains("refused a request") }.count == 1)
        #expect(dashboard.host.logLines.contains { $0.message.contains("it lacks the token, or has another one") })
    }

    @Test("The token in the address is taken once: a cookie stands for it then, and the address is without it")
    func cookie() throws {
        let dashboard = try ShownDashboard()
        let welcome = dashboard.ask("/?token=\(dashboard.token)", headers: [])
        #expect(welcome.status == 303 && welcome.headers["location"] == "./")
        let cookie = try #require(welcome.headers["set-cookie"])
        #expect(cookie.contains("; HttpOnly; SameSite=Strict; Path=/"))
        #expect(!cookie.contains(dashboard.token))
        let pair = String(cookie.prefix { $0 != ";" })
        let page = dashboard.ask("/", headers: ["Cookie: other=1; \(pair)"])
        #expect(page.status == 200 && page.text.contains("pages.js"))
        #expect(dashboard.ask("/overview.json", headers: ["Cookie: \(pair)"]).status == 200)
        // An address of an earlier start is told apart from nobody's when the cookie is there.
        #expect(dashboard.ask("/?token=old", headers: ["Cookie: \(pair)"]).status == 303)
        #expect(dashboard.ask("/", headers: ["Cookie: \(pair)0"]).status == 401)
    }

    @Test("Only what calls the dashboard by one of its names is answered, token or not")
    func names() throws {
        let dashboard = try ShownDashboard(["allowed_hosts": ["stats.example"]])
        let own = "127.0.0.1:\(dashboard.port)"
        for name in [own, "localhost", "LOCALHOST.:9", "[::1]:8090", "stats.example", "stats.example:443"] {
            #expect(dashboard.ask("/overview.json", host: name).status == 200, "\(name)")
        }
        for name in ["evil.example", "evil.example:\(dashboard.port)", "127.0.0.1.evil.example", "127.0.0.2", "[::2]"] {
            let answer = dashboard.ask("/overview.json", host: name)
            #expect(answer.status == 403 && answer.text.contains("'\(name)'"), "\(name)")
        }
    }

    @Test("A page of somebody else gets nothing, though the browser has the token")
    func origins() throws {
        let dashboard = try ShownDashboard()
        let name = "127.0.0.1:\(dashboard.port)"
        func status(_ origin: String) -> Int {
            let headers = ["Authorization: bearer \(dashboard.token)", "Origin: \(origin)"]
            return dashboard.ask("/overview.json", headers: headers).status
        }
        #expect(status("http://\(name)") == 200 && status("https://\(name)") == 200)
        let others = [
            "http://evil.example", "null", "http://127.0.0.1:1", "http://\(name).evil.example", "file://\(name)",
            "http:///\(name)",
        ]
        for origin in others { #expect(status(origin) == 403, "\(origin)") }
    }

    @Test("Nothing but reading is possible", arguments: ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
    func methods(_ method: String) throws {
        let dashboard = try ShownDashboard()
        let answer = dashboard.ask("/overview.json", method)
        #expect(answer.status == 405 && answer.headers["allow"] == "GET, HEAD")
        let head = dashboard.ask("/overview.json", "HEAD")
        #expect(head.status == 200 && head.body.isEmpty)
    }

    @Test("Every answer forbids the browser to load or run anything else, to guess types and to keep it")
    func headers() throws {
        let dashboard = try ShownDashboard()
        let answers =
            ["/", "/style.css", "/overview.json", "/nowhere"].map { dashboard.ask($0) }
            + [dashboard.ask("/", headers: []), dashboard.ask("/", host: "evil.example"), dashboard.ask("/", "POST")]
        for answer in answers {
            let policy = answer.headers["content-security-policy"] ?? ""
            #expect(policy.hasPrefix("default-src 'none'; script-src 'self';"))
            #expect(policy.contains("frame-ancestors 'none'"))
            #expect(!policy.contains("unsafe") && !policy.contains("*"))
            #expect(answer.headers["x-content-type-options"] == "nosniff")
            #expect(answer.headers["cache-control"] == "no-store")
            #expect(answer.headers["referrer-policy"] == "no-referrer")
        }
        #expect(answers[0].headers["content-type"] == "text/html; charset=utf-8")
        #expect(answers[2].headers["content-type"] == "application/json")
        #expect(answers[3].status == 404)
    }

    @Test("The address is in the log and, for its owner alone, in a file that goes with the dashboard")
    func address() throws {
        let dashboard = try ShownDashboard()
        let address = "http://127.0.0.1:\(dashboard.port)/?token=\(dashboard.token)"
        #expect(dashboard.host.logLines.contains { $0.message == "the dashboard is at \(address)" })
        #expect(dashboard.host.command("address").value?["address"]?.string == address)
        #expect(mode(of: dashboard.folder.file("url")) == 0o600)
        let other = try ShownDashboard()
        #expect(other.token != dashboard.token && dashboard.token.utf8.count == 32)
        dashboard.host.disable()
        #expect(mode(of: dashboard.folder.file("url")) == nil)
    }
}
