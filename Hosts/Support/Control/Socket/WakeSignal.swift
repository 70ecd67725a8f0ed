internal import Glibc

/// Wakes a thread that waits in `poll`; from any thread.
final class WakeSignal: Sendable {
    /// What to poll.
    let descriptor: Int32
    private let end: Int32

    init() {
        var ends: [Int32] = [0, 0]
        let status = unsafe pipe(&ends)
        precondition(status == 0, "the system has no more descriptors: error \(errno)")
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        descriptor = ends[0]
        end = ends[1]
    }

    deinit {
        close(descriptor)
        close(end)
    }

    /// Wakes the thread, now or as soon as it waits.
    func wake() {
        var byte: UInt8 = 1
        // A pipe that is full wakes as well.
        _ = unsafe write(end, &byte, 1)
    }

    /// Waits anew.
    func clear() {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while unsafe read(descriptor, &bytes, bytes.count) == bytes.count {}
    }
}
