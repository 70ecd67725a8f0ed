internal import Glibc
internal import LoopbackServer

/// A replay whose spool finds no room from some moment on: it ends with an error within its patience, and what was
/// committed is sent; when there is room again, another one brings the rest, and only that.
package struct FullDiskRound {
    /// Each beacon has about 2 KiB: all together are more than what may wait in memory.
    private static let beacons = 10_000

    private let binaries: String
    private let folder: String

    /// Uses the programs and plugins in `binaries`; files go to `folder`.
    package init(binaries: String, folder: String) {
        self.binaries = binaries
        self.folder = folder
    }

    /// Runs it, with room for so many system calls; gives what went wrong, nil when all went well.
    package func run(calls: Int) -> String? {
        do {
            var replay = try DeliveringReplay(
                binaries: binaries,
                base: "\(folder)/tally-full-\(getpid())-\(calls)",
                beacons: Self.beacons
            )
            defer { replay.remove() }
            replay.settings = ["concurrency": "16"]
            let arrivals = Arrivals()
            var configuration = ServerConfiguration()
            configuration.faults = [FaultRule(PathPattern("*"), Faults(status: 200))]
            configuration.onAnswer = { arrivals.note($0) }
            let server = try LoopbackServer(configuration)
            let url = server.url(of: "collect?\(String(repeating: "x", count: 2_000))")
            replay.settings = ["patience_ms": "300", "drain_ms": "500"]
            let code = try replay.start(
                to: url,
                environment: [
                    "LD_PRELOAD": "\(binaries)/libsystem-faults.fixture.so", "TALLY_FAULTS_FILE": replay.spool,
                    "TALLY_FAULTS_KIND": "enospc", "TALLY_FAULTS_AFTER": "\(calls)",
                ]
            ).wait()
            guard code == 74 else { return "with a full disk the replay ended with \(code): \(replay.said)" }
            guard replay.said.contains("nothing more is taken"), replay.said.contains("make room on that disk") else {
                return "the replay does not say why: \(replay.said)"
            }
            let before = server.requests.count
            guard before < Self.beacons else { return "everything was sent in spite of the full disk" }
            replay.settings = ["concurrency": "16"]
            let again = try replay.start(to: url).wait()
            guard again == 0 else { return "the replay behind it ended with \(again): \(replay.said)" }
            return arrivals.problem(server.requests, beacons: Self.beacons)
        } catch {
            return "\(error)"
        }
    }
}
