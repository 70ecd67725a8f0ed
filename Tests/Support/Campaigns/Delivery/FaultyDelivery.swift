internal import ChildPrograms
internal import Glibc
internal import LoopbackServer

/// A replay that delivers through a spool on which system calls fail, with the server that it delivers to.
///
/// Its files are removed with it.
final class FaultyDelivery {
    private let binaries: String
    private let server: LoopbackServer
    private let path: String
    /// What is started, with the settings of the next start.
    var replay: DeliveringReplay
    /// What was answered.
    let arrivals = Arrivals()

    /// Makes archive and server; files begin with `base`.
    ///
    /// Beacons go to `path`, which makes them as large as it is long.
    init(binaries: String, base: String, beacons: Int, path: String = "collect") throws {
        self.binaries = binaries
        self.path = path
        replay = try DeliveringReplay(binaries: binaries, base: base, beacons: beacons)
        var configuration = ServerConfiguration()
        configuration.faults = [FaultRule(PathPattern("*"), Faults(status: 200))]
        configuration.onAnswer = { [arrivals] in arrivals.note($0) }
        server = try LoopbackServer(configuration)
    }

    deinit {
        replay.remove()
    }

    /// Requests so far.
    var requests: Int { server.requests.count }

    /// What is wrong with what arrived; nil when all did, and nothing else.
    var problem: String? { arrivals.problem(server.requests, beacons: replay.beacons) }

    /// Starts the replay; with `faults` calls on its spool fail.
    func start(faults: [String: String]? = nil) throws -> ChildProgram {
        let environment = faults.map {
            SystemFaults.environment(
                in: binaries,
                file: replay.spool,
                $0.merging(["LOG": replay.faultLog]) { own, _ in own }
            )
        }
        return try replay.start(to: server.url(of: path), environment: environment ?? [:])
    }
}
