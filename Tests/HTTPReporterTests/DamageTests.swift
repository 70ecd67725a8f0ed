import LoopbackServer
import PluginKit
import Testing

/// What a damaged spool costs, and what it does not.
@Suite("The reporter http goes on with a damaged spool", .serialized)
struct DamageTests {
    @Test("A spool that was damaged loses the damaged beacons, tells how many, and goes on with the rest")
    func damaged() throws {
        let folder = try Folder()
        let spool = folder.file("spool.db")
        let port = try TestServer.freePort()
        let count = 400
        let first = try Delivery(["spool": .string(spool), "drain_ms": 0, "settled": "committed"])
        for number in 1...count {
            first.say(number, to: "http://127.0.0.1:\(port)/\(String(repeating: "x", count: 700))")
        }
        first.end()
        try FileBytes.overwrite(spool, at: 40 * 4096, count: 2 * 4096)
        let server = try TestServer.start(port: port)
        let log = LogBook()
        let second = try Delivery(["spool": .string(spool)], log: log)
        let stats = try second.ask("stats")
        second.end()
        let arrived = Set(TestServer.numbers(server.requests))
        let lost = try #require(stats["destinations"]?[""]?["damaged"]?.int)
        #expect(arrived.count < count && arrived.count > count / 2)
        #expect(lost > 0 && arrived.count + Int(lost) >= count)
        #expect(log.lines.contains { $0.contains("was moved to") && $0.contains("\(arrived.count) beacons go on") })
    }
}
