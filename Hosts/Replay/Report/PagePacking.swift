internal import Glibc
internal import System
internal import TextEncoding
internal import Viewing

/// Packs the pages of a report on threads of its own, while the replay goes on.
///
/// The threads take what the replay leaves of the processors. Each page is packed by itself, so that its bytes are the
/// same whichever thread does it and when.
@safe final class PagePacking: Sendable {
    /// Level of gzip: less than half the time of the default one, and a fifth to a quarter more bytes.
    private static let level: Int32 = 3
    /// Bytes of pages that may wait until who hands in another one waits too.
    private static let waitingBytes = 64 << 20
    /// More threads would have nothing left to do.
    private static let mostThreads = 4
    /// By how much the threads stand back behind those of the replay, which are what takes longest.
    private static let niceness: Int32 = 10

    private struct State {
        var next = 0
        /// Pages that wait, by their numbers, and those numbers in their order; some of them are waited for no more.
        var waiting: [Int: [UInt8]] = [:]
        var order: ArraySlice<Int> = []
        var bytes = 0
        var beingPacked: Set<Int> = []
        var packed: [Int: [UInt8]] = [:]
        var isClosed = false

        /// Takes out the page that has waited longest.
        mutating func begin() -> (number: Int, page: [UInt8])? {
            while let number = order.popFirst() {
                guard let page = remove(number) else { continue }
                beingPacked.insert(number)
                return (number, page)
            }
            return nil
        }

        mutating func remove(_ number: Int) -> [UInt8]? {
            guard let page = waiting.removeValue(forKey: number) else { return nil }
            bytes -= page.count
            return page
        }
    }

    /// Stands for a page in the packing; without it the page is forgotten.
    private final class Ticket: Sendable {
        let state: Condition<State>
        let number: Int

        init(_ state: Condition<State>, _ number: Int) {
            self.state = state
            self.number = number
        }

        deinit {
            state.change { state in
                _ = state.remove(number)
                state.beingPacked.remove(number)
                state.packed.removeValue(forKey: number)
            }
        }

        /// Waits for the packed page.
        func wait() -> [UInt8] { state.wait(until: nil) { $0.packed[number] } ?? [] }
    }

    private let state: Condition<State>
    private let threads: [Thread]

    /// Starts as many threads as there are processors, four at most.
    init() {
        let state = Condition(State())
        self.state = state
        let count = min(max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1), Self.mostThreads)
        threads = (1...count).map { number in Thread(name: "tally-pack-\(number)") { Self.work(state) } }
    }

    deinit { state.change { $0.isClosed = true } }

    /// Has a page packed.
    ///
    /// When many wait, it waits until there are fewer.
    func pack(_ page: [UInt8]) -> PackedPage {
        let number =
            state.wait(until: nil) { state -> Int? in
                guard state.bytes < Self.waitingBytes else { return nil }
                state.next += 1
                state.waiting[state.next] = page
                state.order.append(state.next)
                state.bytes += page.count
                return state.next
            } ?? 0
        state.wakeAll()
        let ticket = Ticket(state, number)
        return { ticket.wait() }
    }

    private static func work(_ state: Condition<State>) {
        // Of this thread alone. Where it is refused all is the same but for the time.
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
        while true {
            let job = state.wait(until: nil) { state -> (number: Int, page: [UInt8])?? in
                if let job = state.begin() { return .some(job) }
                return state.isClosed ? .some(nil) : nil
            }
            guard case .some(.some(let (number, page))) = job else { return }
            let packed = gzip(page)
            state.change { state in
                // Nobody may want it any more.
                if state.beingPacked.remove(number) != nil { state.packed[number] = packed }
            }
        }
    }

    /// The bytes compressed by gzip.
    static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        let buffer = ByteBuffer(capacity: bytes.count / 8 + 64)
        guard let compressor = GzipCompressor(level: level),
            unsafe bytes.withUnsafeBytes({ unsafe compressor.append($0, atEnd: true, to: buffer) })
        else { preconditionFailure("there is no memory to compress \(bytes.count) bytes") }
        return buffer.bytes
    }
}
