import ChildPrograms
import Glibc
import LoopbackServer
import Tally
import TallyTesting
import TestFiles
import Testing

/// What arrives at a real server, through the plugin's file.
@Suite("The reporter http delivers beacons")
struct DeliveryTests {
    @Test("Every beacon arrives once, with its method, address, headers and body")
    func once() throws {
        let server = try TestServer.start()
        let delivery = try Delivery(["idempotency_header": "Idempotency-Key"])
        for number in 1...200 {
            delivery.say(number, to: server.url(of: "collect?n=\(number)"))
        }
        delivery.say(201, to: server.url(of: "put")) { $0.set("method", "PUT") }
        delivery.end()
        let requests = server.requests
        #expect(TestServer.numbers(requests).sorted() == Array(1...201))
        let first = try #require(requests.first { $0.text == "7" })
        #expect(first.method == "POST" && first.target == "/collect?n=7")
        #expect(first.header("Idempotency-Key") == "\(delivery.run.id)/beacons/7")
        #expect(first.header("User-Agent") == "tally-http/1.0")
        #expect(requests.first { $0.path == "/put" }?.method == "PUT")
        #expect(Set(requests.map(\.connection)).count <= 4)
    }

    @Test("It delivers from a process of its own, with its spool and its secrets, and goes on when that is killed")
    func isolated() throws {
        let server = try TestServer.start()
        let folder = TemporaryFolder()
        let secret = folder.file("key")
        try Self.write("file-secret", to: secret, mode: 0o600)
        unsafe setenv("TALLY_TEST_ISOLATED_SECRET", "variable-secret", 1)
        let delivery = try Delivery(
            [
                "spool": .string(folder.file("spool.db")),
                "credentials": [
                    "file": ["header": "Api-Key", "file": .string(secret)],
                    "variable": ["header": "Api-Key", "environment": "TALLY_TEST_ISOLATED_SECRET"],
                ],
            ],
            isolation: .process
        )
        func say(_ numbers: ClosedRange<Int>) {
            for number in numbers {
                delivery.say(number, to: server.url(of: "collect")) { beacon in
                    beacon.set("credential", number % 2 == 0 ? "file" : "variable")
                }
            }
        }
        say(1...50)
        #expect(server.waitForRequests { $0.count >= 50 })
        let first = try #require(delivery.run.plugins().compactMap(\.process).first)
        kill(first, SIGKILL)
        #expect(blocked { delivery.run.plugins().compactMap(\.process).first.map { $0 != first } == true })
        say(51...100)
        #expect(try delivery.ask("stats").object != nil)
        delivery.end()
        let requests = server.requests
        #expect(Set(TestServer.numbers(requests)) == Set(1...100))
        #expect(Set(requests.compactMap { $0.header("Api-Key") }) == ["file-secret", "variable-secret"])
    }

    @Test("A beacon that wants its order kept arrives after all before it, and before all behind it")
    func order() throws {
        let server = try TestServer.start([FaultRule(PathPattern("/slow"), Faults(latencyMilliseconds: 30))])
        let delivery = try Delivery()
        for number in 1...60 {
            delivery.say(number, to: server.url(of: number % 7 == 0 ? "slow" : "fast")) { $0.set("options", Int64(8)) }
        }
        delivery.end()
        #expect(TestServer.numbers(server.requests) == Array(1...60))
    }

    @Test("A temporary failure is tried again until it is delivered", arguments: [408, 425, 429, 500, 503])
    func retried(status: Int) throws {
        let server = try TestServer.start([FaultRule(PathPattern("*"), Faults(status: status), limit: 3)])
        let delivery = try Delivery()
        for number in 1...5 {
            delivery.say(number, to: server.url(of: "x")) { $0.set("patched", true) }
        }
        delivery.end()
        #expect(Set(TestServer.numbers(server.requests)) == Set(1...5))
        #expect(server.requests.count == 8)
        #expect(server.requests.contains { $0.target.hasSuffix("try=002") })
    }

    @Test("A status that a second try would not change is given up at once, and told", arguments: [400, 404, 501, 505])
    func refused(status: Int) async throws {
        let server = try TestServer.start([FaultRule(PathPattern("/bad"), Faults(status: status))])
        let delivery = try Delivery()
        delivery.say(1, to: server.url(of: "bad"))
        delivery.say(2, to: server.url(of: "good"))
        #expect(server.waitForRequests { $0.count >= 2 })
        let letters = try await eventually {
            try delivery.ask("dead_letters").array ?? []
        } until: {
            !$0.isEmpty
        }
        #expect(letters.count == 1)
        #expect(letters[0]["reason"] == .string("refused") && letters[0]["status"] == .int(Int64(status)))
        delivery.end()
        #expect(TestServer.numbers(server.requests).sorted() == [1, 2])
    }

