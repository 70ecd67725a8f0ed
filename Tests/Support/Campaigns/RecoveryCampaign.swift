internal import ChildPrograms
internal import Glibc
internal import LoopbackServer
internal import TextEncoding

/// Ends a playing player with SIGKILL again and again while it delivers beacons to a server that fails in turns.
///
/// Some of the players find no room for their spool from some moment on, maybe while they recover what the one before
/// left. The last player recovers what the others left: the beacons that an offline replay of all archives makes have
/// arrived, and nothing else.
package struct RecoveryCampaign: Campaign {
    private let binaries: String
    private let media: String
    private let folder: String

    /// Uses the programs and plugins in `binaries` and plays `media`; files go to `folder`.
    package init(binaries: String, media: String, folder: String) {
        self.binaries = binaries
        self.media = media
        self.folder = folder
    }

    /// They mostly wait.
    package var roundsAtOnce: Int { 4 }

    package func round(seed: UInt64) async -> String? {
        var random = SplitMix64(seed: seed)
        let base = "\(folder)/tally-recovery-\(getpid())-\(seed)"
        let files = RoundFiles(folder: base)
        files.create()
        defer { files.remove() }
        do {
            let server = try FailingServer.start(seed: random.next(), Arrivals())
            for _ in 0..<1 + random.next() % 3 {
                let isFull = random.next() % 3 == 0
                let calls = 8 + Int(random.next() % 80)
                let player = try start(base, files, server, [], roomFor: isFull ? calls : nil)
                try await Task.sleep(for: .microseconds(Int(250_000 + random.next() % 3_000_000)))
                player.send(SIGKILL)
                _ = try await player.end()
            }
            let last = try start(base, files, server, ["--duration", "1"])
            let code = try await last.end()
            guard code == 0 else { return "the last player ended with \(code): \(files.read(files.log))" }
            return try await compare(files, server)
        } catch {
            return "\(error)"
        }
    }

    /// A player that delivers nothing is killed; the next one has room for so many system calls on a new spool, and is
    /// killed too: it must not hold for recovered what it could not write, so that the last one brings it.
    package func fullDisk(calls: Int) async -> String? {
        let base = "\(folder)/tally-recovery-full-\(getpid())-\(calls)"
        let files = RoundFiles(folder: base)
        files.create()
        defer { files.remove() }
        do {
            let server = try FailingServer.start(seed: 1, Arrivals())
            for (sends, room) in [(false, nil), (true, calls)] as [(Bool, Int?)] {
                let player = try start(base, files, server, [], sends: sends, roomFor: room)
                try await Task.sleep(for: .milliseconds(2_500))
                player.send(SIGKILL)
                _ = try await player.end()
            }
            let code = try await start(base, files, server, ["--duration", "1"]).end()
            guard code == 0 else { return "the last player ended with \(code): \(files.read(files.log))" }
            return try await compare(files, server)
        } catch {
            return "\(error)"
        }
    }

    // MARK: - Steps

    private func start(
        _ base: String,
        _ files: RoundFiles,
        _ server: LoopbackServer,
        _ more: [String],
        sends: Bool = true,
        roomFor calls: Int? = nil
    ) throws -> ChildProgram {
        try ChildProgram(
            "\(binaries)/tally-player",
            [
                media, "--archive", "\(base)/archives/", "--plugin-dir", binaries,
                "--plugins", "new-relic-video,example-swift,\(sends ? "http" : "discard")",
                "--set", "plugins.new-relic-video.config.delivery={accountId:1,endpoint:\"\(server.url(of: ""))\"}",
                "--set", "plugins.new-relic-video.config.delivery.harvestSeconds=5",
                "--set", "plugins.new-relic-video.config.heartbeatSeconds=1",
                "--set", "plugins.example-swift.config.url=\"\(server.url(of: "collect"))\"",
            ] + more
                + (sends
                    ? [
                        "--set", "plugins.http.config.spool=\"\(base)/spool.db\"",
                        "--set",
                        "plugins.http.config.credentials={\"new-relic\":{header:\"Api-Key\",environment:\"PATH\"}}",
                        "--set", "plugins.http.config.idempotency_header=\"X-Beacon\"",
                        "--set", "plugins.http.config.retry={first_ms:5,longest_ms:50}",
                        "--set", "plugins.http.config.commit_ms=20",
                        "--set", "plugins.http.config.timeout_ms=2000",
                        "--set", "plugins.http.config.drain_ms=600000",
                    ] : []),
            output: files.log,
            joined: true,
            environment: calls.map {
                SystemFaults.environment(
                    in: binaries,
                    file: "\(base)/spool.db",
                    ["KIND": "enospc", "AFTER": "\($0)"]
                )
            } ?? [:]
        )
    }

    private func compare(_ files: RoundFiles, _ server: LoopbackServer) async throws -> String? {
        let replay = try ChildProgram(
            "\(binaries)/tally-replay",
            [
                "\(files.folder)/archives/", "--as-recorded", "--strict", "--quiet", "--plugin-dir", binaries,
                "--plugins", "jsonlines", "--set", "plugins.jsonlines.config.path=\"\(files.replayed)\"",
                "--summary", files.script,
            ],
            output: files.log,
            joined: true
        )
        let code = try await replay.end()
        guard code == 0 else { return "the replay of the archives ended with \(code): \(files.read(files.log))" }
        guard files.read(files.script).contains("\"open_runs\":0") else {
            return "a run was not recovered: \(files.read(files.script))"
        }
        let made = files.lines(files.replayed).compactMap { try? JSONParser().parse($0) }
            .filter { $0["line"] == "beacon" }
        let expected = Set(made.map(identity))
        let arrived = Set(server.requests.compactMap { $0.header("x-beacon") })
        guard !expected.isEmpty, arrived == expected else {
            let missing = expected.subtracting(arrived).sorted().prefix(10)
            let other = arrived.subtracting(expected).sorted().prefix(10)
            return "of \(expected.count) beacons, missing \(missing), unexpected \(other)"
        }
        return nil
    }

    private func identity(_ beacon: JSONValue) -> String {
        let (run, instance) = (beacon["run"]?.string ?? "", beacon["instance"]?.string ?? "")
        return "\(run)/\(instance)/\(beacon["n"]?.int ?? 0)"
    }
}
