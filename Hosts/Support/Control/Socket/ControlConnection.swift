internal import Glibc
internal import Synchronization
internal import Tally

/// One client of a control socket; used by the server's thread, but for its outbox.
final class ControlConnection {
    /// What reading came to.
    enum Read {
        /// The client is there.
        case open
        /// The client says no more; what it asked for is still answered.
        case ended
        /// The connection is broken.
        case broken
    }

    let id: Int
    let descriptor: Int32
    let outbox: ControlOutbox
    /// Whether more can come.
    private(set) var isReading = true

    private let limits: ControlLimits
    private var input: [UInt8] = []
    private var scanned = 0
    private var isSkipping = false
    /// Whether messages may lie in the input that could not be taken yet.
    private(set) var isHeldUp = false
    /// Messages that may be read now.
    private var allowance: Double
    private var allowanceTime: Int64
    /// When the client last took something, or nothing waited for it.
    private var progressTime: Int64

    init(_ id: Int, _ descriptor: Int32, _ outbox: ControlOutbox, _ limits: ControlLimits, now: Int64) {
        self.id = id
        self.descriptor = descriptor
        self.outbox = outbox
        self.limits = limits
        allowance = Double(limits.messagesPerSecond)
        allowanceTime = now
        progressTime = now
    }

    deinit {
        outbox.close()
        close(descriptor)
    }

    /// Whether it may be read further now.
    func mayRead(now: Int64) -> Bool {
        refill(now)
        return isReading && allowance >= 1 && hasRoom
    }

    /// How long what was read already, or can be, has to wait at most until it is looked at again, ms; nil when
    /// something else wakes the thread for it.
    func delay(now: Int64) -> Int32? {
        refill(now)
        if allowance < 1 { return isReading || isHeldUp ? Self.interval : nil }
        return isHeldUp && hasRoom ? 0 : nil
    }

    /// How often a client that sent faster than it may is looked at, ms.
    static let interval: Int32 = 20

    private var hasRoom: Bool {
        outbox.pending.load(ordering: .acquiring) < limits.pending && outbox.countWithHeld < limits.unreadBytes
    }

    /// Whether the client has taken nothing for too long.
    func isStalled(now: Int64) -> Bool {
        now - progressTime > limits.patience * 1000
    }

    /// Reads what there is.
    func read() -> Read {
        var chunk = [UInt8](repeating: 0, count: 16_384)
        let count = unsafe chunk.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
        if count > 0 {
            input += chunk[..<count]
            return .open
        }
        if count < 0, errno == EAGAIN || errno == EINTR { return .open }
        isReading = false
        return count == 0 ? .ended : .broken
    }

    /// The next message that may be taken now: its bytes, or a problem; nil when there is none.
    func next(now: Int64) -> Result<[UInt8], ControlError>? {
        while true {
            refill(now)
            isHeldUp = scanned < input.count && !(allowance >= 1 && hasRoom)
            guard allowance >= 1, hasRoom else { return nil }
            guard let end = input[scanned...].firstIndex(of: UInt8(ascii: "\n")) else {
                guard input.count - scanned > limits.messageBytes else { return nil }
                input.removeAll()
                scanned = 0
                guard !isSkipping else { continue }
                isSkipping = true
                allowance -= 1
                return .failure(
                    ControlError(
                        kind: .messageTooLong,
                        "a message may have \(limits.messageBytes) bytes; this one is left out up to its end"
                    )
                )
            }
            var line = Array(input[scanned..<end])
            scanned = end + 1
            compact()
            if isSkipping {
                isSkipping = false
                continue
            }
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            guard !line.isEmpty else { continue }
            allowance -= 1
            guard line.count <= limits.messageBytes else {
                return .failure(ControlError(kind: .messageTooLong, "a message may have \(limits.messageBytes) bytes"))
            }
            return .success(line)
        }
    }

    /// Writes what waits; false when the client is gone.
    func write(now: Int64) -> Bool {
        guard let count = outbox.write(to: descriptor) else { return false }
        if count > 0 || outbox.count == 0 { progressTime = now }
        return true
    }

    /// Begins to count anew how long the client reads nothing.
    func restartPatience(now: Int64) {
        progressTime = now
    }

    private func refill(_ now: Int64) {
        let rate = Double(limits.messagesPerSecond)
        allowance = min(rate, allowance + Double(now - allowanceTime) * rate / 1_000_000)
        allowanceTime = now
    }

    private func compact() {
        guard scanned == input.count || scanned > 32_768 else { return }
        input.removeFirst(scanned)
        scanned = 0
    }
}
