internal import Database
internal import PluginKit

// What goes out, and what comes of it.
extension Sender {
    func send(at now: Int64) {
        guard maySend, !options.quiet else { return }
        for destination in destinations.values.sorted(by: { $0.name < $1.name }) {
            fill(destination)
            while carrier.count < carrier.limits.all,
                let beacon = destination.next(at: now, concurrency: carrier.limits.one)
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
        guard beacon.attempts < options.retry.attempts else { return giveUp(beacon, .attempts) }
        switch carrier.start(beacon, attempt: beacon.attempts + 1) {
        case .started:
            destination.underway.insert(beacon.place)
            destination.breaker.begin()
        case .busy: postpone(beacon, destination, until: now + delay(failures: beacon.attempts + 1))
        case .waits(let key, let text):
            warnOnce(key, text)
            // It waits in memory alone: who has what it waits for, after a restart too, sends it at once.
            var waiting = beacon
            waiting.due = beacon.content.expires
            destination.append(waiting)
        case .malformed(let text):
            warnOfMalformed(beacon, text)
            giveUp(beacon, .malformed)
        }
    }

    func finish(_ beacon: StoredBeacon, _ outcome: CarrierOutcome, at now: Int64) {
        let destination = destination(beacon.destination)
        destination.underway.remove(beacon.place)
        if erasedUnderway.remove(beacon.place) != nil {
            return finishErased(outcome, destination, at: now)
        }
        count(1, "tries", of: beacon.destination)
        switch outcome {
        case .delivered:
            destination.breaker.succeed()
            count(1, "delivered", of: beacon.destination)
            settlement.removeDelivered(beacon)
            changes.delivered.append((beacon.place, beacon.size))
            scheduleCommit(at: now)
        case .failed(let failure): fail(beacon, failure, destination, at: now)
        case .refused(let text, let status):
            destination.breaker.succeed()
            record(text, destination)
            warnOnce("refused/\(beacon.destination)/\(text)", "\(beacon.destination) refuses a beacon with \(text)")
            giveUp(tried(beacon), .refused, status: status)
        case .malformed(let text):
            warnOfMalformed(beacon, text)
            giveUp(tried(beacon), .malformed)
        }
    }

    /// The beacon after a try that may have reached somebody.
    private func tried(_ beacon: StoredBeacon) -> StoredBeacon {
        var tried = beacon
        tried.attempts += 1
        return tried
    }

    /// Ends an attempt whose beacon was erased meanwhile: it never returns.
    private func finishErased(
        _ outcome: CarrierOutcome,
        _ destination: Destination,
        at now: Int64
    ) {
        switch outcome {
        case .delivered, .refused, .malformed: destination.breaker.succeed()
        case .failed: destination.breaker.fail(at: now, retryAfter: nil, delay: delay)
        }
    }

    private func fail(
        _ beacon: StoredBeacon,
        _ failure: CarrierFailure,
        _ destination: Destination,
        at now: Int64
    ) {
        if let warning = failure.warning { warnOnce("warned/\(destination.name)", warning) }
        record(failure.text, destination)
        let wasOpen = destination.breaker.isOpen
        destination.breaker.fail(at: now, retryAfter: failure.retryAfter, delay: delay)
        let later = failure.wasSent ? tried(beacon) : beacon
        if failure.isOffline, beacon.options.contains(.dropIfOffline) { return giveUp(later, .offline) }
        if destination.breaker.isOpen, !wasOpen {
            host.log(
                .warning,
                "\(destination.name) fails again and again (\(failure.text)); it is tried from time to time"
            )
        }
        if beacon.options.contains(.noRetry) { return giveUp(later, .noRetry, status: failure.status) }
        guard later.attempts < options.retry.attempts else {
            return giveUp(later, .attempts, status: failure.status)
        }
        postpone(later, destination, until: now + max(failure.retryAfter ?? 0, delay(failures: later.attempts)))
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
        options.retry.delay(failures: failures, random: random.next())
    }
}
