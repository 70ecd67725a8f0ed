internal import Database
internal import PluginKit

// What goes out, and what comes of it.
extension Sender {
    func send(at now: Int64) {
        guard maySend, !configuration.quiet else { return }
        for destination in destinations.values.sorted(by: { $0.name < $1.name }) {
            fill(destination)
            while pool.count < Self.underway,
                let beacon = destination.next(at: now, concurrency: configuration.concurrency)
            {
                start(beacon, destination, at: now)
            }
        }
    }

    /// Reads on in the spool, unless that is just written: then behind the commit.
    private func fill(_ destination: Destination) {
        guard underCommit == nil, destination.isLow else { return }
        while destination.hasRoomForMore {
            do throws(DatabaseError) {
                let limit = Destination.readAtOnce
                let beacons = try spool.beacons(of: destination.name, behind: destination.readUpTo, limit: limit)
                for beacon in beacons { destination.append(beacon) }
                destination.hasMore = beacons.count == limit
            } catch {
                warnOnce("read", "\(error)")
                // It is read again when it was opened anew, which the next commit does.
                isDamaged = isDamaged || error.kind == .damaged
                destination.hasMore = false
                count(0, "tries", of: destination.name)
                scheduleCommit(at: clock.now())
            }
        }
    }

    private func start(_ beacon: StoredBeacon, _ destination: Destination, at now: Int64) {
        guard now < beacon.content.expires else { return giveUp(beacon, .expired) }
        guard beacon.attempts < configuration.retry.attempts else { return giveUp(beacon, .attempts) }
        if !beacon.content.credential.isEmpty, secrets[beacon.content.credential] == nil {
            warnOnce(
                "credential/\(beacon.content.credential)",
                "beacons for \(beacon.destination) wait: there is no credential \"\(beacon.content.credential)\"; "
                    + "configure it under \"credentials\""
            )
            // It waits in memory alone: who has the credential, after a restart too, sends it at once.
            var waiting = beacon
            waiting.due = beacon.content.expires
            return destination.append(waiting)
        }
        let request = Request(
            beacon.content,
            attempt: beacon.attempts + 1,
            secret: secrets[beacon.content.credential],
            idempotencyHeader: configuration.idempotencyHeader,
            now: SystemClock.wall()
        )
        guard let request else {
            warnOfMalformed(beacon, "its address, its method or a header is none of HTTP's")
            return giveUp(beacon, .malformed)
        }
        guard pool.start(request, of: beacon) else {
            // There is no memory for it now.
            return postpone(beacon, destination, until: now + delay(failures: beacon.attempts + 1))
        }
        destination.underway.insert(beacon.place)
        destination.breaker.begin()
    }

    func finish(_ beacon: StoredBeacon, _ outcome: TransferOutcome, at now: Int64) {
        let destination = destination(beacon.destination)
        destination.underway.remove(beacon.place)
        if erasedUnderway.remove(beacon.place) != nil {
            return finishErased(outcome, destination, at: now)
        }
        var tried = beacon
        if outcome.wasSent { tried.attempts += 1 }
        count(1, "tries", of: beacon.destination)
        switch outcome {
        case .delivered:
            destination.breaker.succeed()
            count(1, "delivered", of: beacon.destination)
            settlement.removeDelivered(beacon)
            changes.delivered.append((beacon.place, beacon.size))
            scheduleCommit(at: now)
        case .status(let status, let retryAfter) where RetryPolicy.mayRetry(status: status):
            fail(tried, "status \(status)", retryAfter, destination, at: now, status: status)
        case .status(let status, _):
            destination.breaker.succeed()
            record("status \(status)", destination)
            warnOnce(
                "refused/\(beacon.destination)/\(status)",
                "\(beacon.destination) refuses a beacon with status \(status)"
            )
            giveUp(tried, .refused, status: status)
        case .failure(.unreachable, let text):
            if beacon.options.contains(.dropIfOffline) {
                record(text, destination)
                destination.breaker.fail(at: now, retryAfter: nil, delay: delay)
                return giveUp(tried, .offline)
            }
            fail(tried, text, nil, destination, at: now)
        case .failure(.failed, let text), .failure(.late, let text): fail(tried, text, nil, destination, at: now)
        case .failure(.untrusted, let text):
            warnOnce(
                "untrusted/\(beacon.destination)",
                "nothing is sent to \(beacon.destination), whose certificate is not trusted (\(text)): check the address; "
                    + "for an authority of your own name its certificate in \"authority\""
            )
            fail(tried, text, nil, destination, at: now)
        case .failure(.malformed, let text):
            warnOfMalformed(beacon, text)
            giveUp(tried, .malformed)
        }
    }

    /// Ends an attempt whose beacon was erased meanwhile: it never returns.
    private func finishErased(
        _ outcome: TransferOutcome,
        _ destination: Destination,
        at now: Int64
    ) {
        switch outcome {
        case .delivered, .failure(.malformed, _): destination.breaker.succeed()
        case .status(let status, _) where !RetryPolicy.mayRetry(status: status): destination.breaker.succeed()
        case .status, .failure:
            destination.breaker.fail(at: now, retryAfter: nil, delay: delay)
        }
    }

    private func fail(
        _ beacon: StoredBeacon,
        _ text: String,
        _ retryAfter: Int64?,
        _ destination: Destination,
        at now: Int64,
        status: Int = 0
    ) {
        record(text, destination)
        let wasOpen = destination.breaker.isOpen
        destination.breaker.fail(at: now, retryAfter: retryAfter, delay: delay)
        if destination.breaker.isOpen, !wasOpen {
            host.log(.warning, "\(destination.name) fails again and again (\(text)); it is tried from time to time")
        }
        if beacon.options.contains(.noRetry) { return giveUp(beacon, .noRetry, status: status) }
        guard beacon.attempts < configuration.retry.attempts else { return giveUp(beacon, .attempts, status: status) }
        postpone(beacon, destination, until: now + max(retryAfter ?? 0, delay(failures: beacon.attempts)))
    }

    /// Keeps what went wrong last, for people who ask now or when the program has ended.
    private func record(_ failure: String, _ destination: Destination) {
        destination.lastFailure = failure
        changes.failures[destination.name] = failure
    }

    private func postpone(_ beacon: StoredBeacon, _ destination: Destination, until time: Int64) {
        var later = beacon
        later.due = time
        destination.append(later)
        changes.postponed.append(later)
        scheduleCommit(at: clock.now())
    }

    private func giveUp(_ beacon: StoredBeacon, _ reason: DropReason, status: Int = 0) {
        count(1, reason.rawValue, of: beacon.destination)
        settlement.removeDropped(beacon)
        changes.buried.append((beacon, reason, status))
        scheduleCommit(at: clock.now())
    }

    private func warnOfMalformed(_ beacon: StoredBeacon, _ text: String) {
        warnOnce("malformed/\(beacon.destination)", "a beacon for \(beacon.destination) cannot be sent: \(text)")
    }

    private func delay(failures: Int64) -> Int64 {
        configuration.retry.delay(failures: failures, random: random.next())
    }
}
