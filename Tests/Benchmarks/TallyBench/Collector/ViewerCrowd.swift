internal import Glibc
internal import SocketEvents
internal import System

/// Viewers whose batches come evenly in time over a number of connections, as those behind a proxy do; one thread's share.
final class ViewerCrowd: @unchecked Sendable {
    /// What came of the batches.
    struct Outcome {
        /// From when a batch was due until its answer was there, ms.
        var latencies: [Double] = []
        /// Batches that were not taken.
        var refused = 0
        /// Connections that the server closed.
        var cuts = 0
        /// Lines that were made.
        var lines = 0
        /// Lines that are not known to be safe.
        var lost = 0
        /// Runs that viewers ended.
        var ended = 0

        /// Adds what came of another crowd.
        mutating func add(_ other: Outcome) {
            latencies += other.latencies
            refused += other.refused
            cuts += other.cuts
            lines += other.lines
            lost += other.lost
            ended += other.ended
        }
    }

    private struct Connection {
        var socket = ClientSocket()
        var atWork: (viewer: Int, due: Int64)?
        var waiting: [(viewer: Int, due: Int64)] = []
    }

    private let port: UInt16
    private let events: Int32
    private var viewers: [SimulatedViewer]
    private var connections: [Connection]
    private var outstanding = 0
    private var buffer = [UInt8](repeating: 0, count: 16_384)
    private var request: [UInt8] = []
    private var problem: BenchError?
    private var made = Outcome()

    /// Connects; `lengths` is how many batches viewers' runs have, nil for runs without end.
    init(
        port: UInt16,
        viewers: Range<Int>,
        connections count: Int,
        lengths: ClosedRange<Int>? = nil
    ) throws(BenchError) {
        self.port = port
        events = socket_events_make()
        self.viewers = viewers.map { SimulatedViewer(number: $0, lengths: lengths) }
        connections = (0..<count).map { _ in Connection() }
        for place in connections.indices {
            try connections[place].socket.connect(port: port, events: events, number: place)
        }
    }

    deinit {
        for place in connections.indices { connections[place].socket.disconnect() }
        close(events)
    }

    /// Sends for so many seconds from `start`, ns of ``Stopwatch/wall()``, on a thread of its own.
    func begin(at start: Int64, seconds: Int) -> Thread {
        Thread(name: "viewers") { [self] in
            do throws(BenchError) {
                try send(from: start, until: start + Int64(seconds) * 1_000_000_000)
            } catch {
                problem = error
            }
        }
    }

    /// What came of it, after its thread has ended.
    func outcome() throws(BenchError) -> Outcome {
        if let problem { throw problem }
        var outcome = made
        outcome.lines = viewers.reduce(0) { $0 + $1.madeBefore + $1.made }
        outcome.ended = viewers.reduce(0) { $0 + $1.ended }
        outcome.lost = viewers.reduce(0) { $0 + $1.made - $1.safe }
        return outcome
    }

    private func send(from start: Int64, until end: Int64) throws(BenchError) {
        var next = 0
        var changed = [UInt32](repeating: 0, count: 512)
        while true {
            let now = Stopwatch.wall()
            var due = start + Int64(next) * SimulatedViewer.interval / Int64(viewers.count)
            while due <= now, due < end {
                let viewer = next % viewers.count
                connections[viewer % connections.count].waiting.append((viewer, due))
                outstanding += 1
                try advance(viewer % connections.count)
                next += 1
                due = start + Int64(next) * SimulatedViewer.interval / Int64(viewers.count)
            }
            // What has no answer half a minute later has none.
            if due >= end, outstanding == 0 || now > end + 30_000_000_000 { return }
            let pause = due >= end ? 100 : min(100, (due - now) / 1_000_000 + 1)
            let count = unsafe socket_events_wait(events, &changed, Int32(pause))
            for number in changed.prefix(Int(count)) { try advance(Int(number)) }
        }
    }

    /// Goes on with a connection: sends, reads, and takes what waits for it.
    private func advance(_ place: Int) throws(BenchError) {
        var isThere = connections[place].socket.flush() && connections[place].socket.read(&buffer)
        if let (viewer, due) = connections[place].atWork, let answer = connections[place].socket.removeAnswer() {
            connections[place].atWork = nil
            outstanding -= 1
            // A run's last answer may have been lost: the next one says that it is over.
            if answer.status == 200 || answer.status == 410 {
                made.latencies.append(Double(Stopwatch.wall() - due) / 1e6)
                viewers[viewer].learn(safe: answer.safe ?? .max)
            } else {
                made.refused += 1
            }
        }
        if !isThere {
            made.cuts += 1
            if connections[place].atWork != nil { outstanding -= 1 }
            connections[place].atWork = nil
            try connections[place].socket.connect(port: port, events: events, number: place)
            isThere = true
        }
        guard connections[place].atWork == nil, !connections[place].waiting.isEmpty else { return }
        let turn = connections[place].waiting.removeFirst()
        connections[place].atWork = turn
        request.removeAll(keepingCapacity: true)
        viewers[turn.viewer].appendRequest(to: &request)
        _ = connections[place].socket.send(request)
    }
}
