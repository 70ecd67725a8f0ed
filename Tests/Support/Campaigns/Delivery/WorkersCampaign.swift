internal import ChildPrograms
internal import Glibc
internal import KafkaBrokers
internal import RealServers
internal import TestFiles
internal import TextEncoding

/// Ends workers of a consumer group, which write what trackers say of a topic's runs into PostgreSQL, with SIGKILL at
/// random moments, and starts others: in the end each table and each view is that of one replay of the archive.
package struct WorkersCampaign: Campaign {
    private let tables: UndisturbedTables
    private let binaries: String

    /// Uses the programs and plugins in `binaries`, and the archive of so many runs, which it makes in `folder`.
    package init(binaries: String, folder: String, runs: Int = 80) async throws {
        self.binaries = binaries
        let archive = "\(folder)/tally-workers-\(getpid()).tally"
        tables = try await UndisturbedTables(binaries: binaries, archive: archive, runs: runs)
    }

    /// Brokers take a while to see that a worker is no more.
    package var roundsAtOnce: Int { 3 }

    package func round(seed: UInt64) async -> String? {
        var random = SplitMix64(seed: seed)
        let schema = "workers\(seed)"
        var kills = 0
        do {
            let folder = TemporaryFolder()
            let cluster = try MockCluster()
            cluster.create(topic: "runs", partitions: 4)
            // Names of folders: a worker may find what another one left.
            func start(_ name: UInt64, _ options: String...) throws -> ChildProgram {
                let group = "?group=workers&session.timeout.ms=6000&heartbeat.interval.ms=500"
                let topic = "kafka://\(cluster.addresses)/runs\(group)"
                return try tables.replay([topic, "--state", folder.file("state\(name)")] + options, into: schema)
            }
            var folders: [UInt64] = [0, 1]
            var workers = try folders.map { try start($0) }
            let filling = try ChildProgram(
                "\(binaries)/tally-replay",
                [
                    tables.archive, "--quiet", "--plugin-dir", binaries, "--plugins", "kafka",
                    "--set", "plugins.kafka.config.brokers=\"\(cluster.addresses)\"",
                    "--set", "plugins.kafka.config.archive=\"runs\"", "--rate", "\(4_000 + random.next() % 30_000)",
                ]
            )
            for _ in 0..<1 + random.next() % 4 {
                let least = Int(random.next() % UInt64(tables.events))
                // What a killed one had comes from another when the brokers have missed it.
                guard await eventually({ await tables.count(schema) >= least }) else {
                    return "of \(least) events \(await tables.count(schema)) have come"
                }
                let place = Int(random.next() % 2)
                workers[place].send(SIGKILL)
                if try await workers[place].end() < 0 { kills += 1 }
                // Two that are at work have folders of their own.
                folders[place] = (2...4).filter { $0 != folders[1 - place] }[Int(random.next() % 2)]
                workers[place] = try start(folders[place])
            }
            guard try await filling.end() == 0 else { return "the topic is not filled: \(filling.errors)" }
            guard await eventually({ await tables.count(schema) >= tables.events }) else {
                return "of \(tables.events) events \(await tables.count(schema)) have come"
            }
            for worker in workers {
                worker.send(SIGTERM)
                let code = try await worker.end()
                guard code == 0 else { return "a worker ended with \(code): \(worker.errors)" }
            }
            // What had not been committed comes again, as it was.
            let last = try start(9, "--until-end")
            guard try await last.end() == 0 else { return "the last worker failed: \(last.errors)" }
            if let difference = try await tables.difference(schema) { return difference }
        } catch {
            return "\(error)"
        }
        print("seed \(seed): \(kills) workers killed, \(tables.events) events")
        return nil
    }
}
