internal import ChildPrograms
internal import Glibc
internal import LoopbackServer
internal import TextEncoding

/// Ends a replay that delivers beacons through the reporter `http` with SIGKILL at random moments, while the server fails
/// and the wall clock is set at random, and starts it again: in the end every beacon has arrived, and nothing else.
///
/// All are delivered then but those that the server refused, and the spool's counts say so, to the beacon. In every other
/// round the spool may be full.
///
/// A beacon may arrive twice when a kill falls between the server's answer and the commit that notes it, and only then:
/// those are the ones that are in the spool right behind the kill. Most kills fall while beacons are being answered, after
/// a random number of them; the others a random time after the start.
package struct DeliveryCampaign: Campaign {
    /// What the wall clock is set to, s: it is right, two days back, or forty days ahead.
    private static let clocks = [0, -172_800, 3_456_000]
    /// How the archive is replayed, up to the last time: a paced replay and one that follows the archive say beacons while
    /// those that an earlier process left in the spool are answered.
    private static let ways = [[], ["--rate", "20000"], ["--follow"]]

    private let binaries: String
    private let folder: String
    private let beacons: Int

    /// Uses the programs and plugins in `binaries`; files go to `folder`.
    package init(binaries: String, folder: String, beacons: Int = 10_000) {
        self.binaries = binaries
        self.folder = folder
        self.beacons = beacons
    }

    /// They mostly wait.
    package var roundsAtOnce: Int { 6 }

    package func round(seed: UInt64) async -> String? {
        var random = SplitMix64(seed: seed)
        do {
            var replay = try DeliveringReplay(
                binaries: binaries,
                base: "\(folder)/tally-delivery-\(getpid())-\(seed)",
                beacons: beacons
            )
            defer { replay.remove() }
            // However slow the machine is, the last replay is not to give up.
            replay.settings = [
                "concurrency": "16", "drain_ms": "600000", "largest_mib": seed % 2 == 0 ? "1" : "256",
            ]
            let arrivals = Arrivals()
            let server = try FailingServer.start(seed: random.next(), arrivals, refusing: true)
            var kills: [Kill] = []
            let count = 1 + random.next() % 5
            for _ in 0..<count {
                try replay.setClock(by: Self.clocks[Int(random.next() % 3)])
                let program = try replay.start(
                    to: server.url(of: "collect"),
                    Self.ways[Int(random.next() % 3)],
                    environment: replay.clockEnvironment
                )
                if random.next() % 4 == 0 {
                    try await Task.sleep(for: .microseconds(Int(50_000 + random.next() % 1_000_000)))
                } else {
                    let more = Int(random.next() % UInt64(beacons) / count)
                    guard await wait(for: min(arrivals.count + more, beacons), arrivals) else {
                        program.send(SIGKILL)
                        _ = try await program.end()
                        return "beacons stopped arriving after \(arrivals.count): \(replay.said)"
                    }
                    try replay.setClock(by: Self.clocks[Int(random.next() % 3)])
                    try await Task.sleep(for: .microseconds(Int(random.next() % 25_000)))
                }
                let time = Arrivals.now()
                program.send(SIGKILL)
                _ = try await program.end()
                kills.append(Kill(time: time, restarted: Arrivals.now(), waiting: replay.waiting()))
            }
            try replay.setClock(by: Self.clocks[Int(random.next() % 3)])
            let code = try await replay.start(to: server.url(of: "collect"), environment: replay.clockEnvironment).end()
            let refused = replay.givenUp()
            guard code == 0 || code == 74 && !refused.isEmpty else {
                return "the last replay ended with \(code): \(replay.said)"
            }
            if let problem = try arrivals.problem(server.requests, beacons: beacons, givenUp: refused)
                ?? replay.miscount(refused: refused.count)
            {
                return problem
            }
            let duplicates = arrivals.duplicates(kills)
            guard duplicates.unexplained.isEmpty else {
                return "\(duplicates.unexplained.prefix(10)) arrived twice without a kill between answer and commit"
            }
            print("seed \(seed): \(kills.count) kills, \(server.requests.count) requests, \(duplicates.count) twice")
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// Waits until so many beacons were answered; false when they are not.
    private func wait(for beacons: Int, _ arrivals: Arrivals) async -> Bool {
        await eventually { arrivals.count >= beacons }
    }
}