    @Test("A connection that is cut or refused is tried again")
    func cut() throws {
        let server = try TestServer.start([
            FaultRule(PathPattern("/cut"), Faults(status: 200, cutAfter: 0), limit: 2),
            FaultRule(PathPattern("/refused"), Faults(refuses: true), limit: 2),
        ])
        let delivery = try Delivery()
        delivery.say(1, to: server.url(of: "cut"))
        delivery.say(2, to: server.url(of: "refused"))
        delivery.end()
        let stats = server.requests.map(\.path)
        #expect(stats.filter { $0 == "/cut" }.count == 3)
        #expect(stats.filter { $0 == "/refused" }.count == 3)
    }

    @Test("The time of sending and the number of the try are written at each try")
    func patches() throws {
        let server = try TestServer.start([FaultRule(PathPattern("*"), Faults(status: 500), limit: 1)])
        let delivery = try Delivery()
        delivery.say(1, to: server.url(of: "p")) { $0.set("patched", true) }
        delivery.end()
        let queries = server.requests.compactMap(\.query)
        #expect(queries.map { String($0.suffix(3)) } == ["001", "002"])
        let times = queries.compactMap { Int64($0.dropFirst(3).prefix(13)) }
        #expect(times.count == 2 && times[0] > 1_700_000_000_000 && times[1] > times[0])
    }

    @Test("A body is compressed where the tracker asks for it, and reads back")
    func gzip() throws {
        let server = try TestServer.start()
        let delivery = try Delivery()
        let text = String(repeating: "the same words again and again, ", count: 50)
        delivery.run.trackCustomEvent("beacon") { event in
            event.set("url", server.url(of: "z"))
            event.set("body", text)
            event.set("options", Int64(1))
        }
        delivery.end()
        let request = try #require(server.requests.first)
        #expect(request.header("Content-Encoding") == "gzip")
        #expect(request.body.prefix(2) == [0x1F, 0x8B] && request.body.count < text.utf8.count / 4)
        #expect(try Self.uncompressed(request.body) == text)
    }

    @Test("A secret is added by name, from the environment or a file, and is nowhere else")
    func secrets() throws {
        let folder = TemporaryFolder()
        let secret = "hush-\(getpid())"
        unsafe setenv("TALLY_TEST_SECRET", secret, 1)
        let file = folder.file("key")
        try Self.write("file-\(secret)\n", to: file, mode: 0o600)
        let server = try TestServer.start()
        let log = LogBook()
        let spool = folder.file("spool.db")
        let delivery = try Delivery(
            [
                "spool": .string(spool),
                "credentials": [
                    "one": ["header": "Api-Key", "environment": "TALLY_TEST_SECRET"],
                    "two": ["query": "key", "file": .string(file), "prefix": "p "],
                ],
            ],
            log: log
        )
        delivery.say(1, to: server.url(of: "a")) { $0.set("credential", "one") }
        delivery.say(2, to: server.url(of: "b?x=1")) { $0.set("credential", "two") }
        #expect(server.waitForRequests { $0.count >= 2 })
        let stats = try delivery.ask("stats").canonicalText + (delivery.ask("dead_letters").canonicalText)
        delivery.end()
        #expect(server.requests.first { $0.path == "/a" }?.header("Api-Key") == secret)
        #expect(server.requests.first { $0.path == "/b" }?.query == "x=1&key=p%20file-\(secret)")
        #expect(!stats.contains(secret) && !log.lines.joined().contains(secret))
        for ending in ["", "-wal"] {
            #expect(!FileBytes.contain(secret, in: spool + ending))
        }
    }

