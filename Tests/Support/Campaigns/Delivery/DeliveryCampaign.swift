internal import Glibc
internal import LoopbackServer
internal import TextEncoding

/// Ends a replay that delivers beacons through the reporter `http` with SIGKILL at random moments, while the server fails
/// at random, and starts it again: in the end every beacon has arrived, and nothing else.
///
/// A beacon may arrive twice when a kill falls between the server's answer and the commit that notes it, and only then.
package struct DeliveryCampaign: Campaign {
    /// How long after an answer a kill can make it arrive again, s: the commit's 20 ms on a machine that is busy.
    private static let window = 2.0

    private let binaries: String
    private let folder: String
    private let beacons: Int

    /// Uses the programs and plugins in `binaries`; files go to `folder`.
    package init(binaries: String, folder: String, beacons: Int = 10_000) {
        self.binaries = binaries
        self.folder = folder
        self.beacons = beacons
    }

    package func round(seed: UInt64) -> String? {
        var random = SplitMix64(seed: seed)
        do {
            var replay = try DeliveringReplay(
                binaries: binaries,
                base: "\(folder)/tally-delivery-\(getpid())-\(seed)",
                beacons: beacons
            )
            defer { replay.remove() }
            replay.settings = ["concurrency": "16"]
            let arrivals = Arrivals()
            let server = try FailingServer.start(seed: random.next(), arrivals)
            var kills: [Double] = []
            for _ in 0..<1 + random.next() % 5 {
                let program = try replay.start(to: server.url(of: "collect"))
                usleep(UInt32(50_000 + random.next() % 1_000_000))
                kills.append(Arrivals.now())
                program.send(SIGKILL)
                _ = program.wait()
            }
            let code = try replay.start(to: server.url(of: "collect")).wait()
            guard code == 0 else { return "the last replay ended with \(code): \(replay.said)" }
            if let problem = arrivals.problem(server.requests, beacons: beacons) { return problem }
            let duplicates = arrivals.duplicates(kills: kills, window: Self.window)
            guard duplicates.unexplained.isEmpty else {
                return "\(duplicates.unexplained.prefix(10)) arrived twice without a kill between answer and commit"
            }
            print("seed \(seed): \(kills.count) kills, \(server.requests.count) requests, \(duplicates.count) twice")
            return nil
        } catch {
            return "\(error)"
        }
    }
}
