internal import CLinux
internal import Glibc
internal import System

/// One end of the connection between the player and the process of an engine: frames of bytes, in order.
///
/// Any thread may send; one thread receives.
final class FrameChannel: @unchecked Sendable {
    /// What a wait for a frame comes to.
    enum Arrival {
        case frame([UInt8])
        /// Nothing came in time.
        case silence
        /// The other end is closed, or has sent what this program does not send.
        case end
    }

    /// A longer frame is none: a manifest has 1 MiB at most.
    private static let longestFrame = 1 << 26

    private let descriptor: Int32
    private let sending = Lock(())
    // Used by the receiving thread alone.
    private var received: [UInt8] = []

    /// Owns a connected stream socket.
    init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Lets the other end see the end, and sends and receives nothing more; on any thread.
    func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Sends a value as one frame; what the other end no longer reads is dropped.
    func send(_ value: some Portable) {
        let body = value.written
        let count = UInt32(body.count)
        let frame = (0..<4).map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) } + body
        sending.with { _ in
            var done = 0
            while done < frame.count {
                let sent = unsafe frame[done...].withUnsafeBytes { bytes in
                    unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
                }
                if sent < 0, errno == EINTR { continue }
                guard sent > 0 else { return }
                done += sent
            }
        }
    }

    /// Waits for the next frame, for a time at most.
    func receive(timeoutMs: Int64 = .max) -> Arrival {
        while true {
            if let frame = nextFrame() { return frame }
            let ready = tally_wait_readable(descriptor, min(timeoutMs, 3_600_000) * 1000)
            if ready < 0, errno == EINTR { continue }
            if ready == 0 {
                if timeoutMs == .max { continue }
                return .silence
            }
            var bytes = [UInt8](repeating: 0, count: 16_384)
            let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return .end }
            received.append(contentsOf: bytes[..<count])
        }
    }

    private func nextFrame() -> Arrival? {
        guard received.count >= 4 else { return nil }
        let count = received[..<4].reversed().reduce(0) { $0 << 8 | Int($1) }
        guard count <= Self.longestFrame else { return .end }
        guard received.count >= 4 + count else { return nil }
        defer { received.removeFirst(4 + count) }
        return .frame(Array(received[4..<4 + count]))
    }
}

extension FrameChannel.Arrival {
    /// The value that the frame is.
    func value<Value: Portable>(_: Value.Type) -> Value? {
        if case .frame(let bytes) = self { Value(all: bytes) } else { nil }
    }
}