    @Test("A secret's file that others can read is refused with what to do")
    func openSecret() throws {
        let folder = TemporaryFolder()
        let file = folder.file("key")
        try Self.write("x\n", to: file, mode: 0o644)
        #expect {
            _ = try Delivery(["credentials": ["k": ["header": "K", "file": .string(file)]]])
        } throws: { error in
            "\(error)".contains("chmod 600")
        }
    }

    @Test("What could not be sent waits in the spool and arrives after the next start, once")
    func restart() throws {
        let folder = TemporaryFolder()
        let spool = folder.file("spool.db")
        let port = try TestServer.freePort()
        let first = try Delivery(["spool": .string(spool), "drain_ms": 50, "settled": "committed"])
        for number in 1...50 {
            first.say(number, to: "http://127.0.0.1:\(port)/later")
        }
        first.end()
        let server = try TestServer.start(port: port)
        let second = try Delivery(["spool": .string(spool)])
        #expect(server.waitForRequests { $0.count >= 50 })
        second.end()
        #expect(TestServer.numbers(server.requests).sorted() == Array(1...50))
    }

    @Test("A destination that is dead holds no other one up, and is tried with one request at a time")
    func breaker() throws {
        let server = try TestServer.start([FaultRule(PathPattern("/dead"), Faults(status: 500))])
        let delivery = try Delivery([
            "retry": ["first_ms": 100, "longest_ms": 400, "attempts": 1000], "drain_ms": 0, "settled": "committed",
        ])
        let begin = ContinuousClock.now
        for number in 1...100 {
            delivery.say(number, to: server.url(of: "dead")) { $0.set("destination", "dead") }
        }
        #expect(server.waitForRequests { $0.count >= 5 })
        for number in 101...200 {
            delivery.say(number, to: server.url(of: "alive")) { $0.set("destination", "alive") }
        }
        #expect(server.waitForRequests { $0.filter { $0.path == "/alive" }.count == 100 })
        let dead = server.requests.filter { $0.path == "/dead" }.count
        // Tried again every 50 to 400 ms: the more often, the longer this took.
        #expect(dead < 40 + Int((ContinuousClock.now - begin) / .milliseconds(50)))
        #expect(try delivery.ask("stats")["destinations"]?["dead"]?["held_back"] == .bool(true))
        delivery.end()
    }

    @Test("Dead letters can be sent again")
    func resent() async throws {
        let server = try TestServer.start([FaultRule(PathPattern("/x"), Faults(status: 400), limit: 2)])
        let delivery = try Delivery()
        delivery.say(1, to: server.url(of: "x"))
        delivery.say(2, to: server.url(of: "x"))
        let letters = try await eventually {
            try delivery.ask("dead_letters").array ?? []
        } until: {
            $0.count == 2
        }
        #expect(letters.count == 2)
        #expect(try delivery.ask("resend")["resent"] == .int(2))
        #expect(server.waitForRequests { $0.count == 4 })
        delivery.end()
        #expect(TestServer.numbers(server.requests).sorted() == [1, 1, 2, 2])
    }

    @Test("What is tried too often, or not worth keeping is dropped, and each reason is counted")
    func reasons() async throws {
        let server = try TestServer.start([FaultRule(PathPattern("/fails"), Faults(status: 500))])
        let delivery = try Delivery(["retry": ["first_ms": 1, "longest_ms": 2, "attempts": 3], "drain_ms": 0])
        delivery.say(1, to: server.url(of: "fails")) { $0.set("destination", "often") }
        delivery.say(2, to: server.url(of: "fails")) {
            $0.set("destination", "single")
            $0.set("options", Int64(4))
        }
        delivery.say(3, to: "http://127.0.0.1:1/") {
            $0.set("destination", "offline")
            $0.set("options", Int64(2))
        }
        delivery.say(4, to: "nonsense://x") { $0.set("destination", "odd") }
        let stats = try await eventually {
            try delivery.ask("stats")
        } until: {
            $0["dead"] == .int(4)
        }
        for (destination, reason) in [
            ("often", "attempts"), ("single", "no_retry"), ("offline", "offline"), ("odd", "malformed"),
        ] {
            #expect(stats["destinations"]?[destination]?[reason] == .int(1), "\(destination): \(stats)")
        }
        delivery.end()
    }

    @Test("A spool larger than it may be makes room by giving up the oldest, which is counted")
    func evicted() async throws {
        let server = try TestServer.start([FaultRule(PathPattern("*"), Faults(status: 500))])
        let delivery = try Delivery([
            "largest_mib": 1, "drain_ms": 0, "settled": "committed",
            "retry": ["first_ms": 60_000, "longest_ms": 60_000],
        ])
        let body = String(repeating: "b", count: 12_000)
        var said: Int64 = 0
        for _ in 1...200 {
            // One that finds no room is said again: there may have been room for one without its body.
            let isQueued = await eventually {
                let result = delivery.run.trackCustomEvent("beacon") { event in
                    event.set("url", server.url(of: "e"))
                    event.set("body", body)
                }
                if result != .refused { said += 1 }
                return result == .queued
            }
            #expect(isQueued)
        }
        let stats = try await eventually {
            try delivery.ask("stats")
        } until: {
            ($0["waiting"]?.int ?? 0) + ($0["destinations"]?["test"]?["evicted"]?.int ?? 0) == said
        }
        #expect(stats["bytes"]?.int ?? .max <= 1 << 20)
        let evicted = try #require(stats["destinations"]?["test"]?["evicted"]?.int)
        #expect(evicted > 100)
        delivery.end()
        let statistics = delivery.telemetry.reporterStatistics.first { $0.name == "http" }?.statistics
        let totals = try JSONParser().parse(statistics?.totals ?? "")
        // The rest is gone with the reporter.
        #expect(totals["given_up"] == ["evicted": .int(evicted), "gone": .int(said - evicted)])
        #expect(totals["lost"] == .int(said))
    }

    // MARK: - Support

    static func write(_ text: String, to path: String, mode: mode_t) throws {
        let descriptor = unsafe open(path, O_CREAT | O_WRONLY | O_CLOEXEC, mode)
        let bytes = Array(text.utf8)
        #expect(unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
        fchmod(descriptor, mode)
        close(descriptor)
    }

    private static func uncompressed(_ bytes: [UInt8]) throws -> String {
        let folder = TemporaryFolder()
        let path = folder.file("z.gz")
        TestFile.write(bytes, to: path)
        guard let pipe = unsafe popen("gzip -dc '\(path)'", "r") else { return "" }
        defer { unsafe pclose(pipe) }
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe fread(&chunk, 1, chunk.count, pipe)
        return String(decoding: chunk[..<count], as: UTF8.self)
    }
}
