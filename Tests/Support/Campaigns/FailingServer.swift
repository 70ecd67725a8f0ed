internal import LoopbackServer
internal import TextEncoding

/// A server that now and then refuses, cuts, hangs for a moment or says that it cannot.
enum FailingServer {
    static func configuration(_ random: inout SplitMix64) -> ServerConfiguration {
        var configuration = ServerConfiguration()
        let all = PathPattern("*")
        configuration.faults = [FaultRule(all, Faults(latencyMilliseconds: Int(random.next() % 8), status: 200))]
        let faults = [
            Faults(status: 500), Faults(status: 503), Faults(cutAfter: 0), Faults(refuses: true),
            Faults(latencyMilliseconds: 80, status: 200),
        ]
        for fault in faults {
            configuration.faults.append(FaultRule(all, fault, limit: Int(random.next() % 12)))
        }
        return configuration
    }
}
