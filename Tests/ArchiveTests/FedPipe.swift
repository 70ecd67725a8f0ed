import Glibc

/// A pipe into which a thread writes bytes in pieces of a given size, each when the one before it was read.
@safe final class FedPipe: @unchecked Sendable {
    /// The end to read from.
    let readEnd: Int32

    private let writeEnd: Int32
    private let bytes: [UInt8]
    private let chunk: Int
    private var thread = pthread_t()

    init(_ bytes: [UInt8], chunk: Int) {
        var ends: (Int32, Int32) = (-1, -1)
        let made = unsafe withUnsafeMutableBytes(of: &ends) { ends in
            unsafe ends.bindMemory(to: Int32.self).baseAddress.map { unsafe pipe($0) } ?? -1
        }
        precondition(made == 0, "no pipe can be made")
        (readEnd, writeEnd) = ends
        self.bytes = bytes
        self.chunk = chunk
        let context = unsafe Unmanaged.passRetained(self).toOpaque()
        unsafe pthread_create(
            &thread,
            nil,
            { context in
                guard let context = unsafe context else { return nil }
                unsafe Unmanaged<FedPipe>.fromOpaque(context).takeRetainedValue().feed()
                return nil
            },
            context
        )
    }

    /// Waits until everything was written, and closes the pipe.
    func wait() {
        pthread_join(thread, nil)
        close(readEnd)
    }

    private func feed() {
        var place = 0
        while place < bytes.count {
            let end = min(bytes.count, place + chunk)
            let written = unsafe bytes[place..<end].withUnsafeBytes { unsafe write(writeEnd, $0.baseAddress, $0.count) }
            guard written > 0 else { break }
            place += written
            waitUntilRead()
        }
        close(writeEnd)
    }

    /// A reader that reads no more would hang the thread: it goes on after a minute.
    private func waitUntilRead() {
        var waiting: Int32 = 0
        for _ in 0..<600_000 {
            guard unsafe ioctl(readEnd, UInt(FIONREAD), &waiting) == 0, waiting > 0 else { return }
            usleep(100)
        }
    }
}
