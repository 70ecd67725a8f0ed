internal import ChildPrograms
internal import Glibc
internal import RealServers
internal import TextEncoding

/// Ends a replay that writes into PostgreSQL with SIGKILL at random moments, while the server crashes and comes back, and
/// starts it again: in the end each table and each view is that of a replay that nobody disturbed.
package struct PostgresCampaign: Campaign {
    private let tables: UndisturbedTables

    /// Uses the programs and plugins in `binaries`, and the archive of so many runs, which it makes in `folder`.
    package init(binaries: String, folder: String, runs: Int = 150) async throws {
        let archive = "\(folder)/tally-postgres-\(getpid()).tally"
        tables = try await UndisturbedTables(binaries: binaries, archive: archive, runs: runs)
    }

    /// They share the server.
    package var roundsAtOnce: Int { 1 }

    private func replay(into schema: String) throws -> ChildProgram {
        try tables.replay([tables.archive], into: schema)
    }

    package func round(seed: UInt64) async -> String? {
        var random = SplitMix64(seed: seed)
        let schema = "round\(seed)"
        var (kills, crashes) = (0, 0)
        do {
            for step in 0..<2 + random.next() % 4 {
                let program = try replay(into: schema)
                let least = Int(random.next() % UInt64(tables.events))
                let isUnderWay = await eventually {
                    let written = await tables.count(schema)
                    return program.state != .running || written >= least
                }
                guard isUnderWay else { return "the replay neither ends nor writes: \(program.errors)" }
                if step % 2 == 0 {
                    await tables.server.crash()
                    crashes += 1
                    // A replay that is killed while there is no server, or goes on when there is one again.
                    if random.next() % 2 == 0 { program.send(SIGKILL) }
                    try await tables.server.start()
                } else {
                    program.send(SIGKILL)
                }
                if random.next() % 2 == 0 { program.send(SIGKILL) }
                if try await program.end() < 0 { kills += 1 }
            }
            let code = try await replay(into: schema).end()
            guard code == 0 else { return "the last replay ended with \(code)" }
            if let difference = try await tables.difference(schema) { return difference }
        } catch {
            return "\(error)"
        }
        print("seed \(seed): \(kills) kills, \(crashes) crashes of the server, \(tables.events) events")
        return nil
    }
}
