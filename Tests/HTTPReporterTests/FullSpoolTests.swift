import ChildPrograms
import LoopbackServer
import PluginKit
import System
import TallyTesting
import TestFiles
import Testing

/// A spool that is as large as it may be, where the host waits; where it does not, the oldest beacons make way.
@Suite("The reporter http has a replay wait for room in its spool")
struct FullSpoolTests {
    /// A server that fails until it is made well.
    private let server: LoopbackServer
    private let isWell = Lock(false)
    /// A path that makes a beacon large.
    private static let large = "x?\(String(repeating: "x", count: 2_000))"

    init() throws {
        var configuration = ServerConfiguration()
        configuration.faults = [FaultRule(PathPattern("*"), Faults(status: 200))]
        configuration.chooses = { [isWell] _ in isWell.with { $0 } ? Faults() : Faults(status: 500) }
        server = try LoopbackServer(configuration)
    }

    @Test(
        "A full spool takes nothing more and says what it waits for; when there is room it goes on, and nothing is lost"
    )
    func held() async throws {
        let reporter = try HandFedReporter(
            [
                "largest_mib": 1, "retry": ["first_ms": 5, "longest_ms": 40, "attempts": 1_000_000],
                "drain_ms": 600_000,
            ],
            waitsForRoom: true
        )
        let address = server.url(of: Self.large)
        func deliver(behind last: UInt64) -> UInt64 {
            last < 1_000 ? last + UInt64(reporter.deliver(last + 1...1_000, to: address)) : last
        }
        var last = deliver(behind: 0)
        #expect(last < 600)
        let line = await eventually {
            last = deliver(behind: last)
            return reporter.lines.first {
                $0.contains("the spool is full (1 MiB)") && $0.contains("test fails: status 500")
            }
        } until: {
            $0 != nil
        }
        #expect(line != nil && last < 600)
        let stats = reporter.ask("stats")
        #expect(stats["waiting"] == .int(Int64(last)) && (stats["bytes"]?.int ?? 0) >= 1 << 20)
        isWell.with { $0 = true }
        last = await eventually {
            last = deliver(behind: last)
            return last
        } until: {
            $0 == 1_000
        }
        reporter.end()
        #expect(Set(server.requests.map(\.text)).count == 1_000)
    }

    @Test("A replay of more than the spool may have delivers all of it, however long the server fails")
    func replayed() async throws {
        let replay = try DeliveringProgram(sessions: 700)
        let program = try replay.start(
            to: server.url(of: Self.large),
            [
                "largest_mib": "1", "concurrency": "16", "drain_ms": "600000",
                "retry.first_ms": "5", "retry.longest_ms": "50", "retry.attempts": "1000000",
            ]
        )
        #expect(await eventually { replay.said.contains("the spool is full (1 MiB)") })
        isWell.with { $0 = true }
        #expect(try await program.end() == 0, "\(replay.said)")
        #expect(try replay.count("delivered") == 700 && replay.count("evicted") == 0)
    }
}
