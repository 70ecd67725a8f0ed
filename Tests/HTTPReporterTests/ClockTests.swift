import ChildPrograms
import LoopbackServer
import Spooling
import System
import Testing

/// Clocks that lie.
@Suite("The reporter http waits and counts ages by a clock that nobody sets")
struct ClockTests {
    private static let day = 86_400

    @Test(
        "Whatever the wall clock is set to while beacons are tried again, they are tried again and delivered",
        arguments: [-2 * day, 40 * day]
    )
    func setInUse(seconds: Int) async throws {
        let isWell = Lock(false)
        var configuration = ServerConfiguration()
        configuration.faults = [FaultRule(PathPattern("*"), Faults(status: 200))]
        configuration.chooses = { _ in isWell.with { $0 } ? Faults() : Faults(status: 500) }
        let server = try LoopbackServer(configuration)
        let replay = try DeliveringProgram()
        let program = try replay.start(
            to: server.url(of: "x"),
            ["retry.first_ms": "5", "retry.longest_ms": "50", "drain_ms": "600000"],
            environment: replay.clockEnvironment
        )
        #expect(server.waitForRequests { $0.count >= 3 })
        replay.setClock(by: seconds)
        let before = server.requests.count
        // More than were under way.
        #expect(server.waitForRequests { $0.count >= before + 12 })
        isWell.with { $0 = true }
        #expect(try await program.end() == 0, "\(replay.said)")
        #expect(try replay.count("delivered") == 3)
    }

    @Test(
        "Whatever the wall clock is set to between two starts, what waits is delivered and nothing is taken again",
        arguments: [-2 * day, 40 * day]
    )
    func setBetween(seconds: Int) async throws {
        let port = try TestServer.freePort()
        let replay = try DeliveringProgram()
        let address = "http://127.0.0.1:\(port)/x"
        let first = try replay.start(to: address, ["drain_ms": "0"], environment: replay.clockEnvironment)
        #expect(try await first.end() == 0, "\(replay.said)")
        replay.setClock(by: seconds)
        let server = try TestServer.start(port: port)
        for _ in 1...2 {
            let next = try replay.start(to: address, ["drain_ms": "600000"], environment: replay.clockEnvironment)
            #expect(try await next.end() == 0, "\(replay.said)")
        }
        #expect(server.requests.count == 3)
        #expect(try replay.count("delivered") == 3 && replay.count("already_taken") == 6)
    }

    /// What clocks say so many s after each other.
    private static func reading(_ boot: String, _ sinceBoot: Int64, wall: Int64) -> SpoolClock.Reading {
        SpoolClock.Reading(boot: boot, sinceBoot: sinceBoot * 1_000, wall: wall * 1_000)
    }

    @Test("Another start goes on by the boot clock, and one of the machine by what the wall clock went forward")
    func starts() {
        let first = SpoolClock(behind: nil, at: Self.reading("a", 100, wall: 5_000))
        let last = Self.reading("a", 160, wall: 9_999_999)
        #expect(first.time(at: last) == 5_060_000)
        let commit = (time: first.time(at: last), last: last)
        func later(_ reading: SpoolClock.Reading) -> Int64 {
            SpoolClock(behind: commit, at: reading).time(at: reading) - commit.time
        }
        #expect(later(Self.reading("a", 170, wall: 0)) == 10_000)
        #expect(later(Self.reading("b", 5, wall: 9_999_999 + 70)) == 70_000)
        #expect(later(Self.reading("b", 500, wall: 9_999_999 - 70)) == 0)
        // A container may have a boot clock of its own.
        #expect(later(Self.reading("a", 3, wall: 9_999_999 + 20)) == 20_000)
        let unknown = (time: commit.time, last: Self.reading("", 160, wall: 100))
        let now = Self.reading("", 400, wall: 107)
        #expect(SpoolClock(behind: unknown, at: now).time(at: now) - commit.time == 7_000)
    }
}
