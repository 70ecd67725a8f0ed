internal import Glibc
internal import LoopbackServer
internal import Tally
internal import TallyTesting
internal import TextEncoding

/// Ends a replay that delivers beacons through the reporter `http` with SIGKILL at random moments, while the server fails
/// in turns, and starts it again: in the end every beacon has arrived, and nothing else.
///
/// A beacon may arrive twice when a kill falls between the server's answer and the commit that notes it.
package struct DeliveryCampaign: Campaign {
    /// Beacons of a round: one a session.
    private static let beacons = 150

    private let binaries: String
    private let folder: String

    /// Uses the programs and plugins in `binaries`; files go to `folder`.
    package init(binaries: String, folder: String) {
        self.binaries = binaries
        self.folder = folder
    }

    package func round(seed: UInt64) -> String? {
        var random = SplitMix64(seed: seed)
        let base = "\(folder)/tally-delivery-\(getpid())-\(seed)"
        defer { remove(base) }
        do {
            let archive = try recorded("\(base).tally")
            let server = try LoopbackServer(FailingServer.configuration(&random))
            let kills = 1 + Int(random.next() % 4)
            for _ in 0..<kills {
                let replay = try start(archive, server, base)
                usleep(UInt32(20_000 + random.next() % 400_000))
                replay.send(SIGKILL)
                _ = replay.wait()
            }
            let last = try start(archive, server, base)
            let code = last.wait()
            guard code == 0 else { return "the last replay ended with \(code): \(log(base))" }
            return compare(server)
        } catch {
            return "\(error)"
        }
    }

    // MARK: - Steps

    /// An archive of many short sessions.
    private func recorded(_ path: String) throws -> String {
        let tracker = PluginSelection("org.tally.example.swift", name: "swift")
        let run = try VirtualRun(
            plugins: [tracker],
            sources: [.file("\(binaries)/libexample-swift.tallyplugin.so")]
        ).record { player, run, clock in
            for _ in 0..<Self.beacons {
                for action in [PlayerAction.load, .play, .firstFrame] {
                    player.perform(action, on: run)
                    run.pump()
                }
                clock.advance(to: clock.now() + 1_000_000)
                player.perform(.unload, on: run)
                run.pump()
            }
        }
        guard unsafe rename(run.archive, path) == 0 else { throw RoundFailure("cannot move the archive to \(path)") }
        return path
    }

    private func start(_ archive: String, _ server: LoopbackServer, _ base: String) throws -> ChildProcess {
        try ChildProcess(
            "\(binaries)/tally-replay",
            [
                archive, "--quiet", "--plugin-dir", binaries, "--plugins", "example-swift,http",
                "--set", "plugins.example-swift.config.url=\"\(server.url(of: "collect"))\"",
                "--set", "plugins.http.config.spool=\"\(base).spool\"",
                "--set", "plugins.http.config.idempotency_header=\"X-Beacon\"",
                "--set", "plugins.http.config.retry.first_ms=5",
                "--set", "plugins.http.config.retry.longest_ms=50",
                "--set", "plugins.http.config.commit_ms=20",
                "--set", "plugins.http.config.timeout_ms=2000",
                "--set", "plugins.http.config.drain_ms=30000",
            ],
            output: "\(base).log"
        )
    }

    private func compare(_ server: LoopbackServer) -> String? {
        let identities = server.requests.compactMap { $0.header("x-beacon") }
        let arrived = Set(identities.compactMap { $0.split(separator: "/").last.flatMap { Int($0) } })
        let expected = Set(1...Self.beacons)
        guard arrived == expected else {
            let missing = expected.subtracting(arrived).sorted()
            return "missing \(missing.prefix(10)), unexpected \(arrived.subtracting(expected).sorted().prefix(10))"
        }
        let bodies = Set(server.requests.map { "\($0.header("x-beacon") ?? "") \($0.text)" })
        guard bodies.count == Self.beacons else { return "a beacon changed between two tries" }
        return nil
    }

    private func log(_ base: String) -> String {
        guard let file = unsafe fopen("\(base).log", "r") else { return "" }
        defer { unsafe fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 2_000)
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    private func remove(_ base: String) {
        for ending in [".tally", ".spool", ".spool-wal", ".spool-shm", ".log"] {
            unsafe unlink(base + ending)
        }
    }
}
