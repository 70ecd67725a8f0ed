internal import Database
internal import PluginKit

// What people ask while the sender works.
extension Sender {
    /// What waits, what was delivered and dropped since the spool was made, and how destinations do.
    func statistics() throws(CommandError) -> JSONValue {
        try attempt { () throws(DatabaseError) in
            // What cannot be committed is counted with what waits.
            try? commit(at: clock.now())
            let (waiting, dead) = try spool.sizes()
            var names: [String: JSONObject] = [:]
            for (destination, name, count) in try spool.counts() {
                names[destination, default: [:]][name] = .int(count)
            }
            for (counter, count) in changes.counts {
                let written = names[counter.destination]?[counter.name]?.int ?? 0
                names[counter.destination, default: [:]][counter.name] = .int(written + count)
            }
            for (name, failure) in try spool.failures() {
                names[name, default: [:]]["last_failure"] = .string(failure)
            }
            for name in destinations.keys where names[name] == nil { names[name] = [:] }
            var list = JSONObject()
            for (name, counts) in names.sorted(by: { $0.key < $1.key }) {
                var members = counts
                if let destination = destinations[name] {
                    members["under_way"] = .int(Int64(destination.underway.count))
                    members["failures_in_row"] = .int(destination.breaker.failures)
                    let failure = destination.lastFailure
                    if !failure.isEmpty { members["last_failure"] = .string(failure) }
                    members["held_back"] = .bool(destination.breaker.isOpen)
                }
                list[name] = .object(members)
            }
            return .object([
                "waiting": .int(waiting), "uncommitted": .int(Int64(changes.taken.count)), "dead": .int(dead),
                "bytes": .int(spool.bytes), "writable": .bool(!isFaulty), "destinations": .object(list),
            ])
        }
    }

    /// What became of beacons since the reporter was made.
    func totalsAsked() throws(CommandError) -> JSONValue {
        try attempt { () throws(DatabaseError) in
            try? commit(at: clock.now())
            return try totals().json(tolerating: options.tolerated)
        }
    }

    /// Goes on with another configuration; what is under way ends as it began.
    ///
    /// The carrier got its own before. With `makingDue` what waits is tried at once: it may have waited for that.
    func reconfigure(_ next: SpoolOptions, makingDue: Bool) {
        if makingDue { for destination in destinations.values { destination.makeDue() } }
        options = next
        if next.settled == .committed { settlement.settle(upTo: spool.lastPlace) }
        release([])
    }

    /// The newest dead letters.
    func deadLetters(limit: Int64) throws(CommandError) -> JSONValue {
        try attempt { () throws(DatabaseError) in
            try commit(at: clock.now())
            return try spool.deadLetters(limit: limit)
        }
    }

    /// The oldest beacons that wait.
    func waitingBeacons(limit: Int64) throws(CommandError) -> JSONValue {
        try attempt { () throws(DatabaseError) in
            try commit(at: clock.now())
            return try spool.waitingBeacons(limit: limit)
        }
    }

    /// Removes all beacons and dead letters, or those of a destination, and every trace of them; nothing is in memory.
    func purge(destination: String?) throws(CommandError) -> JSONValue {
        try check(destination)
        return try attempt { () throws(DatabaseError) in
            let count = try spool.erase(destination: destination)
            try spool.rewrite()
            return .object(["erased": .int(count)])
        }
    }

    /// Sends dead letters again.
    func revive(destination: String?) throws(CommandError) -> JSONValue {
        try check(destination)
        return try attempt { () throws(DatabaseError) in
            let now = clock.now()
            try commit(at: now)
            let last = spool.lastPlace
            let count = try spool.revive(destination: destination, expires: now + options.retry.age)
            // Whoever waited for them was told that they were given up.
            if spool.lastPlace > last { settlement.exclude(last + 1...spool.lastPlace) }
            readAgain(try spool.destinations())
            release([])
            return .object(["resent": .int(count)])
        }
    }

    /// Removes what waits of a run or a session, also what is in memory, and every trace of it in the file.
    func erase(run: String, session: Int64?) throws(CommandError) -> JSONValue {
        let count = try attempt { () throws(DatabaseError) in
            // What is not committed would come behind the erasure.
            try commit(at: clock.now())
            return .int(try spool.erase(run: run, session: session))
        }
        release([])
        settlement.removeErased(run: run, session: session)
        forget { beacon in
            beacon.identity.run == run && (session == nil || Int64(beacon.content.session) == session)
        }
        do throws(DatabaseError) {
            try spool.rewrite()
        } catch {
            throw .refused("\(error); the beacons are removed, but their bytes may still be in the file: erase again")
        }
        var answer: JSONObject = ["erased": count]
        let aside = options.spool.map(SpoolRepair.aside) ?? []
        if !aside.isEmpty { answer["damaged_files"] = .array(aside.map { .string($0) }) }
        return .object(answer)
    }

    /// Drops beacons from memory that are gone from the spool; those under way cannot be called back, but do not
    /// return.
    private func forget(_ isGone: (StoredBeacon) -> Bool) {
        erasedUnderway.formUnion(carrier.underway.filter(isGone).map(\.place))
        for destination in destinations.values { destination.remove(isGone) }
    }

    /// Refuses a destination of which the spool has never had a beacon.
    private func check(_ destination: String?) throws(CommandError) {
        guard let destination else { return }
        let known: [String]
        do throws(DatabaseError) {
            known = Set(try spool.knownDestinations() + destinations.keys).sorted()
        } catch {
            throw .refused(error.description)
        }
        guard !known.contains(destination) else { return }
        throw .refused(
            "the spool has no destination \"\(destination)\"; "
                + (known.isEmpty ? "it has none yet" : "name one of \(known.joined(separator: ", "))")
        )
    }

    private func attempt(_ body: () throws(DatabaseError) -> JSONValue) throws(CommandError) -> JSONValue {
        do throws(DatabaseError) {
            return try body()
        } catch {
            throw .refused(error.description)
        }
    }
}
