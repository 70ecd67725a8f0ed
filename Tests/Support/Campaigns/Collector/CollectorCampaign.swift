internal import ChildPrograms
internal import Glibc
internal import System
internal import TextEncoding

/// Players report to a collector that is killed, ended and begun again, whose disk is full for a while, and to which some
/// cut connections, repeat, leave out and send garbage: what was acknowledged is in an archive, exactly once, and a replay
/// of it says what was said live.
package final class CollectorCampaign: Campaign {
    private let binaries: String
    private let folder: String
    private let toll = Lock(Toll())

    private struct Toll {
        var kills = 0
        var ends = 0
        var fullDisks = 0
        var batches = 0
        var garbage = 0
    }

    /// What happens to the collector in a round.
    private enum Fate: UInt64, CaseIterable {
        case killed
        case fullDisk
        case undisturbed
        case ended
    }

    /// Uses programs and plugins of `binaries`; files go to `folder`.
    package init(binaries: String, folder: String) {
        self.binaries = binaries
        self.folder = folder
    }

    package var roundsAtOnce: Int { 2 }

    package var results: [String] {
        let toll = toll.with { $0 }
        return [
            """
            \(toll.batches) batches; the collector was killed \(toll.kills) times, ended \(toll.ends) times, its disk was \
            full \(toll.fullDisks) times; \(toll.garbage) requests were garbage, cut or repeated
            """
        ]
    }

    package func round(seed: UInt64) async -> String? {
        let files = RoundFiles(folder: "\(folder)/collector-\(getpid())-\(seed)")
        files.create()
        var problem: String?
        do {
            problem = try await self.problem(files, seed)
        } catch {
            problem = "\(error)"
        }
        guard let problem else {
            files.remove()
            return nil
        }
        return "\(problem); its files are in \(files.folder)"
    }

    // MARK: - A round

    private func problem(_ files: RoundFiles, _ seed: UInt64) async throws -> String? {
        var random = SplitMix64(seed: seed)
        let fate = Fate(rawValue: seed % UInt64(Fate.allCases.count)) ?? .killed
        var players = (0..<8).map { ReportingPlayer(run: "run-\(seed)-\($0)", count: 60 + random.next() % 200) }
        var collector = try await start(files, port: 0)
        var port = try await self.port(of: collector)
        var disturbances = fate == .undisturbed ? 0 : 2 + Int(random.next() % 3)
        var idle = 0
        while players.contains(where: { !$0.isDone }) {
            for place in players.indices where !players[place].isDone {
                send(of: &players[place], CollectorConnection(port: port), &random)
            }
            idle += 1
            guard disturbances > 0, random.next() % 6 == 0 else {
                if idle > 20_000 { return "the players cannot get rid of their lines" }
                continue
            }
            disturbances -= 1
            switch fate {
            case .killed:
                toll.with { $0.kills += 1 }
                collector.send(SIGKILL)
                _ = try await collector.killed()
                collector = try await start(files, port: port)
                port = try await self.port(of: collector)
            case .ended:
                toll.with { $0.ends += 1 }
                collector.send(SIGTERM)
                let code = try await collector.end()
                guard code == 0 else { return "the collector ends with \(code): \(files.read(files.log).suffix(600))" }
                collector = try await start(files, port: port)
                port = try await self.port(of: collector)
            case .fullDisk:
                toll.with { $0.fullDisks += 1 }
                files.write("\(files.folder)/full", "")
                for _ in 0..<(1 + random.next() % 4) {
                    for place in players.indices where !players[place].isDone {
                        send(of: &players[place], CollectorConnection(port: port), &random)
                    }
                }
                unsafe unlink("\(files.folder)/full")
                usleep(300_000)
            case .undisturbed: break
            }
        }
        guard await archived(players.count, CollectorConnection(port: port)) else {
            return "runs that are over are in no archive: \(files.read(files.log).suffix(600))"
        }
        collector.send(SIGTERM)
        let code = try await collector.end()
        guard code == 0 else { return "the collector ends with \(code): \(files.read(files.log).suffix(600))" }
        if let problem = try await contents(files, players) { return problem }
        return try await replay(files, isWhole: fate == .undisturbed)
    }

    /// Whether all runs have come into archives; once the last one's file is gone nothing is waited for.
    private func archived(_ count: Int, _ connection: CollectorConnection) async -> Bool {
        await eventually {
            let metrics = connection.get("/metrics") ?? ""
            return metrics.contains("\ntally_collector_open_runs 0\n")
        }
    }

    private func send(
        of player: inout ReportingPlayer,
        _ connection: CollectorConnection,
        _ random: inout SplitMix64
    ) {
        let path = "/runs/\(player.run)"
        toll.with { $0.batches += 1 }
        switch random.next() % 10 {
        case 0:
            toll.with { $0.garbage += 1 }
            let bytes = (0..<(random.next() % 500)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            _ = connection.post(path, bytes)
        case 1:
            toll.with { $0.garbage += 1 }
            let body = Array(player.anyBatch(&random).utf8)
            _ = connection.post(path, body, cutAt: Int(random.next() % UInt64(body.count)))
        case 2:
            // Whatever it begins with, what the answer says is safe is safe.
            toll.with { $0.garbage += 1 }
            if player.safe > 0, let answer = connection.post(path, Array(player.anyBatch(&random).utf8)),
                let safe = answer.safe, answer.status == 200
            {
                player.learn(safe: safe)
            }
        case 3:
            toll.with { $0.garbage += 1 }
            connection.send(damaged(head(of: path), &random))
        default:
            guard let batch = player.nextBatch(&random) else { return }
            guard let answer = connection.post(path, Array(batch.utf8)), let safe = answer.safe else { return }
            player.learn(safe: safe)
        }
    }

    /// A request with all that the collector looks at, whose body is no batch.
    private func head(of path: String) -> [UInt8] {
        let lines = [
            "POST \(path)?key=k%20&CMCD=bs HTTP/1.1", "Host: x", "Authorization: Bearer k", "Origin: https://a.example",
            "Content-Encoding: identity", "X-Forwarded-For: 192.0.2.1, 192.0.2.2", "Sec-GPC: 1", "Content-Length: 9",
        ]
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\nno batch\n").utf8)
    }

    private func damaged(_ bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        var bytes = bytes
        for _ in 0...(random.next() % 4) {
            bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
        }
        return bytes
    }

    private func start(_ files: RoundFiles, port: UInt16) async throws -> ChildProgram {
        let environment = SystemFaults.environment(
            in: binaries,
            file: "\(files.folder)/collected",
            ["FULL": "\(files.folder)/full"]
        )
        return try ChildProgram(
            "\(binaries)/tally-collector",
            [
                "--folder", "\(files.folder)/collected", "--listen", "127.0.0.1:\(port)",
            ] + plugins(files.live),
            environment: environment
        )
    }

    private func plugins(_ output: String) -> [String] {
        [
            "--plugins", "new-relic-video,jsonlines", "--plugin-dir", binaries,
            "--set", "plugins.new-relic-video.config.heartbeatSeconds=1",
            "--set", "plugins.new-relic-video.config.delivery={\"accountId\":1}",
            "--set", "plugins.jsonlines.config.path=\"\(output)\"",
        ]
    }

    private func port(of collector: ChildProgram) async throws -> UInt16 {
        guard await collector.says("takes reports on http://127.0.0.1:"),
            let place = collector.errors.split(separator: "http://127.0.0.1:").last,
            let port = UInt16(place.prefix { $0.isNumber })
        else { throw RoundFailure("the collector does not begin: \(collector.errors.suffix(600))") }
        return port
    }

    // MARK: - What became of it

    /// Whether archives have each line of each player once, in its order.
    private func contents(_ files: RoundFiles, _ players: [ReportingPlayer]) async throws -> String? {
        let plain = "\(files.folder)/all.tally"
        let archives = "'\(files.folder)/collected/archives'"
        let command = "find \(archives) -name '*.tally.zst' | sort | xargs -r zstdcat > '\(plain)'"
        let made = try await ChildProgram.run("/bin/sh", ["-c", command])
        guard made.code == 0 else { return "archives cannot be unpacked: \(made.errors)" }
        var serials: [String: [UInt64]] = [:]
        var headers: [String: Int] = [:]
        var ends: [String: Int] = [:]
        for line in files.lines(plain) {
            let prefix = "{\"run\":\""
            guard line.hasPrefix(prefix) else { return "an archive has another line: \(line.prefix(80))" }
            let name = String(line.dropFirst(prefix.count).prefix { $0 != "\"" })
            if line.contains("\"tally\":{") { headers[name, default: 0] += 1 }
            if line.contains("\"end\":\"") { ends[name, default: 0] += 1 }
            let parts = line.split(separator: "\"serial\":")
            if parts.count == 2, let serial = UInt64(parts[1].prefix { $0.isNumber }) {
                serials[name, default: []].append(serial)
            }
        }
        for player in players {
            let count = headers[player.run] ?? 0
            guard count == 1 else { return "\(player.run) is \(count) times in archives" }
            guard ends[player.run] == 1 else { return "\(player.run) has \(ends[player.run] ?? 0) ends" }
            let wanted = Array(1...(player.count - 1))
            let found = serials[player.run] ?? []
            if found != wanted {
                let pairs = zip(found, wanted).enumerated()
                let place = pairs.first { $1.0 != $1.1 }?.offset ?? min(found.count, wanted.count)
                let other = found.dropFirst(place).first.map { "\($0)" } ?? "missing"
                return "\(player.run): line \(place + 1) of \(wanted.count) is \(other); \(found.count) were found"
            }
        }
        return nil
    }

    /// Whether the archives replay, and say what was said live when nothing was interrupted.
    private func replay(_ files: RoundFiles, isWhole: Bool) async throws -> String? {
        let made = try await ChildProgram.run(
            "\(binaries)/tally-replay",
            ["\(files.folder)/all.tally", "--quiet", "--strict"] + plugins(files.replayed)
        )
        guard made.code == 0 else { return "the replay ends with \(made.code): \(made.errors.suffix(600))" }
        guard isWhole else { return nil }
        let (live, replayed) = (files.lines(files.live).sorted(), files.lines(files.replayed).sorted())
        guard live != replayed else { return live.isEmpty ? "the trackers said nothing" : nil }
        let place = zip(live, replayed).enumerated().first { $1.0 != $1.1 }?.offset ?? min(live.count, replayed.count)
        return "live and replay differ, \(live.count) and \(replayed.count) lines: "
            + "\(live.dropFirst(place).first ?? "nothing") and \(replayed.dropFirst(place).first ?? "nothing")"
    }
}
