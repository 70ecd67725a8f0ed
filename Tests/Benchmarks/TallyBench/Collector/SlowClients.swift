internal import Glibc
internal import SocketEvents
internal import Synchronization
internal import System

/// Clients that send one byte a second each: half of them of a request's head, half of a body.
final class SlowClients: @unchecked Sendable {
    private static let turns = 20

    private let port: UInt16
    private let events: Int32
    private var sockets: [ClientSocket]
    private let isEnding = Atomic<Bool>(false)
    private var thread: Thread?

    /// Connects them, and has them send until ``end()``.
    init(port: UInt16, count: Int) throws(BenchError) {
        self.port = port
        events = socket_events_make()
        sockets = [ClientSocket](repeating: ClientSocket(), count: count)
        for place in sockets.indices {
            try sockets[place].connect(port: port, events: events, number: place)
            let head = "POST /runs/slow-\(place) HTTP/1.1\r\nHost: collector\r\n"
            let rest = place % 2 == 0 ? "X-Slow: " : "Content-Length: 100000\r\n\r\n"
            _ = sockets[place].send(Array((head + rest).utf8))
        }
        thread = count == 0 ? nil : Thread(name: "slow") { [self] in send() }
    }

    /// Ends them.
    ///
    /// - Returns: how many the server has ended before.
    func end() -> Int {
        isEnding.store(true, ordering: .relaxed)
        thread?.join()
        let ended = sockets.count { $0.descriptor < 0 }
        for place in sockets.indices { sockets[place].disconnect() }
        close(events)
        return ended
    }

    private func send() {
        var turn = 0
        let start = Stopwatch.wall()
        while !isEnding.load(ordering: .relaxed) {
            var place = turn % Self.turns
            while place < sockets.count {
                if sockets[place].descriptor >= 0, !sockets[place].send([UInt8(ascii: "a")]) {
                    sockets[place].disconnect()
                }
                place += Self.turns
            }
            turn += 1
            Stopwatch.sleep(until: start + Int64(turn) * 1_000_000_000 / Int64(Self.turns))
        }
    }
}
