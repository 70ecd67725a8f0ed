internal import LoopbackServer
internal import System
internal import TextEncoding

/// A server that fails at random: it refuses, cuts, hangs, is slow, says what is no HTTP, 500, and 503 with a time to come
/// back at.
enum FailingServer {
    /// Faults in 10,000 requests, about.
    private static let shares: [(Faults, UInt64)] = [
        (Faults(refuses: true), 20),
        (Faults(status: 200, cutAfter: 0), 20),
        (Faults(status: 200, stallAfter: 0), 3),
        (Faults(latencyMilliseconds: 30, status: 200), 80),
        (Faults(rawAnswer: "the proxy is out of order\r\n"), 20),
        (Faults(status: 500), 40),
        (Faults(status: 503, retryAfterSeconds: 1), 2),
    ]

    /// Starts one, which with `refusing` also says 403; each fault is chosen by the seed in the order of requests.
    static func start(seed: UInt64, _ arrivals: Arrivals, refusing: Bool = false) throws -> LoopbackServer {
        var configuration = ServerConfiguration()
        let random = Lock(SplitMix64(seed: seed))
        let all = refusing ? shares + [(Faults(status: 403), 10)] : shares
        configuration.faults = [FaultRule(PathPattern("*"), Faults(status: 200))]
        configuration.chooses = { _ in
            var number = random.with { $0.next() } % 10_000
            for (faults, share) in all {
                if number < share { return faults }
                number -= share
            }
            return Faults()
        }
        configuration.onAnswer = { arrivals.note($0) }
        return try LoopbackServer(configuration)
    }
}
