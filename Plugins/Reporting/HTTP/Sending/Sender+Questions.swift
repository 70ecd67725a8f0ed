internal import Database
internal import PluginKit

// What people ask while the sender works.
extension Sender {
    /// What waits, what was delivered and dropped since the spool was made, and how destinations do.
    func statistics() throws(CommandError) -> JSONValue {
        try attempt { () throws(DatabaseError) in
            commit(at: WallClock.now())
            let (waiting, dead) = try spool.sizes()
            var names: [String: JSONObject] = [:]
            for (destination, name, count) in try spool.counts() {
                names[destination, default: [:]][name] = .int(count)
            }
            var list = JSONObject()
            for (name, counts) in names.sorted(by: { $0.key < $1.key }) {
                var members = counts
                if let destination = destinations[name] {
                    members["under_way"] = .int(Int64(destination.underway.count))
                    members["failures_in_row"] = .int(destination.breaker.failures)
                    members["held_back"] = .bool(destination.breaker.isOpen)
                }
                list[name] = .object(members)
            }
            return .object([
                "waiting": .int(waiting), "dead": .int(dead), "bytes": .int(spool.bytes), "destinations": .object(list),
            ])
        }
    }

    /// The newest dead letters.
    func deadLetters(limit: Int64) throws(CommandError) -> JSONValue {
        try attempt { () throws(DatabaseError) in
            commit(at: WallClock.now())
            return try spool.deadLetters(limit: limit)
        }
    }

    /// Sends dead letters again.
    func revive(destination: String?) throws(CommandError) -> JSONValue {
        try attempt { () throws(DatabaseError) in
            let now = WallClock.now()
            commit(at: now)
            let count = try spool.revive(destination: destination, expires: now + configuration.retry.age)
            readAgain(try spool.destinations())
            return .object(["resent": .int(count)])
        }
    }

    /// Removes what waits of a run or a session, also what is in memory.
    func erase(run: String, session: Int64?) throws(CommandError) -> JSONValue {
        try attempt { () throws(DatabaseError) in
            commit(at: WallClock.now())
            let count = try spool.erase(run: run, session: session)
            forget { beacon in
                beacon.identity.run == run && (session == nil || Int64(beacon.session) == session)
            }
            return .object(["erased": .int(count)])
        }
    }

    private func attempt(_ body: () throws(DatabaseError) -> JSONValue) throws(CommandError) -> JSONValue {
        do throws(DatabaseError) {
            return try body()
        } catch {
            throw .refused(error.description)
        }
    }
}
