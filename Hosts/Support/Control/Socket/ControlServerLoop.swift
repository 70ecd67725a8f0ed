internal import Glibc
internal import Synchronization
internal import System
internal import Tally
internal import TextEncoding

/// What a control socket's thread does.
struct ControlServerLoop: ~Copyable {
    let listener: Int32
    let limits: ControlLimits
    let signal: PollSignal
    let total: ControlOutbox.Total
    let queue: ControlQueue
    let tap: OutputTap?
    let count: @Sendable ((inout ControlServer.Statistics) -> Void) -> Void
    var connections: [ControlConnection] = []
    var nextID = 1
    /// Whether the system had no descriptor for a client: it is asked again a little later.
    var isOutOfDescriptors = false

    deinit { close(listener) }

    mutating func run(until isOver: () -> Bool) {
        while !isOver() {
            var now = SystemTime.monotonic()
            var polled = [
                pollfd(fd: signal.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: isOutOfDescriptors ? -1 : listener, events: Int16(POLLIN), revents: 0),
            ]
            var timeout: Int32 = isOutOfDescriptors ? ControlConnection.interval : -1
            for connection in connections {
                let waits = connection.outbox.count > 0
                let reads = connection.mayRead(now: now)
                let events = (reads ? POLLIN : 0) | (waits ? POLLOUT : 0)
                polled.append(pollfd(fd: connection.descriptor, events: Int16(events), revents: 0))
                for limit in [connection.delay(now: now), waits ? 1_000 : nil] {
                    if let limit, timeout < 0 || limit < timeout { timeout = limit }
                }
            }
            _ = unsafe poll(&polled, nfds_t(polled.count), timeout)
            now = SystemTime.monotonic()
            signal.clear()
            isOutOfDescriptors = false
            serve(polled[2...].map(\.revents), now)
            if polled[1].revents != 0 { accept(now) }
        }
        for connection in connections {
            _ = connection.write(now: 0)
            tap?.unsubscribe(connection.id)
        }
        connections.removeAll()
    }

    // MARK: - Clients

    private mutating func accept(_ now: Int64) {
        while true {
            let descriptor = Glibc.accept(listener, nil, nil)
            if descriptor < 0 {
                if errno == EINTR || errno == ECONNABORTED { continue }
                isOutOfDescriptors = errno == EMFILE || errno == ENFILE
                return
            }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            guard PeerCheck.allows(descriptor: descriptor) else {
                close(descriptor)
                count { $0.refused += 1 }
                continue
            }
            let outbox = ControlOutbox(limits, total, signal)
            let connection = ControlConnection(nextID, descriptor, outbox, limits, now: now)
            guard connections.count < limits.clients else {
                let reply = ControlReply.failure(.tooManyClients, "there may be \(limits.clients) clients at one time")
                outbox.append(reply: Array(reply.line(id: nil).utf8), at: outbox.expectReply())
                _ = connection.write(now: now)
                count { $0.refused += 1 }
                continue
            }
            nextID += 1
            connections.append(connection)
            let clients = connections.count
            count { statistics in
                statistics.accepted += 1
                statistics.clients = clients
            }
        }
    }

    private mutating func serve(_ revents: [Int16], _ now: Int64) {
        var gone: Set<Int> = []
        for (index, connection) in connections.enumerated()
        where !serve(connection, index < revents.count ? revents[index] : 0, now) {
            gone.insert(connection.id)
        }
        guard !gone.isEmpty else { return }
        for id in gone { tap?.unsubscribe(id) }
        connections.removeAll { gone.contains($0.id) }
        let clients = connections.count
        count { $0.clients = clients }
    }

    /// Reads and writes; false when the client is to be forgotten.
    private func serve(_ connection: ControlConnection, _ revents: Int16, _ now: Int64) -> Bool {
        let events = Int32(revents)
        if events & POLLIN != 0, connection.mayRead(now: now) {
            if connection.read() == .broken { return false }
        } else if events & (POLLERR | POLLNVAL) != 0 || (events & POLLHUP != 0 && events & POLLIN == 0) {
            return false
        }
        while let message = connection.next(now: now) { answer(message, connection) }
        if connection.outbox.count > 0 {
            guard connection.write(now: now) else { return false }
            if connection.isStalled(now: now) {
                count { $0.stalled += 1 }
                return false
            }
        } else {
            connection.restartPatience(now: now)
        }
        let isBusy = connection.outbox.pending.load(ordering: .acquiring) > 0 || connection.outbox.count > 0
        return connection.isReading || connection.isHeldUp || isBusy
    }

    // MARK: - Messages

    private func answer(_ message: Result<[UInt8], ControlError>, _ connection: ControlConnection) {
        count { $0.messages += 1 }
        let outbox = connection.outbox
        let place = outbox.expectReply()
        let reply: @Sendable (ControlReply, JSONValue?) -> Void = { reply, id in
            outbox.append(reply: Array(reply.line(id: id).utf8), at: place)
        }
        switch message {
        case .failure(let problem):
            count { $0.invalid += 1 }
            reply(.failure(problem), nil)
        case .success(let line):
            let request = ControlRequest(line)
            let id = request.id
            switch request.command {
            case .failure(let problem):
                count { $0.invalid += 1 }
                reply(.failure(problem), id)
            case .success(.tap(let filter)):
                reply(tapReply, id)
                tap?.subscribe(connection.id, filter) { outbox.append(tap: $0) }
            case .success(.untap): reply(unsubscribe(connection), id)
            case .success(let command):
                outbox.pending.add(1, ordering: .acquiringAndReleasing)
                let signal = signal
                queue.submit(command) {
                    reply($0, id)
                    outbox.pending.subtract(1, ordering: .acquiringAndReleasing)
                    // What was read and had to wait for this has its turn now.
                    signal.wake()
                }
            }
        }
    }

    private var tapReply: ControlReply {
        tap == nil
            ? .failure(.unavailable, "nothing is put out here that could be shown")
            : .done("outputs are shown from now on")
    }

    private func unsubscribe(_ connection: ControlConnection) -> ControlReply {
        guard let counts = tap?.unsubscribe(connection.id) else {
            return .done("no outputs were shown", changed: false)
        }
        return .success(counts.json)
    }
}

/// Whether whoever connected may give commands: the same user, or root.
package enum PeerCheck {
    /// Whether a user may give commands to a program of another.
    package static func allows(peer: UInt32, owner: UInt32) -> Bool {
        peer == owner || peer == 0
    }

    /// Whether the peer of a connected socket may; what the system does not tell is refused.
    static func allows(descriptor: Int32) -> Bool {
        // Linux: struct ucred is the numbers of process, user and group (unix(7), SO_PEERCRED).
        var credentials: [UInt32] = [0, .max, .max]
        var size = socklen_t(MemoryLayout<UInt32>.stride * credentials.count)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else { return false }
        return allows(peer: credentials[1], owner: geteuid())
    }
}
