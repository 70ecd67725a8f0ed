internal import Glibc
internal import Synchronization
internal import System
package import TextEncoding

/// What clients of a control socket may take, so that none of them can take all.
package struct ControlLimits: Sendable {
    /// Clients at one time.
    package var clients = 1024
    /// Bytes of a message without its end.
    package var messageBytes = 65_536
    /// Commands of one client that wait for their turn; more are read when these are done.
    package var pending = 8
    /// Bytes of replies that wait for a client; with more it is read no further.
    package var unreadBytes = 16_384
    /// Bytes that wait for a client with which a tap finds no room any more.
    package var tapBytes = 262_144
    /// Bytes that wait for all clients together with which taps find no room any more.
    package var allTapBytes = 33_554_432
    /// Messages of one client in a second; what comes faster is read later.
    package var messagesPerSecond = 2_000
    /// How long a client for which something waits may read nothing before it is disconnected, ms.
    package var patience: Int64 = 30_000

    /// The limits of an ordinary player.
    package init() {}
}

/// Listens on a control socket: reads commands of many clients, has them carried out, and writes the replies.
///
/// One thread serves all clients and never waits for one of them. A client that sends faster than it may, or does not
/// read its replies, is read later; see ``ControlLimits``.
package final class ControlServer: Sendable {
    /// What it did so far.
    package struct Statistics: Equatable, Sendable {
        /// Clients that are connected now.
        package var clients = 0
        /// Clients that were accepted.
        package var accepted: UInt64 = 0
        /// Clients that were sent away: not the same user, or too many.
        package var refused: UInt64 = 0
        /// Clients that were disconnected because they read nothing.
        package var stalled: UInt64 = 0
        /// Messages that were read.
        package var messages: UInt64 = 0
        /// Messages that were no commands.
        package var invalid: UInt64 = 0
        /// Bytes that wait for clients.
        package var unreadBytes = 0

        /// The statistics as a reply has them.
        package var json: JSONValue {
            [
                "clients": .int(Int64(clients)), "accepted": .int(Int64(accepted)), "refused": .int(Int64(refused)),
                "stalled": .int(Int64(stalled)), "messages": .int(Int64(messages)), "invalid": .int(Int64(invalid)),
                "unread_bytes": .int(Int64(unreadBytes)),
            ]
        }
    }

    /// The socket's path.
    package let path: String
    private let statisticsLock = Lock(Statistics())
    private let total = ControlOutbox.Total()
    private let signal = PollSignal()
    private let isClosed = Atomic<Bool>(false)
    private let thread: Lock<Thread?>

    /// Makes the socket and begins to listen.
    ///
    /// - Parameters:
    ///   - path: where the socket's file is made.
    ///   - limits: what clients may take.
    ///   - queue: carries out the commands.
    ///   - tap: shows outputs to clients; without one there is nothing to show.
    /// - Throws: ``ControlSocketFile/Failure`` when the file cannot be made or another program listens on it.
    package init(
        path: String,
        limits: ControlLimits = ControlLimits(),
        queue: ControlQueue,
        tap: OutputTap? = nil
    ) throws(ControlSocketFile.Failure) {
        let (listener, identity) = try ControlSocketFile.listen(path)
        self.path = path
        thread = Lock(nil)
        let signal = signal
        let total = total
        let count: @Sendable ((inout Statistics) -> Void) -> Void = { [statisticsLock] in statisticsLock.with($0) }
        let isOver: @Sendable () -> Bool = { [weak self] in self?.isClosed.load(ordering: .acquiring) ?? true }
        let started = Thread(name: "control-socket") {
            var loop = ControlServerLoop(
                listener: listener,
                limits: limits,
                signal: signal,
                total: total,
                queue: queue,
                tap: tap,
                count: count
            )
            loop.run(until: isOver)
            ControlSocketFile.remove(path, identity)
        }
        thread.with { $0 = started }
    }

    deinit { close() }

    /// What it did so far.
    package var statistics: Statistics {
        var statistics = statisticsLock.with { $0 }
        statistics.unreadBytes = total.bytes.load(ordering: .relaxed)
        return statistics
    }

    /// Writes what clients take at once, disconnects all, and removes the file.
    package func close() {
        isClosed.store(true, ordering: .releasing)
        signal.wake()
        thread.with { $0.take() }?.join()
    }
}
